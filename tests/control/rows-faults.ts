// The rows about the faults of a sandbox.
import type { Fault, Sandbox } from '../../server/index.js';
import { effects } from '../support/worlds/effects.js';
import { faults } from './lived-in.js';
import { type Row, row } from './row.js';

const push503 = {
  operation: 'ppf.push',
  caller: 'alice',
  when: { first: 2 },
  effect: { status: 503, retryAfter: 1 },
} as const;
const alise = { ...push503, caller: 'alise' };
const never = { ...push503, until: '2026-02-30T00:00:00Z' };
const armed = { ...faults[0], matched: 1, fired: 1 };
const unmet = { matched: 0, fired: 0 };
/** A fault with every part. */
const whole = {
  path: '/rest/*/latest/push',
  match: { query: { kind: 'a' }, headers: { 'X-A': { $any: 'value' } }, body: { $contains: ['b'] } },
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
/** Faults of every kind, in their order. */
const many: readonly Fault[] = [
  whole,
  push503,
  { effect: { status: 503 } },
  ...effects.map(effect => ({ operation: 'ppf.push', effect }) as const),
];

/** Each with the place of its error. */
const invalid: ReadonlyArray<readonly [fault: unknown, place: string]> = [
  [{ ...push503, operation: 'ppf.psh' }, '/operation'],
  [{ match: {}, effect: { hangUp: true } }, '/match'],
  [{ operation: 'ppf.push' }, ''],
  [{ ...push503, effect: {} }, '/effect'],
  [{ ...push503, effect: { status: 99 } }, '/effect/status'],
  [{ ...push503, effect: { hold: 'a b' } }, '/effect/hold'],
  [{ ...push503, effect: { rateLimit: { limit: 1 } } }, '/effect/rateLimit'],
  [{ ...push503, when: { nth: 1, every: 2 } }, '/when'],
  [{ ...push503, phase: 'during' }, '/phase'],
];

const listed = async (sandbox: Sandbox) => ({ faults: await sandbox.faults.list() });
const clearing = (number?: number) => (sandbox: Sandbox) => sandbox.faults.clear(number).then(() => listed(sandbox));
const setting = (faults: readonly Fault[], options?: { readonly append: true }) => async (sandbox: Sandbox) => {
  await sandbox.faults.set(faults, options);
  return listed(sandbox);
};

export const faultRows: readonly Row[] = [
  row('faults.list', 'GET /_fake/v1/sandboxes/{s}/faults', {
    cases: [{ what: 'reads them with their counts', tells: { faults: [armed] }, library: listed }],
  }),
  row('faults.set', 'PUT /_fake/v1/sandboxes/{s}/faults', {
    cases: [
      {
        what: 'replaces the armed faults',
        body: { faults: [push503] },
        tells: { faults: [{ ...push503, ...unmet }] },
        library: setting([push503]),
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
        tells: { faults: many.map(fault => ({ ...fault, ...unmet })) },
        library: setting(many),
        after: { 'faults.faults': many.map(fault => ({ ...fault, ...unmet })) },
      },
      {
        what: 'appends them to others, whose counts go on',
        body: { faults: [push503], append: true },
        tells: { faults: [armed, { ...push503, ...unmet }] },
        library: setting([push503], { append: true }),
        after: { 'faults.faults': [armed, { ...push503, ...unmet }] },
      },
    ],
    bad: [
      {
        what: 'invalid faults, each with its place',
        body: { faults: [push503, ...invalid.map(([fault]) => fault)] },
        says: '/faults/1/operation must be one of',
        pointers: invalid.map(([, place], index) => `/faults/${index + 1}${place}`),
      },
      {
        what: 'a text, and an unknown caller',
        body: { faults: [alise], append: 'yes' },
        says: '"alise"',
        pointers: ['/append', '/faults/0/caller'],
      },
      { what: 'an unknown caller', body: { faults: [alise] }, status: 422, says: '/faults/0/caller: Unknown user' },
      { what: 'an impossible day', body: { faults: [never] }, status: 422, says: '/faults/0/until: 2026-02-30 is' },
    ],
  }),
  row('faults.clear', 'DELETE /_fake/v1/sandboxes/{s}/faults', {
    cases: [{ what: 'clears them', tells: { faults: [] }, library: clearing(), after: { 'faults.faults': [] } }],
    bad: [{ what: 'an unknown number', query: 'number=2', status: 404, says: 'has no fault with the number 2.' }],
  }),
  row('faults.release', 'POST /_fake/v1/sandboxes/{s}/faults/release', {
    cases: [
      {
        what: 'releases none if none waits',
        prepare: sandbox => sandbox.faults.set([{ operation: 'ppf.push', effect: { hold: 'spinner' } }]),
        body: { hold: 'spinner' },
        tells: { released: 0 },
        library: async sandbox => ({ released: await sandbox.faults.release('spinner') }),
      },
    ],
    bad: [{ what: 'an unknown hold', body: { hold: 'spinner' }, status: 404, says: 'a hold named "spinner".' }],
  }),
];
