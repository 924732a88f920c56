// The rows about the past of a sandbox: snapshots, rewind, diff, recording.
import { expect } from 'chai';
import type { Sandbox } from '../../server/index.js';
import { CLOCK } from './lived-in.js';
import { future, type Row, row } from './row.js';

const before = { name: 'before', version: 1, at: CLOCK };
const asThen = {
  'world.groups.customers': ['alice'],
  'world.favourites.alice.filters': [],
  'readings.unknown-group': '404',
  'faults.faults': [],
  'journal.entries.length': 4,
  '.version': 7,
};

const after = (travel: (sandbox: Sandbox) => Promise<unknown>) => async (sandbox: Sandbox) => {
  await travel(sandbox);
  return { version: await sandbox.version() };
};

export const travelRows: readonly Row[] = [
  row('snapshots.list', 'GET /_fake/v1/sandboxes/{s}/snapshots', {
    cases: [
      {
        what: 'lists them',
        prepare: sandbox => sandbox.snapshot('later'),
        tells: { snapshots: [before, { name: 'later', version: 6, at: CLOCK }] },
        library: async sandbox => ({ snapshots: await sandbox.snapshots() }),
      },
    ],
  }),
  row('snapshots.keep', 'POST /_fake/v1/sandboxes/{s}/snapshots', {
    cases: [
      {
        what: 'keeps the current state',
        body: { name: 'now' },
        status: 201,
        tells: { name: 'now', version: 6, at: CLOCK },
        library: sandbox => sandbox.snapshot('now'),
        after: { 'snapshots.snapshots[1]': { name: 'now', version: 6, at: CLOCK } },
      },
      {
        what: 'replaces one',
        body: { name: 'before', replace: true },
        status: 201,
        tells: { name: 'before', version: 6, at: CLOCK },
        library: sandbox => sandbox.snapshot('before', { replace: true }),
        after: { 'snapshots.snapshots': [{ name: 'before', version: 6, at: CLOCK }] },
      },
    ],
    bad: [
      { what: 'a name that is taken', body: { name: 'before' }, status: 409, says: '"before" already exists: drop it' },
      ...['.', '..', 'a/b', '', 'a'.repeat(65)].map(name => ({
        what: `the name ${name.slice(0, 5)}`,
        body: { name },
        says: `/name must ${/^[.]+$/.test(name) ? 'not be "." or ".."' : 'be 1 to 64 letters'}`,
      })),
    ],
  }),
  row('snapshots.restore', 'POST /_fake/v1/sandboxes/{s}/snapshots/{name}/restore', {
    cases: [
      {
        what: 'restores it',
        params: { name: 'before' },
        tells: { version: 7 },
        library: after(sandbox => sandbox.restore('before')),
        after: asThen,
      },
    ],
    bad: [{ what: 'an unknown snapshot', params: { name: 'befor' }, status: 404, says: '(did you mean "before"?)' }],
  }),
  row('snapshots.drop', 'DELETE /_fake/v1/sandboxes/{s}/snapshots/{name}', {
    cases: [
      {
        what: 'drops it',
        params: { name: 'before' },
        status: 204,
        library: sandbox => sandbox.dropSnapshot('before'),
        after: { 'snapshots.snapshots': [], 'world.favourites.alice.filters': [10500] },
      },
    ],
    bad: [{ what: 'an unknown snapshot', params: { name: 'befor' }, status: 404, says: '(did you mean "before"?)' }],
  }),
  row('sandboxes.rewind', 'POST /_fake/v1/sandboxes/{s}/rewind', {
    cases: [
      {
        what: 'rewinds to a version',
        body: { to: 1 },
        tells: { version: 7 },
        library: after(sandbox => sandbox.rewind(1)),
        after: { ...asThen, 'snapshots.snapshots': [before] },
      },
      {
        what: 'rewinds forward again',
        prepare: sandbox => sandbox.rewind(0),
        body: { to: 1 },
        tells: { version: 8 },
        library: after(sandbox => sandbox.rewind(1)),
        after: { ...asThen, '.version': 8, '.oldest': 0 },
      },
    ],
    bad: [
      future({ body: { to: 7 } }),
      { what: 'a version by name', body: { to: 'before' }, says: '/to must be a whole number, not "before".' },
    ],
  }),
  row('sandboxes.diff', 'GET /_fake/v1/sandboxes/{s}/diff', {
    cases: [
      {
        what: 'from the oldest to the current one',
        tells: ({ changes: _, ...diff }: { changes: unknown }) =>
          expect(diff).to.deep.equal({
            from: 0,
            to: 6,
            patch: { groups: { customers: ['alice'] }, favourites: { alice: { filters: [10500] } } },
          }),
        library: sandbox => sandbox.diff(),
      },
      {
        what: 'between two versions',
        query: 'from=3&to=1',
        tells: {
          from: 3,
          to: 1,
          patch: { favourites: { alice: { filters: [] } } },
          changes: [
            { version: 2, type: 'snapshot-kept', name: 'before', of: 1, at: CLOCK },
            { version: 3, type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] },
          ],
        },
        library: sandbox => sandbox.diff(3, 1),
      },
      {
        what: 'without the records beyond a limit',
        query: 'from=0&to=6&limit=0',
        tells: (diff: object) => expect(diff).to.deep.include({ patch: {}, more: 2 }),
        library: sandbox => sandbox.diff(0, 6, 0),
      },
    ],
    bad: [
      future({ query: 'to=7' }),
      { what: 'a version by name', query: 'from=before', says: 'The parameter "from" must be a whole number' },
    ],
  }),
  row('record.read', 'GET /_fake/v1/sandboxes/{s}/recording', {
    cases: [
      {
        what: 'records it',
        tells: ({ text, leftOut }: { text: string; leftOut: object[] }) => {
          expect(text.match(/^ {2}- say: .Entry \d/gm)).to.have.lengthOf(4 - leftOut.length);
        },
        library: async sandbox => ({ text: await sandbox.record(), leftOut: [] }),
      },
    ],
    bad: [
      { what: 'entries that there are not', query: 'from=9', status: 404, says: 'contains only entries 1 to ' },
      { what: 'an entry that is no number', query: 'from=first', says: 'The parameter "from" must be a whole number' },
    ],
  }),
];
