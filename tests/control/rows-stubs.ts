// The rows about the stubs of a sandbox.
import type { Sandbox, Stub } from '../../server/index.js';
import { type Row, row } from './row.js';

const hooks: Stub = { method: 'GET', path: '/rest/webhooks/1.0', body: [] };
/** A stub with every part. */
const whole: Stub = {
  path: '/rest/*/2/issue',
  method: 'POST',
  caller: 'alice',
  match: { query: { kind: { $match: '^a' } }, headers: { 'X-A': 'b' }, body: { $contains: { user: 'alice' } } },
  when: { chance: 0.5, seed: 7 },
  times: 3,
  until: '2026-01-05T10:00:00Z',
  status: 201,
  headers: { 'X-A': 'b' },
  body: { odd: null },
  delay: [10, 20],
};
/** What they leave alone. */
const others = { 'faults.faults.length': 1, 'world.groups.customers': ['alice'], 'journal.entries.length': 4 };
const unmet = { matched: 0, fired: 0 };

const setting = (stubs: readonly Stub[], options?: { readonly append: true }) => async (sandbox: Sandbox) => {
  await sandbox.stubs.set(stubs, options);
  return { stubs: await sandbox.stubs.list() };
};

export const stubRows: readonly Row[] = [
  row('stubs.list', 'GET /_fake/v1/sandboxes/{s}/stubs', {
    cases: [
      {
        what: 'reads them with their counts',
        prepare: async sandbox => {
          await sandbox.stubs.set([hooks]);
          await sandbox.fetch('/rest/webhooks/1.0');
        },
        tells: { stubs: [{ ...hooks, matched: 1, fired: 1 }] },
        library: async sandbox => ({ stubs: await sandbox.stubs.list() }),
      },
    ],
  }),
  row('stubs.set', 'PUT /_fake/v1/sandboxes/{s}/stubs', {
    cases: [
      {
        what: 'sets each with all its parts, in order',
        body: { stubs: [whole, hooks] },
        tells: { stubs: [whole, hooks].map(stub => ({ ...stub, ...unmet })) },
        library: setting([whole, hooks]),
        after: others,
      },
      {
        what: 'appends them',
        prepare: sandbox => sandbox.stubs.set([whole]),
        body: { stubs: [hooks], append: true },
        tells: { stubs: [whole, hooks].map(stub => ({ ...stub, ...unmet })) },
        library: setting([hooks], { append: true }),
        after: others,
      },
    ],
    bad: [
      { what: 'a path of the fake', body: { stubs: [{ path: '/rest/api/space' }] }, status: 422, says: 'use a fault' },
      { what: 'a missing path', body: { stubs: [{ body: 1 }] }, says: '/stubs/0 is missing the field "path"' },
    ],
  }),
  row('stubs.clear', 'DELETE /_fake/v1/sandboxes/{s}/stubs', {
    cases: [
      {
        what: 'clears one',
        prepare: sandbox => sandbox.stubs.set([whole, hooks]),
        query: 'number=1',
        tells: { stubs: [{ ...hooks, ...unmet }] },
        library: async sandbox => {
          await sandbox.stubs.clear(1);
          return { stubs: await sandbox.stubs.list() };
        },
        after: others,
      },
    ],
    bad: [{ what: 'an unknown number', query: 'number=2', status: 404, says: 'has no stub with the number 2.' }],
  }),
];
