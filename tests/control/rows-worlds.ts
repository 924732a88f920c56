// The rows of the table about what a sandbox holds: world, readings, clock, faults, and the scenarios and states that bring it somewhere.
import { expect } from 'chai';
import type { Fault } from '../../server/index.js';
import { gapIds } from '../../server/operations/gaps.js';
import { clockOf } from './doors.js';
import { faults } from './lived-in.js';
import type { Row } from './row.js';

const push503 = {
  operation: 'ppf.push',
  caller: 'alice',
  when: { first: 2 },
  effect: { status: 503, retryAfter: 1 },
} as const;
const armed = { ...faults[0], met: 1, fired: 1 };
const unmet = { met: 0, fired: 0 };
/** A fault with every part. */
const whole = {
  path: '/rest/*/latest/push',
  caller: 'anonymous',
  when: { chance: 0.5, seed: 7 },
  times: 3,
  until: '2026-01-05T10:00:00Z',
  phase: 'after',
  effect: {
    delay: [10, 20],
    headers: { 'X-A': 'b' },
    body: { odd: null },
    truncateAt: 4,
    dribble: { bytes: 1, every: 5 },
  },
} as const satisfies Fault;
const effects: ReadonlyArray<Fault['effect']> = [
  { delay: 0 },
  { status: 599 },
  { headers: {} },
  { body: null },
  { retryAfter: 0 },
  { hangUp: true },
  { truncateAt: 0 },
  { garble: true },
  { dribble: { bytes: 1, every: 1 } },
  { partial: { succeed: 0 } },
];
/** Faults of every kind, in an order of their own. */
const many: readonly Fault[] = [whole, push503, ...effects.map(effect => ({ operation: 'ppf.push', effect }) as const)];

