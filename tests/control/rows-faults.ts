// The rows about the faults of a sandbox.
import type { Fault } from '../../server/index.js';
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
  { hold: 'a.b-C_1' },
  { rateLimit: { limit: 1, window: 31_536_000 } },
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
/** Faults of every kind, in their order. */
const many: readonly Fault[] = [whole, push503, ...effects.map(effect => ({ operation: 'ppf.push', effect }) as const)];

export const faultRows: readonly Row[] = [
  {
    id: 'faults.list',
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
    id: 'faults.set',
    method: 'PUT',
    path: '/_fake/v1/sandboxes/{s}/faults',
    call: 'sandbox.faults.set(faults, { append? })',
    does: 'arms faults `{faults, append?}`, in the place of those that are armed or after them',
    cases: [
      {
        what: 'replaces the armed faults',
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
        what: 'replaces the armed faults by none',
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
        what: 'appends them to others, whose counts go on',
        body: { faults: [push503], append: true },
        status: 200,
        tells: { faults: [armed, { ...push503, ...unmet }] },
        library: async sandbox => {
          await sandbox.faults.set([push503], { append: true });
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': [armed, { ...push503, ...unmet }] },
      },
    ],
    bad: [
      {
        what: 'a switch that is a text, and an unknown caller',
        body: { faults: [{ ...push503, caller: 'alise' }], append: 'yes' },
        status: 400,
        says: 'There is no user "alise"',
        pointers: ['/append', '/faults/0/caller'],
      },
      {
        what: 'an unknown operation',
        body: { faults: [{ ...push503, operation: 'ppf.psh' }] },
        status: 400,
        says: '(did you mean "ppf.push"?)',
      },
      {
        what: 'an unknown caller',
        body: { faults: [{ ...push503, caller: 'alise' }] },
        status: 422,
        says: '/faults/0/caller There is no user "alise" (did you mean "alice"?): there are',
      },
      {
        what: 'an unknown effect',
        body: { faults: [{ ...push503, effect: { statuss: 503 } }] },
        status: 400,
        says: '(did you mean "status"?)',
      },
      {
        what: 'a missing effect',
        body: { faults: [{ operation: 'ppf.push' }] },
        status: 400,
        says: '/faults/0 lacks the field "effect"',
      },
      {
        what: 'an invalid status',
        body: { faults: [{ ...push503, effect: { status: 99 } }] },
        status: 400,
        says: '/faults/0/effect/status',
      },
      {
        what: 'faults that are not a list',
        body: { faults: push503 },
        status: 400,
        says: '/faults must be a list, not an object.',
      },
      {
        what: 'a fault that is a number',
        body: { faults: [7] },
        status: 400,
        says: '/faults/0 must be an object, not the number 7.',
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
        what: 'an invalid hangUp',
        body: { faults: [{ operation: 'ppf.push', effect: { hangUp: false } }] },
        status: 400,
        says: '/faults/0/effect/hangUp',
      },
      {
        what: 'two triggers',
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
        what: 'an unknown phase',
        body: { faults: [{ ...push503, phase: 'during' }] },
        status: 400,
        says: '/faults/0/phase must be',
      },
      {
        what: 'an end on an impossible day',
        body: { faults: [{ ...push503, until: '2026-02-30T00:00:00Z' }] },
        status: 422,
        says: '/faults/0/until 2026-02-30 is not a valid date.',
      },
      {
        what: 'an invalid name of a hold',
        body: { faults: [{ ...push503, effect: { hold: 'a b' } }] },
        status: 400,
        says: '/faults/0/effect/hold',
      },
      {
        what: 'a rate limit without a window',
        body: { faults: [{ operation: 'ppf.push', effect: { rateLimit: { limit: 1 } } }] },
        status: 400,
        says: '/faults/0/effect/rateLimit lacks the field "window"',
      },
      { what: 'an invalid append', body: { faults: [], append: 'yes' }, status: 400, says: '/append must be' },
      { what: 'missing faults', body: {}, status: 400, says: 'The body lacks the field "faults"' },
      { what: 'a misspelt field', body: { fault: [] }, status: 400, says: '(did you mean "faults"?)' },
    ],
  },
  {
    id: 'faults.clear',
    method: 'DELETE',
    path: '/_fake/v1/sandboxes/{s}/faults',
    call: 'sandbox.faults.clear(number?)',
    does: 'clears all faults, or the one with this number `?number=`',
    cases: [
      {
        what: 'clears them',
        status: 200,
        tells: { faults: [] },
        library: async sandbox => {
          await sandbox.faults.clear();
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': [] },
      },
      {
        what: 'clears one',
        query: 'number=1',
        status: 200,
        tells: { faults: [] },
        library: async sandbox => {
          await sandbox.faults.clear(1);
          return { faults: await sandbox.faults.list() };
        },
        after: { 'faults.faults': [] },
      },
    ],
    bad: [
      { what: 'an unknown number', query: 'number=2', status: 404, says: 'There is no fault with the number 2.' },
      { what: 'no number', query: 'number=all', status: 400, says: 'number must be a whole number' },
    ],
  },
  {
    id: 'faults.release',
    method: 'POST',
    path: '/_fake/v1/sandboxes/{s}/faults/release',
    call: 'sandbox.faults.release(hold)',
    does: 'releases the responses that a fault holds `{hold}`',
    cases: [
      {
        what: 'releases none if none waits',
        prepare: sandbox => sandbox.faults.set([{ operation: 'ppf.push', effect: { hold: 'spinner' } }]),
        body: { hold: 'spinner' },
        status: 200,
        tells: { released: 0 },
        library: async sandbox => ({ released: await sandbox.faults.release('spinner') }),
      },
    ],
    bad: [
      { what: 'an unknown hold', body: { hold: 'spinner' }, status: 404, says: 'There is no hold "spinner".' },
      { what: 'an invalid name', body: { hold: '' }, status: 400, says: '/hold' },
      { what: 'a missing name', body: {}, status: 400, says: 'The body lacks the field "hold"' },
    ],
  },
];
