// The rows about the content of a sandbox: world, readings, clock.
import { expect } from 'chai';
import type { Sandbox } from '../../server/index.js';
import { gapIds } from '../../server/operations/gaps/gaps.js';
import { clockOf } from './interfaces.js';
import { type Case, future, type Row, row } from './row.js';

const turning = (turn: (clock: Sandbox['clock']) => Promise<unknown>) => async (sandbox: Sandbox) => {
  await turn(sandbox.clock);
  return clockOf(sandbox);
};
const turned = (what: string, body: object, now: string, turn: Parameters<typeof turning>[0]): Case => ({
  what,
  body,
  tells: { now, running: false },
  library: turning(turn),
  after: { clock: { now, running: false }, '.now': now },
});
const running = (what: string, isRunning: boolean, from: RegExp) => ({
  what,
  tells: (clock: { now: string; running: boolean }) => {
    expect(clock.running).to.equal(isRunning);
    expect(clock.now).to.match(from);
  },
  after: { 'clock.running': isRunning },
  varies: /"(now|from|runs|clock)":("[^"]+"|\{[^}]*\})/g,
});
const patch = {
  users: { bob: { displayName: 'Bob' } },
  groups: { customers: ['bob'] },
  licence: { ppf: 'expired' },
  dashboards: { 11100: null },
} as const;

export const worldRows: readonly Row[] = [
  row('world.read', 'GET /_fake/v1/sandboxes/{s}/world', {
    cases: [
      {
        what: 'reads the current one',
        tells: ({ groups, favourites }: { groups: object; favourites: object }) => {
          expect(groups).to.deep.include({ customers: ['alice'] });
          expect(favourites).to.deep.include({ alice: { filters: [10500], dashboards: [] } });
        },
        library: sandbox => sandbox.world(),
      },
      {
        what: 'reads a version',
        query: 'at=1',
        tells: ({ groups, favourites }: { groups: object; favourites: object }) => {
          expect(groups).to.deep.include({ customers: ['alice'] });
          expect(favourites).to.deep.include({ alice: { filters: [], dashboards: [] } });
        },
        library: sandbox => sandbox.world({ at: 1 }),
      },
    ],
    bad: [
      future({ query: 'at=7' }),
      { what: 'two versions', query: 'at=1&at=2', says: 'The parameter "at" is given 2 times: give it once.' },
    ],
  }),
  row('world.patch', 'PATCH /_fake/v1/sandboxes/{s}/world', {
    cases: [
      {
        what: 'adds, changes and deletes records',
        body: patch,
        status: 204,
        library: sandbox => sandbox.patch(patch),
        after: {
          'world.users.bob': { displayName: 'Bob', admin: false },
          'world.groups.customers': ['bob'],
          'world.licence': { ppf: 'expired' },
          'world.dashboards': { 11000: { name: 'Team board', owner: 'admin', sharedWith: 'everyone' } },
          '.version': 7,
        },
      },
      {
        what: 'only checks',
        query: 'check=true',
        body: patch,
        status: 204,
        library: async () => undefined,
        after: { 'world.groups.customers': ['alice'], '.version': 6 },
      },
    ],
    bad: [
      { what: 'a user named elsewhere', body: { users: { alice: null } }, status: 422, says: '/groups/jira-' },
      {
        what: 'several things at once',
        body: {
          users: { bob: {}, alice: { admn: true, admin: 'yes' } },
          groups: { customers: ['bob', 'alise'] },
          group: {},
          spaces: { ds: { naem: 'x' } },
        },
        status: 422,
        says: '"alice"',
        pointers: ['/group', '/users/alice/admn', '/users/alice/admin', '/spaces/ds/naem', '/groups/customers/1'],
      },
    ],
  }),
  row('readings.read', 'GET /_fake/v1/sandboxes/{s}/readings', {
    cases: [
      {
        what: 'reads them',
        tells: (response: object) => {
          expect(response).to.include({ 'unknown-group': '400', 'unknown-user': '404' });
          expect(Object.keys(response)).to.have.members(gapIds);
        },
        library: sandbox => sandbox.readings.get(),
      },
    ],
  }),
  row('readings.set', 'PUT /_fake/v1/sandboxes/{s}/readings', {
    cases: [
      {
        what: 'replaces the chosen ones',
        body: { 'no-change': '409' },
        tells: (response: object) => expect(response).to.include({ 'no-change': '409', 'unknown-group': '404' }),
        library: sandbox => sandbox.readings.set({ 'no-change': '409' }),
        after: { 'readings.no-change': '409', 'readings.unknown-group': '404', '.readings': { 'no-change': '409' } },
      },
    ],
    bad: [
      {
        what: 'a number, and an unknown gap',
        body: { 'no-change': 409, 'no-chang': '409' },
        says: 'Unknown gap "no-chang"',
        pointers: ['/no-change', '/no-chang'],
      },
    ],
  }),
  row('clock.read', 'GET /_fake/v1/sandboxes/{s}/clock', {
    cases: [{ what: 'reads it', tells: { now: '2026-01-05T09:00:00Z', running: false }, library: clockOf }],
  }),
  row('clock.set', 'PUT /_fake/v1/sandboxes/{s}/clock', {
    cases: [
      turned('sets it', { set: '2027-01-01T00:00:00Z' }, '2027-01-01T00:00:00Z', clock =>
        clock.set('2027-01-01T00:00:00Z'),
      ),
      turned('advances it by a duration', { advance: 'P1DT1H' }, '2026-01-06T10:00:00Z', clock =>
        clock.advance('P1DT1H'),
      ),
      turned('advances it by seconds', { advance: 90.5 }, '2026-01-05T09:01:30.500Z', clock => clock.advance(90.5)),
      {
        ...running('sets it, and lets it run from there', true, /^2031-01-01T00:0/),
        body: { set: '2031-01-01T00:00:00Z', running: true },
        library: turning(clock => clock.set('2031-01-01T00:00:00Z', { running: true })),
      },
      {
        ...running('lets it run', true, /^2026-01-05T09:0/),
        body: { run: true },
        library: turning(clock => clock.run()),
      },
      {
        ...running('freezes it', false, /^2026-01-05T09:0/),
        prepare: sandbox => sandbox.clock.run(),
        body: { freeze: true },
        library: turning(clock => clock.freeze()),
      },
    ],
    bad: [
      {
        what: 'values that are invalid, and a misspelt field',
        body: { set: 'noon', advance: -1, freeze: false, run: 1, runing: true },
        says: '(did you mean "running"?)',
        pointers: ['', '/set', '/advance', '/freeze', '/run'],
      },
      { what: 'a missing order', body: {}, status: 422, says: 'Exactly one of set, advance, freeze, run is required' },
      { what: 'running without a time', body: { run: true, running: true }, status: 422, says: '/running: running is' },
      { what: 'an impossible day', body: { set: '2026-02-30T00:00:00Z' }, status: 422, says: '/set: 2026-02-30' },
      { what: 'an invalid duration', body: { advance: '1h' }, says: '/advance must be a number of seconds' },
      { what: 'a year out of range', body: { advance: 'P9999Y' }, status: 422, says: 'the years 0000 to 9999' },
    ],
  }),
];
