// The requests of the recorded responses: raw bytes, one request for each class of response.
import { basic } from '../../support/wire/server.js';
import { inChunks } from '../bad-input/wire.js';

export interface Recorded {
  readonly name: string;
  /** Everything sent over one connection, which the server closes. */
  readonly bytes: Buffer;
}

interface Parts {
  /** Replaces the default of the same name; `null` leaves it out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** An object is sent as JSON, text unchanged; absent: no body and no content type. */
  readonly body?: object | string;
  readonly chunked?: boolean;
  readonly keepAlive?: boolean;
}

const WIKI = '/rest/cwxapiextension/latest';
const PUSH = '/rest/cwx-ppf/latest/push';
const ADD = `${WIKI}/groups/add-users`;
const LINK = `${WIKI}/spaces/add-sidebar-link`;
const SANDBOXES = '/_fake/v1/sandboxes';
const team = { group: 'team-members', users: ['demouser2'] };

function request(method: string, target: string, parts: Parts = {}): Buffer {
  const { headers = {}, body, chunked = false, keepAlive = false } = parts;
  const bytes = Buffer.from(typeof body === 'object' ? JSON.stringify(body) : (body ?? ''));
  const framing = chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes.length) };
  const all: Record<string, string | null> = {
    Host: 'localhost',
    'X-Request-Id': 'recorded',
    ...(keepAlive ? {} : { Connection: 'close' }),
    Authorization: basic('admin', 'admin'),
    ...(body !== undefined && { 'Content-Type': 'application/json', ...framing }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, chunked ? inChunks(bytes) : bytes]);
}

const connection = (name: string, ...bytes: readonly Buffer[]): Recorded => ({ name, bytes: Buffer.concat(bytes) });

/** One request, named after its first line and its special feature. */
const ask = (method: string, target: string, parts: Parts = {}, what = ''): Recorded =>
  connection(`${method} ${target}${what === '' ? '' : ` (${what})`}`, request(method, target, parts));

const under = (reading: string) => ({ 'X-Fake-Reading': reading });

const successes = [
  ask('POST', ADD, { body: team }),
  ask('POST', ADD, { body: team, headers: under('wiki-success=no-content') }, 'no content'),
  ask('POST', `/~mine/wiki${ADD}?expand=a.b,c&x=1&x=2`, { body: team }),
  ask('POST', `${WIKI}/spaces/isUnique?spaceKey=APOLLO&spaceName=Apollo`),
  ask('POST', PUSH, { body: { users: ['alice'], filters: [10500] } }),
  ask('POST', PUSH, { body: { users: ['bärbel'], groups: ['nobody'], filters: [1] } }, 'unknown names'),
  ask('GET', '/rest/api/space/ds'),
  ask('GET', '/rest/api/2/filter/10500'),
  ask('OPTIONS', ADD),
];

const refusals = [
  ask('POST', ADD, { body: '{"group":' }, 'no JSON'),
  ask('POST', PUSH, { body: {}, headers: under('ppf-error-body=empty') }, 'empty'),
  ask('POST', PUSH, { body: {}, headers: { Authorization: 'Bearer x' } }, 'an unknown token'),
  ask('POST', PUSH, { body: {}, headers: { Authorization: null } }, 'anonymous'),
  ask('POST', `/wiki${ADD}/`, { body: team }),
  ask('HEAD', ADD),
  ask('POST', ADD, { body: team, headers: under('wiki-error-body=messages, no-change=409') }, 'messages'),
  ask('POST', ADD, { body: `"${'a'.repeat(5000)}"`, chunked: true }, 'too large'),
  ask('POST', ADD, { body: team, headers: { Host: 'evil.test', 'X-Request-Id': null } }, 'a foreign Host'),
];

const link = { spaceKey: 'ds', label: 'A', url: 'https://x.test/' };
const first = request('POST', ADD, { body: team, keepAlive: true });
const clock = request('GET', `${SANDBOXES}/default/clock`, { keepAlive: true });
const connections = [
  connection('three on one connection', first, clock, request('POST', ADD, { body: team })),
  connection('the second is no HTTP', first, Buffer.from('NO HTTP\r\n\r\n')),
  ask('POST', LINK, { body: link }, 'a fault with a status'),
  ask('POST', LINK, { body: link }, 'a fault that truncates'),
];

const pagesAndControl = [
  ask('GET', '/', { headers: { Accept: 'text/html' } }),
  ask('GET', '/_fake'),
  ask('GET', '/_fake/ui/', { headers: { 'If-None-Match': '*' } }),
  ask('POST', SANDBOXES, { body: { name: 'made', clock: '2026-01-05T09:00:00Z' } }),
  ask('POST', SANDBOXES, { body: { nam: 'made' } }, 'an unknown field'),
  ask('GET', '/_fake/v1/sandboxs'),
  ask('PATCH', SANDBOXES, { body: {} }),
  ask('DELETE', `${SANDBOXES}/made`),
];

/** Sent in this order, each on the state that the earlier ones left. */
export const usualRequests: readonly Recorded[] = [...successes, ...refusals, ...connections, ...pagesAndControl];

/** Requests whose responses depend on a flag. */
export const add = ask('POST', ADD, { body: team });
export const addInSandbox = ask('POST', `/~mine${ADD}`, { body: team });
export const frontPage = ask('GET', '/');
export const unknownPath = ask('GET', '/other');
