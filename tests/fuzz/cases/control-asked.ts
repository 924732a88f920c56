// Valid and invalid requests of the control API on one sandbox; only the status of their responses is checked.
import type { Dice } from './dice.js';

export interface ControlAsked {
  readonly method: string;
  readonly path: string;
  /** Absent: there is no body. */
  readonly body?: unknown;
}

type Ask = (name: string, dice: Dice) => ControlAsked;

/** A request with one of these bodies; without them, it has none. `path`: with `{s}` for the name of the sandbox. */
const at =
  (method: string, path: string, ...bodies: readonly unknown[]): Ask =>
  (name, dice) => ({
    method,
    path: path.replace('{s}', name),
    ...(bodies.length > 0 && { body: dice.pick(bodies as readonly [unknown, ...unknown[]]) }),
  });
/** The same below a sandbox. */
const below = (method: string, path: string, ...bodies: readonly unknown[]): Ask =>
  at(method, `/_fake/v1/sandboxes/{s}${path}`, ...bodies);

const faults: readonly object[] = [
  { operation: 'ppf.push', effect: { status: 503 } },
  { path: '/rest/*/latest/*', when: { chance: 0.5, seed: 7 }, effect: { garble: true } },
  { operation: 'groups.add-users', phase: 'after', effect: { retryAfter: 3 } },
  { path: '*', effect: { headers: { 'X-A': 'a\r\nX-B: b' } } },
  { operation: '__proto__', effect: {} },
  { operation: 'ppf.pull', effect: { status: 99 } },
  { operation: 'ppf.pull', effect: { delay: [5, 1] } },
];
const readings: readonly object[] = [
  { 'unknown-user': 'skip' },
  {},
  { 'wiki-success': 'no-content' },
  { __proto__: 'x' },
  { 'no-gap': 'x' },
  { 'view-post': 1 },
];
const patches: readonly unknown[] = [
  { licence: { ppf: 'expired' } },
  { users: { dora: {} }, groups: { customers: ['dora'] } },
  { users: { dora: null } },
  { groups: { customers: ['nobody'] } },
  { pages: { 65601: { body: 'x'.repeat(1_000) } } },
  { pages: { '-1': {} } },
  JSON.parse('{"users":{"__proto__":{"admin":true}}}'),
  { nextPageId: 1e300 },
  [],
  null,
];
const clocks: readonly object[] = [
  { advance: 60 },
  { freeze: true },
  { set: '2026-01-05T09:00:00Z' },
  { set: 'x' },
  { advance: 1e300 },
  { set: '+275760-09-13T00:00:00Z' },
];
const forks = Array.from({ length: 20 }, (_, i) => ({ name: `fork-${i}` }));
const explanations = [1, 2, 0, -1, 1e9].flatMap(entry => readings.map(one => ({ entry, readings: one })));

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
  [3, below('PATCH', '/world', ...patches)],
  [2, below('PUT', '/readings', ...readings)],
  [2, below('PUT', '/faults', ...faults.map(fault => ({ faults: [fault] })))],
  [1, below('DELETE', '/faults')],
  [2, below('PUT', '/clock', ...clocks)],
  [1, below('POST', '/reset')],
  [1, below('POST', '/fork', ...forks, {}, { name: '..' }, { at: 0 }, { at: -1 })],
  [2, below('POST', '/snapshots', { name: 'a', replace: true }, {}, { name: '__proto__' }, { name: 'a/b' })],
  [1, below('POST', '/snapshots/a/restore')],
  [1, below('DELETE', '/snapshots/__proto__')],
  [1, below('POST', '/rewind', ...[0, 1, -1, 1e9, 0.5].map(to => ({ to })))],
  [2, below('POST', '/explain', ...explanations)],
  [1, below('POST', '/journal/verify', { operation: 'ppf.push', times: { atMost: 3 } }, { body: { a: 1 } })],
  [1, below('POST', '/journal/verify', { inOrder: true }, { times: { exactly: -1 } })],
  [
    1,
    below(
      'POST',
      '/play',
      { scenario: 'first-steps', step: 1 },
      { scenario: '../../etc/passwd' },
      { scenario: '__proto__' },
    ),
  ],
  [
    1,
    below('PUT', '', {}, { readings: { 'unknown-user': '400' } }, { scenario: 'no-such' }, { clock: 'x' }, { ttl: -1 }),
  ],
  [1, at('POST', '/_fake/v1/sandboxes', { name: 'wild' }, { name: 'a b' }, { name: '' }, { seed: 'x' })],
  [1, at('GET', '/_fake/v1/sandboxes')],
  [1, at('GET', '/_fake/v1/scenarios')],
  [1, at('GET', '/_fake/v1/openapi.json')],
  [1, at('GET', '/_fake/health')],
  [1, at('GET', '/_fake/v1/nothing')],
  [1, at('GET', '/')],
];
/** A response without an end: only if the sender ends the connection. */
const streaming: ReadonlyArray<readonly [weight: number, choice: Ask]> = [
  [2, below('GET', '/events')],
  [1, below('GET', '/events?lastEventId=a.1.b.1')],
];
const states: readonly object[] = [
  { state: 'user exists', params: { name: 'dora' }, action: 'setup' },
  { state: 'no such state' },
  { state: '', action: 'teardown' },
  { state: '__proto__' },
];
const stating: ReadonlyArray<readonly [weight: number, choice: Ask]> = [
  [1, at('POST', '/~{s}/_fake/v1/provider-states', ...states)],
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
