// The rows about sandboxes themselves: list, create, describe, replace, drop, reset, fork.
import { expect } from 'chai';
import { profiles } from '../../server/operations/gaps/profiles.js';
import { CLOCK } from './lived-in.js';
import { type Bad, future, outside, type Row, row } from './row.js';

const creation = {
  scenario: 'unlicensed',
  profile: 'strict',
  readings: { 'unknown-user': '400' },
  clock: '2026-02-03T04:05:06Z',
  seed: 7,
  ttl: 60,
} as const;
const made = {
  name: 'S',
  scenario: 'unlicensed',
  profile: 'strict',
  version: 0,
  oldest: 0,
  now: '2026-02-03T04:05:06Z',
  readings: { ...profiles.strict.readings, 'unknown-user': '400' },
  seed: 7,
  url: '/~S',
  journal: { entries: 0, bytes: 0, evicted: 0 },
  idle: 0,
  ttl: 60,
};
const afterwards = {
  'world.licence': { ppf: 'expired' },
  'readings.unknown-user': '400',
  'readings.wiki-auth': 'admin',
  clock: { now: '2026-02-03T04:05:06Z', running: false },
  'faults.faults': [],
  'snapshots.snapshots': [],
  'journal.entries': [],
};

const wrongCreations: readonly Bad[] = [
  {
    what: 'schema errors and unknown names',
    body: {
      scenario: 'unlicenced',
      profile: 'strct',
      readings: { 'unknown-usr': '400', 'unknown-user': 404, 'no-change': '408' },
      clock: '2026-02-30T09:00:00Z',
      seed: -1,
      tll: 60,
    },
    says: '(did you mean "unlicensed"?)',
    pointers: [
      '',
      '/profile',
      '/readings/unknown-user',
      '/seed',
      '/readings/unknown-usr',
      '/readings/no-change',
      '/clock',
      '/scenario',
    ],
  },
  {
    what: 'a query, and an unknown scenario',
    query: 'zzz=1',
    body: { scenario: 'unlicenced', seed: -1 },
    says: 'parameter "zzz": no query parameters are allowed.\n/seed must be at least 0, not -1.\n/scenario: ',
  },
  { what: 'a name and a text', body: { scenario: 'unlicensed', text: 'title: 1' }, says: 'both scenario and text' },
  { what: 'an unknown scenario', body: { scenario: 'unlicenced' }, says: '(did you mean "unlicensed"?)' },
  outside,
];

