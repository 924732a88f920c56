// The requests of the recorded table: raw bytes, sent in this order, each on the state the earlier ones left.
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import { basic } from '../../support/wire/server.js';
import { operationIds, validQuestions } from '../../support/worlds/valid.js';
import { inChunks, pathOf } from '../bad-input/wire.js';

export interface Recorded {
  readonly name: string;
  /** Everything sent over one connection, which the server closes. */
  readonly bytes: Buffer;
}

interface Parts {
  /** Replaces the default of the same name; `null` leaves it out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** An object is sent as JSON; text and bytes unchanged; absent: no body and no content type. */
  readonly body?: object | string | Buffer;
  readonly chunked?: boolean;
  readonly as?: string | null;
  readonly version?: string;
  readonly keepAlive?: boolean;
}

const WIKI = '/rest/cwxapiextension/latest';
const PPF = '/rest/cwx-ppf/latest';
const ADD = `${WIKI}/groups/add-users`;
const JSON_TYPE = { 'Content-Type': 'application/json' };

function request(method: string, target: string, parts: Parts = {}): Buffer {
  const { headers = {}, body, chunked = false, as = 'admin', version = '1.1', keepAlive = false } = parts;
  const bytes =
    body === undefined || Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const framing = chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(bytes?.length) };
  const all: Record<string, string | null> = {
    Host: 'localhost',
    'X-Request-Id': 'recorded',
    ...(keepAlive ? {} : { Connection: 'close' }),
    ...(as !== null && { Authorization: basic(as, as) }),
    ...(bytes !== undefined && { ...JSON_TYPE, ...framing }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  const head = Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, bytes === undefined ? Buffer.alloc(0) : chunked ? inChunks(bytes) : bytes]);
}

const recorded: Recorded[] = [];

function add(name: string, ...bytes: readonly Buffer[]): void {
  recorded.push({ name: `${recorded.length + 1} ${name}`, bytes: Buffer.concat(bytes) });
}

/** One request, named after its first line and its special feature. */
function ask(method: string, target: string, parts: Parts = {}, what = ''): void {
  add(`${method} ${target}${what === '' ? '' : ` (${what})`}`, request(method, target, parts));
}

const team = { group: 'team-members', users: ['demouser2'] };
const push = { users: ['alice'], filters: [10500] };

function operations(): void {
  for (const id of operationIds) {
    const { json } = validQuestions[id];
    ask(operationOf(id)?.method ?? '', pathOf(id), json === undefined ? {} : { body: json as object });
  }
  ask('POST', `${WIKI}/spaces/add-sidebar-link`, { body: { spaceKey: 'ds', label: 'Ä', url: 'https://x.test/?a=b' } });
  const copy =
    'sourceSpaceKey=tmpl&targetSpaceKey=new1&targetSpaceTitle=A+B%20C&targetSpaceAdmin=&removeAdminPermissions=FALSE&keepPagesMetadata=true';
  ask('POST', `${WIKI}/spaces/copySpace?${copy}`);
  ask('POST', `${PPF}/push`, { body: { users: ['bob'], groups: ['nobody'], filters: [1] } }, 'unknown names');
}

function refusals(): void {
  ask('POST', `/wiki${ADD}/`, { body: team });
  ask('POST', `/~mine/wiki${ADD}?expand=a.b,c&x=1&x=2`, { body: team });
  ask('POST', `${PPF}/pusch`, { body: push });
  for (const method of ['GET', 'HEAD', 'OPTIONS']) ask(method, ADD);
  ask('POST', `${PPF}/push`, { body: push, as: null }, 'anonymous');
  ask('POST', `${PPF}/push`, { body: push, headers: { Authorization: 'Bearer x' } }, 'an unknown token');
  ask('POST', ADD, { body: '{"group":' }, 'no JSON');
  ask('POST', ADD, { body: { group: 1, users: [2, 'a', null] } }, 'wrong types');
  ask('POST', ADD, { body: `"${'a'.repeat(5000)}"`, chunked: true }, 'too large');
  ask('POST', `${PPF}/push`, { body: { filters: [10500] } }, 'no recipients');
  for (const reading of ['wiki-success=no-content', 'wiki-error-body=messages, no-change=409', 'unknown-usr=400'])
    ask('POST', ADD, { body: team, headers: { 'X-Fake-Reading': reading } }, reading);
  ask('POST', `${PPF}/push`, { body: {}, headers: { 'X-Fake-Reading': 'ppf-error-body=empty' } }, 'empty');
}

function connections(): void {
  add(
    'three on one connection',
    request('POST', ADD, { body: team, keepAlive: true }),
    request('GET', '/_fake/v1/sandboxes/default/clock', { keepAlive: true }),
    request('POST', ADD, { body: team }),
  );
  add('the second is no HTTP', request('POST', ADD, { body: team, keepAlive: true }), Buffer.from('NO HTTP\r\n\r\n'));
  ask('POST', ADD, { body: team, version: '1.0' }, 'HTTP/1.0');
  ask('POST', ADD, { body: team, headers: { Host: 'evil.test', 'X-Request-Id': null } }, 'a foreign Host');
}

function faults(): void {
  const sandbox = '/_fake/v1/sandboxes/faulty';
  ask('PUT', sandbox, { body: { clock: '2026-01-05T09:00:00Z' } });
  for (const effect of [{ status: 500, retryAfter: 3 }, { truncateAt: 1 }]) {
    const armed = { operation: 'groups.add-users', times: 1, effect };
    ask('PUT', `${sandbox}/faults`, { body: { faults: [armed] } }, Object.keys(effect).join());
    ask('POST', `/~faulty${ADD}`, { body: team }, `fault ${Object.keys(effect)}`);
  }
  ask('GET', `${sandbox}/journal`);
}

function controlApi(): void {
  for (const path of ['/', '/_fake', '/_fake/v1/sandboxs', '/_fake/v1/sandboxes/none']) ask('GET', path);
  ask('PATCH', '/_fake/v1/sandboxes', { body: {} });
  ask('POST', '/_fake/v1/sandboxes', { body: { name: 'made', clock: '2026-01-05T09:00:00Z' } });
  ask('POST', '/_fake/v1/sandboxes', { body: { nam: 'made' } }, 'an unknown field');
  ask('POST', '/_fake/v1/sandboxes', { body: {}, headers: { Origin: 'http://evil.test' } }, 'a foreign origin');
  ask('DELETE', '/_fake/v1/sandboxes/made');
}

/** One request of each kind, for the server of this table. */
export function recordedRequests(): readonly Recorded[] {
  if (recorded.length === 0) for (const part of [operations, refusals, connections, faults, controlApi]) part();
  return recorded;
}

/** The same few on a server with other flags. */
export function fewRequests(): readonly Recorded[] {
  const few = [
    ['POST', ADD, { body: team }],
    ['POST', `/~mine${ADD}`, { body: team }],
    ['POST', '/nothing', { body: team }],
    ['HEAD', ADD, {}],
    ['OPTIONS', ADD, {}],
    ['GET', '/', {}],
    ['GET', '/_fake/v1/scenarios', {}],
  ] as const;
  return few.map(([method, target, parts]) => ({ name: `${method} ${target}`, bytes: request(method, target, parts) }));
}
