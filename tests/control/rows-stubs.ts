// The rows about the stubs of a sandbox.
import type { Stub } from '../../server/index.js';
import type { Row } from './row.js';

const hooks: Stub = { method: 'GET', path: '/rest/webhooks/1.0', body: [] };
/** A stub with every part. */
const whole: Stub = {
  path: '/rest/*/2/issue',
  method: 'POST',
  caller: 'alice',
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
const unmet = { met: 0, fired: 0 };

export const stubRows: readonly Row[] = [
  {
    id: 'stubs.list',
    method: 'GET',
    path: '/_fake/v1/sandboxes/{s}/stubs',
    call: 'sandbox.stubs.list()',
    does: 'the stubs, with how often each was met and has answered',
    cases: [
      {
        what: 'reads them with their counts',
        prepare: async sandbox => {
          await sandbox.stubs.set([hooks]);
          await sandbox.fetch('/rest/webhooks/1.0');
        },
        status: 200,
        tells: { stubs: [{ ...hooks, met: 1, fired: 1 }] },
        library: async sandbox => ({ stubs: await sandbox.stubs.list() }),
      },
    ],
    bad: [],
  },
  {
    id: 'stubs.set',
    method: 'PUT',
    path: '/_fake/v1/sandboxes/{s}/stubs',
    call: 'sandbox.stubs.set(stubs, { append? })',
    does: 'sets stubs `{stubs, append?}`, in the place of the present ones or after them',
    cases: [
      {
        what: 'sets each with all its parts, in order',
        body: { stubs: [whole, hooks] },
        status: 200,
        tells: { stubs: [whole, hooks].map(stub => ({ ...stub, ...unmet })) },
        library: async sandbox => {
          await sandbox.stubs.set([whole, hooks]);
          return { stubs: await sandbox.stubs.list() };
        },
        after: others,
      },
      {
        what: 'appends them',
        prepare: sandbox => sandbox.stubs.set([whole]),
        body: { stubs: [hooks], append: true },
        status: 200,
        tells: { stubs: [whole, hooks].map(stub => ({ ...stub, ...unmet })) },
        library: async sandbox => {
          await sandbox.stubs.set([hooks], { append: true });
          return { stubs: await sandbox.stubs.list() };
        },
        after: others,
      },
    ],
    bad: [
      { what: 'a path of the fake', body: { stubs: [{ path: '/rest/api/space' }] }, status: 422, says: 'use a fault' },
      { what: 'a missing path', body: { stubs: [{ body: 1 }] }, status: 400, says: '/stubs/0 lacks the field "path"' },
      { what: 'a misspelt field', body: { stubs: [{ ...hooks, statuss: 1 }] }, status: 400, says: '"status"' },
      { what: 'missing stubs', body: {}, status: 400, says: 'The body lacks the field "stubs"' },
    ],
  },
  {
    id: 'stubs.clear',
    method: 'DELETE',
    path: '/_fake/v1/sandboxes/{s}/stubs',
    call: 'sandbox.stubs.clear(number?)',
    does: 'clears all stubs, or the one with this number `?number=`',
    cases: [
      {
        what: 'clears one',
        prepare: sandbox => sandbox.stubs.set([whole, hooks]),
        query: 'number=1',
        status: 200,
        tells: { stubs: [{ ...hooks, ...unmet }] },
        library: async sandbox => {
          await sandbox.stubs.clear(1);
          return { stubs: await sandbox.stubs.list() };
        },
        after: others,
      },
    ],
    bad: [
      { what: 'an unknown number', query: 'number=2', status: 404, says: 'There is no stub with the number 2.' },
      { what: 'no number', query: 'number=all', status: 400, says: 'number must be a whole number' },
    ],
  },
];