export const worldRows: readonly Row[] = [
  {
    id: 'read-world',
    method: 'GET',
    path: '/_fake/v1/sandboxes/{s}/world',
    call: 'sandbox.world({ at? })',
    does: 'the world, fully written out; `?at=` that of a version',
    cases: [
      {
        what: 'reads the present',
        status: 200,
        tells: ({ groups, favourites }: { groups: object; favourites: object }) => {
          expect(groups).to.deep.include({ customers: ['alice'] });
          expect(favourites).to.deep.include({ alice: { filters: [10500], dashboards: [] } });
        },
        library: sandbox => sandbox.world(),
      },
      {
        what: 'reads a version',
        query: 'at=1',
        status: 200,
        tells: ({ groups, favourites }: { groups: object; favourites: object }) => {
          expect(groups).to.deep.include({ customers: ['alice'] });
          expect(favourites).to.deep.include({ alice: { filters: [], dashboards: [] } });
        },
        library: sandbox => sandbox.world({ at: 1 }),
      },
    ],
    bad: [
      { what: 'a version to come', query: 'at=7', status: 404, says: 'There has been no version 7: 0 to 6 are kept.' },
      {
        what: 'a version that is none',
        query: 'at=now',
        status: 400,
        says: 'at must be a whole number, and it is the text "now".',
      },
      { what: 'a version below 0', query: 'at=-1', status: 400, says: 'at must be' },
      { what: 'two versions', query: 'at=1&at=2', status: 400, says: 'at comes 2 times in the query: give it once.' },
      {
        what: 'a misspelt parameter',
        query: 'ta=1',
        status: 400,
        says: 'There is no query parameter "ta"; there are at.',
      },
    ],
  },
  {
    id: 'patch-world',
    method: 'PATCH',
    path: '/_fake/v1/sandboxes/{s}/world',
    call: 'sandbox.patch(patch)',
    does: 'changes the world by a merge-patch (RFC 7396), all of it or nothing',
    cases: [
      {
        what: 'adds, changes and takes away',
        body: {
          users: { bob: { displayName: 'Bob' } },
          groups: { customers: ['bob'] },
          licence: { ppf: 'expired' },
          dashboards: { 11100: null },
        },
        status: 204,
        library: sandbox =>
          sandbox.patch({
            users: { bob: { displayName: 'Bob' } },
            groups: { customers: ['bob'] },
            licence: { ppf: 'expired' },
            dashboards: { 11100: null },
          }),
        after: {
          'world.users.bob': { displayName: 'Bob', admin: false },
          'world.groups.customers': ['bob'],
          'world.licence': { ppf: 'expired' },
          'world.dashboards': { 11000: { name: 'Team board', owner: 'admin', sharedWith: 'everyone' } },
          '.version': 7,
        },
      },
    ],
    bad: [
      {
        what: 'somebody who is not there',
        body: { groups: { customers: ['alise'] } },
        status: 422,
        says: '/groups/customers/0',
      },
      { what: 'a field that there is not', body: { users: { alice: { admn: true } } }, status: 422, says: '"admin"' },
      { what: 'a collection that there is not', body: { group: {} }, status: 422, says: '"groups"' },
      {
        what: 'a value of another type',
        body: { users: { alice: { admin: 'yes' } } },
        status: 422,
        says: '/users/alice/admin',
      },
      {
        what: 'who is still named elsewhere',
        body: { users: { alice: null } },
        status: 422,
        says: '/groups/jira-core-users/0',
      },
      {
        what: 'one good and one bad change',
        body: { licence: { ppf: 'none' }, spaces: { ds: 1 } },
        status: 422,
        says: '/spaces/ds',
      },
      {
        what: 'several things at once',
        body: { users: { bob: {} }, groups: { customers: ['bob', 'alise'] }, spaces: { ds: { naem: 'x' } } },
        status: 422,
        says: '"alice"',
        pointers: ['/groups/customers/1', '/spaces/ds/naem'],
      },
    ],
  },
  {
    id: 'read-readings',
    method: 'GET',
    path: '/_fake/v1/sandboxes/{s}/readings',
    call: 'sandbox.readings.get()',
    does: 'the readings that count, one for each gap',
    cases: [
      {
        what: 'reads them',
        status: 200,
        tells: (told: object) => {
          expect(told).to.include({ 'unknown-group': '400', 'unknown-user': '404' });
          expect(Object.keys(told)).to.have.members(gapIds);
        },
        library: sandbox => sandbox.readings.get(),
      },
    ],
    bad: [],
  },
  {
    id: 'choose-readings',
    method: 'PUT',
    path: '/_fake/v1/sandboxes/{s}/readings',
    call: 'sandbox.readings.set(readings)',
    does: 'chooses readings, in the place of those chosen before',
    cases: [
      {
        what: 'chooses some in the place of others',
        body: { 'no-change': '409' },
        status: 200,
        tells: (told: object) => expect(told).to.include({ 'no-change': '409', 'unknown-group': '404' }),
        library: sandbox => sandbox.readings.set({ 'no-change': '409' }),
        after: { 'readings.no-change': '409', 'readings.unknown-group': '404', '.readings': { 'no-change': '409' } },
      },
    ],
    bad: [
      {
        what: 'a gap that there is not',
        body: { 'no-chang': '409' },
        status: 400,
        says: 'There is no gap "no-chang" (did you mean "no-change"?).',
      },
      {
        what: 'a reading that there is not',
        body: { 'no-change': '408' },
        status: 400,
        says: 'no-change has no reading "408" (did you mean "409"?): it takes ok, 409.',
      },
      {
        what: 'one good and one bad reading',
        body: { 'no-change': '409', 'unknown-user': 'x' },
        status: 400,
        says: 'unknown-user has no reading "x"',
      },
      {
        what: 'a reading that is a number',
        body: { 'no-change': 409 },
        status: 400,
        says: '/no-change must be text, and it is the number 409.',
      },
    ],
  },
  {
    id: 'read-clock',
    method: 'GET',
    path: '/_fake/v1/sandboxes/{s}/clock',
    call: 'sandbox.clock.now(), .running()',
    does: 'what time it is: `{now, running}`',
    cases: [
      {
        what: 'reads it',
        status: 200,
        tells: { now: '2026-01-05T09:00:00Z', running: false },
        library: clockOf,
      },
    ],
    bad: [],
  },
  {
    id: 'turn-clock',
    method: 'PUT',
    path: '/_fake/v1/sandboxes/{s}/clock',
    call: 'sandbox.clock.set(), .advance(), .freeze(), .run()',
    does: 'turns the clock: one of `set` (with `running?`), `advance`, `freeze`, `run`',
    cases: [
      {
        what: 'sets it',
        body: { set: '2027-01-01T00:00:00Z' },
        status: 200,
        tells: { now: '2027-01-01T00:00:00Z', running: false },
        library: async sandbox => {
          await sandbox.clock.set('2027-01-01T00:00:00Z');
          return clockOf(sandbox);
        },
        after: { clock: { now: '2027-01-01T00:00:00Z', running: false }, '.now': '2027-01-01T00:00:00Z' },
      },
      {
        what: 'lets it go on by a time',
        body: { advance: 'P1DT1H' },
        status: 200,
        tells: { now: '2026-01-06T10:00:00Z', running: false },
        library: async sandbox => {
          await sandbox.clock.advance('P1DT1H');
          return clockOf(sandbox);
        },
        after: { clock: { now: '2026-01-06T10:00:00Z', running: false } },
      },
      {
        what: 'lets it go on by seconds',
        body: { advance: 90.5 },
        status: 200,
        tells: { now: '2026-01-05T09:01:30.500Z', running: false },
        library: async sandbox => {
          await sandbox.clock.advance(90.5);
          return clockOf(sandbox);
        },
        after: { clock: { now: '2026-01-05T09:01:30.500Z', running: false } },
      },
      {
        what: 'sets it, and lets it run from there',
        body: { set: '2031-01-01T00:00:00Z', running: true },
        status: 200,
        tells: ({ now, running }: { now: string; running: boolean }) => {
          expect(running).to.equal(true);
          expect(now).to.match(/^2031-01-01T00:0/);
        },
        library: async sandbox => {
          await sandbox.clock.set('2031-01-01T00:00:00Z', { running: true });
          return clockOf(sandbox);
        },
        after: { 'clock.running': true },
        varies: /"(now|from|runs|clock)":("[^"]+"|\{[^}]*\})/g,
      },
      {
        what: 'lets it run',
        body: { run: true },
        status: 200,
        tells: ({ now, running }: { now: string; running: boolean }) => {
          expect(running).to.equal(true);
          expect(now).to.match(/^2026-01-05T09:0/);
        },
        library: async sandbox => {
          await sandbox.clock.run();
          return clockOf(sandbox);
        },
        after: { 'clock.running': true },
        varies: /"(now|from|runs|clock)":("[^"]+"|\{[^}]*\})/g,
      },
      {
        what: 'freezes it where it stands',
        prepare: sandbox => sandbox.clock.run(),
        body: { freeze: true },
        status: 200,
        tells: ({ now, running }: { now: string; running: boolean }) => {
          expect(running).to.equal(false);
          expect(now).to.match(/^2026-01-05T09:0/);
        },
        library: async sandbox => {
          await sandbox.clock.freeze();
          return clockOf(sandbox);
        },
        after: { 'clock.running': false },
        varies: /"(now|clock)":("[^"]+"|\{[^}]*\})/g,
      },
    ],
    bad: [
      {
        what: 'no order',
        body: {},
        status: 422,
        says: 'It takes exactly one of set, advance, freeze, run, and there is none of them.',
      },
      {
        what: 'two orders',
        body: { freeze: true, advance: 1 },
        status: 422,
        says: 'It takes exactly one of set, advance, freeze, run, and there are advance and freeze.',
      },
      { what: 'an order that there is not', body: { stop: true }, status: 400, says: 'The body' },
      {
        what: 'a misspelt order',
        body: { freze: true },
        status: 400,
        says: 'The body has an unknown field "freze" (did you mean "freeze"?).',
      },
      {
        what: 'running without a time',
        body: { run: true, running: true },
        status: 422,
        says: '/running running belongs to set: run and freeze need none.',
      },
      {
        what: 'a time in words',
        body: { set: 'noon' },
        status: 400,
        says: '/set must be an instant in UTC, such as 2026-01-05T09:00:00Z, and it is the text "noon".',
      },
      {
        what: 'no day of the calendar',
        body: { set: '2026-02-30T00:00:00Z' },
        status: 422,
        says: '/set 2026-02-30 is no day of the calendar.',
      },
      {
        what: 'a duration that is none',
        body: { advance: '1h' },
        status: 400,
        says: '/advance must be seconds from 0, or an ISO 8601 duration such as PT1H or P1DT12H, and it is the text "1h".',
      },
      {
        what: 'a duration below 0',
        body: { advance: -1 },
        status: 400,
        says: '/advance must be >= 0, and it is the number -1.',
      },
      {
        what: 'a duration that is null',
        body: { advance: null },
        status: 400,
        says: '/advance must be a number or text, and it is null.',
      },
      {
        what: 'a year beyond all clocks',
        body: { advance: 'P9999Y' },
        status: 422,
        says: 'The clock would leave the years 0000 to 9999.',
      },
      { what: 'a time beyond all clocks', body: { advance: 1e300 }, status: 422, says: 'clock' },
      {
        what: 'to freeze by halves',
        body: { freeze: false },
        status: 400,
        says: '/freeze must be one of true, and it is false.',
      },
    ],
  },
  {
    id: 'read-faults',
    method: 'GET',
    path: '/_fake/v1/sandboxes/{s}/faults',
    call: 'sandbox.faults.list()',
    does: 'the armed faults, with how often each was met and has fired',
    cases: [
      {
        what: 'reads them with their counts',
        status: 200,
        tells: { faults: [armed] },
        library: async sandbox => ({ faults: await sandbox.faults.list() }),
      },
    ],
    bad: [],
  },
  {
    id: 'arm-faults',
    method: 'PUT',
    path: '/_fake/v1/sandboxes/{s}/faults',
    call: 'sandbox.faults.set(faults, { besides? })',
    does: 'arms faults `{faults, besides?}`, in the place of those that are armed or besides them',
    cases: [
      {
        what: 'arms them in the place of others',
        body: { faults: [push503] },
        status: 200,
        tells: { faults: [{ ...push503, ...unmet }] },
        library: async sandbox => {
          await sandbox.faults.set([push503]);
          return { faults: await sandbox.faults.list() };
        },
        after: {
          'faults.faults': [{ ...push503, ...unmet }],
          'world.groups.customers': ['alice'],
          'readings.unknown-group': '400',
          'journal.entries.length': 4,
        },
      },
      {
        what: 'arms each with all its parts, in order',
        body: { faults: many },
        status: 200,
        tells: { faults: many.map(fault => ({ ...fault, ...unmet })) },
        library: async sandbox => {
          await sandbox.faults.set(many);
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': many.map(fault => ({ ...fault, ...unmet })) },
      },
      {
        what: 'arms none in the place of others',
        body: { faults: [] },
        status: 200,
        tells: { faults: [] },
        library: async sandbox => {
          await sandbox.faults.set([]);
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': [] },
      },
      {
        what: 'arms them besides others, whose counts go on',
        body: { faults: [push503], besides: true },
        status: 200,
        tells: { faults: [armed, { ...push503, ...unmet }] },
        library: async sandbox => {
          await sandbox.faults.set([push503], { besides: true });
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': [armed, { ...push503, ...unmet }] },
      },
    ],
    bad: [
      {
        what: 'an operation that there is not',
        body: { faults: [{ ...push503, operation: 'ppf.psh' }] },
        status: 400,
        says: '(did you mean "ppf.push"?)',
      },
      {
        what: 'a caller who is not there',
        body: { faults: [{ ...push503, caller: 'alise' }] },
        status: 422,
        says: '/faults/0/caller There is no user "alise" (did you mean "alice"?): there are',
      },
      {
        what: 'an effect that there is not',
        body: { faults: [{ ...push503, effect: { statuss: 503 } }] },
        status: 400,
        says: '(did you mean "status"?)',
      },
      {
        what: 'no effect',
        body: { faults: [{ operation: 'ppf.push' }] },
        status: 400,
        says: '/faults/0 lacks the field "effect"',
      },
      {
        what: 'a status that is none',
        body: { faults: [{ ...push503, effect: { status: 99 } }] },
        status: 400,
        says: '/faults/0/effect/status',
      },
      {
        what: 'faults that are no list',
        body: { faults: push503 },
        status: 400,
        says: '/faults must be a list, and it is an object.',
      },
      {
        what: 'a fault that is a number',
        body: { faults: [7] },
        status: 400,
        says: '/faults/0 must be an object, and it is the number 7.',
      },
      {
        what: 'one good fault and one of an unknown operation',
        body: { faults: [push503, { operation: 'ppf.psh', effect: { hangUp: true } }] },
        status: 400,
        says: '/faults/1/operation must be one of',
      },
      {
        what: 'an empty effect',
        body: { faults: [{ operation: 'ppf.push', effect: {} }] },
        status: 400,
        says: '/faults/0/effect',
      },
      {
        what: 'neither operation nor path',
        body: { faults: [{ effect: { hangUp: true } }] },
        status: 400,
        says: '/faults/0 must have an operation or a path',
      },
      {
        what: 'a path without its slash',
        body: { faults: [{ path: 'rest', effect: { hangUp: true } }] },
        status: 400,
        says: '/faults/0/path must be a path',
      },
      {
        what: 'hanging up by halves',
        body: { faults: [{ operation: 'ppf.push', effect: { hangUp: false } }] },
        status: 400,
        says: '/faults/0/effect/hangUp',
      },
      {
        what: 'when, twice',
        body: { faults: [{ ...push503, when: { nth: 1, every: 2 } }] },
        status: 400,
        says: '/faults/0/when must be one of nth, every, first',
      },
      { what: 'never', body: { faults: [{ ...push503, when: { nth: 0 } }] }, status: 400, says: '/faults/0/when' },
      {
        what: 'a chance above certainty',
        body: { faults: [{ ...push503, when: { chance: 1.1 } }] },
        status: 400,
        says: '/faults/0/when',
      },
      {
        what: 'a phase that there is not',
        body: { faults: [{ ...push503, phase: 'during' }] },
        status: 400,
        says: '/faults/0/phase must be',
      },
      {
        what: 'an end on no day',
        body: { faults: [{ ...push503, until: '2026-02-30T00:00:00Z' }] },
        status: 422,
        says: '/faults/0/until 2026-02-30 is no day of the calendar.',
      },
      { what: 'besides that is neither', body: { faults: [], besides: 'yes' }, status: 400, says: '/besides must be' },
      { what: 'no faults', body: {}, status: 400, says: 'The body lacks the field "faults"' },
      { what: 'a misspelt field', body: { fault: [] }, status: 400, says: '(did you mean "faults"?)' },
    ],
  },
  {
    id: 'clear-faults',
    method: 'DELETE',
    path: '/_fake/v1/sandboxes/{s}/faults',
    call: 'sandbox.faults.clear()',
    does: 'takes all faults away',
    cases: [
      {
        what: 'takes them away',
        status: 200,
        tells: { faults: [] },
        library: async sandbox => {
          await sandbox.faults.clear();
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': [] },
      },
    ],
    bad: [],
  },
];