export const sandboxRows: readonly Row[] = [
  row('sandboxes.list', 'GET /_fake/v1/sandboxes', {
    cases: [
      {
        what: 'lists them',
        tells: ({ sandboxes }: { sandboxes: { name: string; version: number; url: string }[] }) => {
          const found = sandboxes.filter(({ name }) => name === 'S' || name === 'default');
          expect(found.map(({ name, version, url }) => [name, version, url])).to.have.deep.members([
            ['default', 0, '/'],
            ['S', 6, '/~S'],
          ]);
        },
        library: async (_, fake) => ({ sandboxes: await fake.sandboxes() }),
        varies: /.+/gs, // those of other cases are in it
      },
    ],
  }),
  row('sandboxes.create', 'POST /_fake/v1/sandboxes', {
    cases: [
      {
        what: 'creates one with every option',
        isFresh: true,
        body: { name: 'S', ...creation },
        status: 201,
        tells: made,
        library: async ({ name }, fake) => fake.sandbox(name, creation).describe(),
        after: afterwards,
      },
    ],
    bad: [
      ...wrongCreations,
      { what: 'a name that is taken', body: { name: 'S' }, status: 409, says: 'already exists: drop or replace it' },
    ],
  }),
  row('sandboxes.describe', 'GET /_fake/v1/sandboxes/{s}', {
    cases: [
      {
        what: 'describes it',
        tells: ({ journal, ...rest }: { journal: { entries: number; bytes: number } }) => {
          expect(journal).to.include({ entries: 4, evicted: 0 });
          expect(journal.bytes).to.be.above(1000);
          expect(rest).to.deep.equal({
            name: 'S',
            scenario: 'small-team',
            profile: 'lenient',
            version: 6,
            oldest: 0,
            now: CLOCK,
            readings: { 'unknown-group': '400' },
            seed: 0,
            url: '/~S',
            idle: 0,
            ttl: 3600,
          });
        },
        library: sandbox => sandbox.describe(),
      },
    ],
  }),
  row('sandboxes.replace', 'PUT /_fake/v1/sandboxes/{s}', {
    cases: [
      {
        what: 'replaces one',
        body: creation,
        status: 201,
        tells: made,
        library: async ({ name }, fake) => fake.sandbox(name, creation).describe(),
        after: afterwards,
      },
      {
        what: "creates one from the server's scenario if there is none",
        isFresh: true,
        status: 201,
        tells: (response: object) =>
          expect(response).to.include({ name: 'S', scenario: 'small-team', version: 0, ttl: 3600 }),
        library: async ({ name }, fake) => fake.sandbox(name, {}).describe(),
        after: { 'world.licence': { ppf: 'valid' }, 'clock.running': true },
        varies: /"now":"[^"]+"/g,
      },
    ],
    bad: [
      ...wrongCreations,
      { what: 'a name in the body', body: { name: 'other' }, says: 'The body has an unknown field "name"' },
    ],
  }),
  row('sandboxes.drop', 'DELETE /_fake/v1/sandboxes/{s}', {
    cases: [{ what: 'drops it', status: 204, library: sandbox => sandbox.drop(), after: 'gone' }],
  }),
  row('sandboxes.reset', 'POST /_fake/v1/sandboxes/{s}/reset', {
    cases: [
      {
        what: 'resets to its scenario',
        prepare: sandbox => sandbox.clock.advance('P1D'),
        status: 204,
        library: sandbox => sandbox.reset(),
        after: {
          'world.groups.customers': [],
          'world.favourites.alice.filters': [],
          'readings.unknown-group': '404',
          clock: { now: CLOCK, running: false },
          'faults.faults': [],
          'snapshots.snapshots[0].name': 'before',
          'journal.entries': [],
        },
      },
    ],
    bad: [{ what: 'a field for an action without any', body: { to: 3 }, says: 'The body has an unknown field "to"' }],
  }),
  row('sandboxes.fork', 'POST /_fake/v1/sandboxes/{s}/fork', {
    cases: [
      {
        what: 'forks its current state',
        body: { name: 'S-fork' },
        status: 201,
        tells: (response: object) =>
          expect(response).to.deep.include({
            name: 'S-fork',
            version: 0,
            readings: { 'unknown-group': '400' },
            now: CLOCK,
          }),
        library: async sandbox => (await sandbox.fork(`${sandbox.name}-fork`)).describe(),
        after: {
          'snapshots.snapshots[0].name': 'before',
          '-fork.world.groups.customers': ['alice'],
          '-fork.readings.unknown-group': '400',
          '-fork.faults.faults[0].fired': 1,
          '-fork.snapshots.snapshots': [],
          '-fork.journal.entries': [],
        },
      },
      {
        what: 'forks a version',
        body: { name: 'S-fork', at: 0 },
        status: 201,
        tells: (response: object) => expect(response).to.deep.include({ name: 'S-fork', version: 0, readings: {} }),
        library: async sandbox => (await sandbox.fork(`${sandbox.name}-fork`, { at: 0 })).describe(),
        after: { '-fork.world.groups.customers': [], '-fork.faults.faults': [], 'world.groups.customers': ['alice'] },
      },
    ],
    bad: [
      { what: 'an empty name, a version -1', body: { name: '', at: -1 }, says: '/name', pointers: ['/name', '/at'] },
      { what: 'its own name', body: { name: 'S' }, status: 409, says: 'The sandbox "S" already exists' },
      { what: 'the name of another', body: { name: 'default', at: 0 }, status: 409, says: '"default" already exists' },
      future({ body: { at: 7 } }),
    ],
  }),
];
