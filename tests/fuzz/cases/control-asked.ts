// Valid and invalid requests of the control API on one sandbox; only the status of their responses is checked.
import type { Dice } from './dice.js';

export interface ControlAsked {
  readonly method: string;
  readonly path: string;
  /** Absent: there is no body. */
  readonly body?: unknown;
}

type Ask = (name: string, dice: Dice) => ControlAsked;
const below = (method: string, path: string, body?: (dice: Dice) => unknown): Ask => {
  return (name, dice) => ({
    method,
    path: `/_fake/v1/sandboxes/${name}${path}`,
    ...(body !== undefined && { body: body(dice) }),
  });
};

const faults = (dice: Dice) => ({
  faults: [
    dice.pick<object>([
      { operation: 'ppf.push', effect: { status: 503 } },
      { path: '/rest/*/latest/*', when: { chance: 0.5, seed: 7 }, effect: { garble: true } },
      { operation: 'groups.add-users', phase: 'after', effect: { retryAfter: 3 } },
      { path: '*', effect: { headers: { 'X-A': 'a\r\nX-B: b' } } },
      { operation: '__proto__', effect: {} },
      { operation: 'ppf.pull', effect: { status: 99 } },
      { operation: 'ppf.pull', effect: { delay: [5, 1] } },
    ]),
  ],
});
const readings = (dice: Dice) =>
  dice.pick<object>([
    { 'unknown-user': 'skip' },
    {},
    { 'wiki-success': 'no-content' },
    { __proto__: 'x' },
    { 'no-gap': 'x' },
    { 'view-post': 1 },
  ]);
const patch = (dice: Dice) =>
  dice.pick<unknown>([
    { licence: { ppf: 'expired' } },
    { users: { dora: {} }, groups: { customers: ['dora'] } },
    { users: { dora: null } },
    { groups: { customers: ['nobody'] } },
    { pages: { 65601: { body: 'x'.repeat(1_000) } } },
    { pages: { '-1': {} } },
    JSON.parse('{"users":{"__proto__":{"admin":true}}}') as unknown,
    { nextPageId: 1e300 },
    [],
    null,
  ]);

const asks: ReadonlyArray<readonly [weight: number, choice: Ask]> = [
  [3, below('GET', '')],
  [3, below('GET', '/world')],
  [1, below('GET', '/world?at=1')],
  [1, below('GET', '/world?at=-1')],
  [2, below('GET', '/journal?limit=5')],
  [1, below('GET', '/journal?since=99999999999999999999&status=x')],
  [1, below('DELETE', '/journal')],
  [2, below('GET', '/faults')],
  [2, below('GET', '/readings')],
  [2, below('GET', '/clock')],
  [1, below('GET', '/snapshots')],
  [1, below('GET', '/recording')],
  [1, below('GET', '/diff?from=0&to=1')],
  [3, below('PATCH', '/world', patch)],
  [2, below('PUT', '/readings', readings)],
  [2, below('PUT', '/faults', faults)],
  [1, below('DELETE', '/faults')],
  [
    2,
    below('PUT', '/clock', dice =>
      dice.pick<object>([
        { advance: 60 },
        { freeze: true },
        { set: '2026-01-05T09:00:00Z' },
        { set: 'x' },
        { advance: 1e300 },
        { set: '+275760-09-13T00:00:00Z' },
      ]),
    ),
  ],
  [1, below('POST', '/reset')],
  [
    1,
    below('POST', '/fork', dice =>
      dice.pick<object>([{ name: `fork-${dice.under(20)}` }, {}, { name: '..' }, { at: 0 }, { at: -1 }]),
    ),
  ],
  [
    2,
    below('POST', '/snapshots', dice =>
      dice.pick<object>([{ name: 'a', replace: true }, {}, { name: '__proto__' }, { name: 'a/b' }]),
    ),
  ],
  [1, below('POST', '/snapshots/a/restore')],
  [1, below('DELETE', '/snapshots/__proto__')],
  [1, below('POST', '/rewind', dice => ({ to: dice.pick([0, 1, -1, 1e9, 0.5]) }))],
  [2, below('POST', '/explain', dice => ({ entry: dice.pick([1, 2, 0, -1, 1e9]), readings: readings(dice) }))],
  [
    2,
    below('POST', '/journal/verify', dice =>
      dice.pick<object>([
        { operation: 'ppf.push', times: { atMost: 3 } },
        { body: { a: 1 } },
        { inOrder: true },
        { times: { exactly: -1 } },
      ]),
    ),
  ],
  [
    1,
    below('POST', '/play', dice =>
      dice.pick<object>([
        { scenario: 'first-steps', step: 1 },
        { scenario: '../../etc/passwd' },
        { scenario: '__proto__' },
      ]),
    ),
  ],
  [
    1,
    (name, dice) => ({
      method: 'PUT',
      path: `/_fake/v1/sandboxes/${name}`,
      body: dice.pick<object>([
        {},
        { readings: { 'unknown-user': '400' } },
        { scenario: 'no-such' },
        { clock: 'x' },
        { ttl: -1 },
      ]),
    }),
  ],
  [
    1,
    (name, dice) => ({
      method: 'POST',
      path: '/_fake/v1/sandboxes',
      body: dice.pick<object>([{ name }, { name: 'a b' }, { name: '' }, { seed: 'x' }]),
    }),
  ],
  [1, () => ({ method: 'GET', path: '/_fake/v1/sandboxes' })],
  [1, () => ({ method: 'GET', path: '/_fake/v1/scenarios' })],
  [1, () => ({ method: 'GET', path: '/_fake/v1/openapi.json' })],
  [1, () => ({ method: 'GET', path: '/_fake/health' })],
  [1, () => ({ method: 'GET', path: '/_fake/v1/nothing' })],
  [1, () => ({ method: 'GET', path: '/' })],
];
/** A response without an end: only if the sender ends the connection. */
const streaming: ReadonlyArray<readonly [weight: number, choice: Ask]> = [
  [2, below('GET', '/events')],
  [1, below('GET', '/events?lastEventId=a.1.b.1')],
];
const stating: ReadonlyArray<readonly [weight: number, choice: Ask]> = [
  [
    1,
    (name, dice) => ({
      method: 'POST',
      path: `/~${name}/_fake/v1/provider-states`,
      body: dice.pick<object>([
        { state: 'user exists', params: { name: 'dora' }, action: 'setup' },
        { state: 'no such state' },
        { state: '', action: 'teardown' },
        { state: '__proto__' },
      ]),
    }),
  ],
];

/**
 * `isWhole`: it is sent unchanged; otherwise its bytes are mutated, and requests that set up worlds are left out, since they
 * could hit `default`.
 */
export function controlAsked(name: string, dice: Dice, isWhole: boolean): ControlAsked {
  return dice.weighed(isWhole ? [...asks, ...stating] : [...asks, ...streaming])(name, dice);
}

export function controlBytes({ method, path, body }: ControlAsked): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${text}`);
}
