// The requests of the recorded table: raw bytes, sent in this order, each on the state the earlier ones left.
import { gzipSync } from 'node:zlib';
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

function everyOperation(): void {
  ask('POST', ADD, { body: team });
  ask('POST', ADD, { body: team }, 'again');
  ask('POST', `${WIKI}/groups/remove-users`, { body: team });
  ask('POST', `${WIKI}/groups/set-users`, { body: { group: 'customers', users: ['alice', 'carol'] } });
  for (const kind of ['edit', 'view']) {
    ask('PUT', `${WIKI}/permissions/${kind}/65601`, { body: { users: ['alice'], groups: ['customers'] } });
    ask('DELETE', `${WIKI}/permissions/${kind}/65601`, { body: { users: ['alice'], groups: [] } });
    ask('POST', `${WIKI}/permissions/${kind}/65601`, { body: { users: [], groups: ['customers'] } }, 'the heading');
  }
  ask('DELETE', `${WIKI}/permissions/all/65601`, { body: { users: [], groups: ['customers'] } });
  ask('POST', `${WIKI}/permissions/all/65601`, { body: { users: [], group: ['customers'] } }, 'group for groups');
  ask('POST', `${WIKI}/spaces/add-sidebar-link`, { body: { spaceKey: 'ds', label: 'Ä', url: 'https://x.test/?a=b' } });
  const copy =
    'sourceSpaceKey=tmpl&targetSpaceKey=new1&targetSpaceTitle=A+B%20C&targetSpaceAdmin=&removeAdminPermissions=FALSE&keepPagesMetadata=true';
  ask('POST', `${WIKI}/spaces/copySpace?${copy}`);
  ask('POST', `${WIKI}/spaces/copySpace?${copy}`, {}, 'again');
  ask('POST', `${WIKI}/spaces/isUnique?spaceKey=ds&spaceName=Other`);
  ask(
    'POST',
    `${WIKI}/spaces/isUnique?spaceKey=zz&spaceName=Other`,
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '0' } },
    'as axios sends it',
  );
  ask('POST', `${WIKI}/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome`, {
    body: [{ oldText: 'Hello', newText: 'Hi' }],
  });
  ask('POST', `${PPF}/push`, { body: push });
  ask('POST', `${PPF}/pull`, { body: push });
  ask(
    'POST',
    `${PPF}/push`,
    { body: { users: ['bob'], groups: ['nobody'], filters: [1], dashboards: [2] } },
    'unknown names',
  );
}

function addresses(): void {
  for (const place of [
    '/wiki/rest/cwxapiextension/latest/groups/add-users',
    '/rest/api/cwxapiextension/latest/groups/add-users',
    '/cwxapiextension/latest/groups/add-users',
    '/~mine/rest/cwxapiextension/latest/groups/add-users',
    '/~mine/wiki/rest/cwxapiextension/latest/groups/add-users',
    '/~bad name/rest/cwxapiextension/latest/groups/add-users',
    `/~${'x'.repeat(65)}/rest/cwxapiextension/latest/groups/add-users`,
    '/a/b/rest/cwxapiextension/latest/groups/add-users',
    '/rest/cwxapiextension/latest/groups/add-users/',
    '/rest/cwxapiextension/latest/groups/Add-Users',
    '/REST/cwxapiextension/latest/groups/add-users',
    '/rest/cwxapiextension/1.0/groups/add-users',
    '/rest/cwxapiextension/latest/groups/add%2Dusers',
    '/rest/cwxapiextension/latest/groups/add%zzusers',
    '/rest/cwxapiextension/latest//groups/add-users',
    '/rest/cwx-ppf/latest/pusch',
    '/jira/rest/cwx-ppf/latest/push',
    '/nothing/here',
    '/rest/cwxapiextension/latest/permissions/edit/65%201',
    '/rest/cwxapiextension/latest/permissions/edit/6%2F5',
    '/rest/cwxapiextension/latest/permissions/edit/65601?x=1#frag',
    '/rest/cwxapiextension/latest/groups/add-users?expand=a.b,c&x=1&x=2',
    '/rest/cwxapiextension/latest/groups/add-users?a=%ff',
    '/rest/cwxapiextension/latest/groups/add-users?',
  ])
    ask('POST', place.replace(/ /g, '%20'), { body: team });
  ask('POST', `http://localhost${ADD}`, { body: team }, 'a whole address');
  ask('POST', `http://other.test${ADD}`, { body: team }, 'of another host');
  ask('POST', `HTTP://LOCALHOST${ADD}?a=b`, { body: team }, 'in capitals');
  for (const target of ['*', 'x', '\\x', '/a\\b', '/a\\b#c', '//x/y', 'ftp://x/y']) ask('OPTIONS', target);
  ask('POST', ADD, { body: team, headers: { 'X-Fake-Sandbox': 'by-header' } }, 'sandbox by header');
  ask('POST', `/~mine${ADD}`, { body: team, headers: { 'X-Fake-Sandbox': 'by-header' } }, 'path and header');
  ask('POST', ADD, { body: team, headers: { 'X-Fake-Sandbox': 'bad name' } }, 'a bad name by header');
  ask('POST', ADD, { body: team, headers: { 'X-Fake-Sandbox': '' } }, 'an empty name by header');
}

function methods(): void {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'QUERY', 'PURGE']) {
    ask(method, ADD);
    ask(method, `${WIKI}/permissions/view/65601`);
  }
  ask('HEAD', '/nothing');
  ask('OPTIONS', '/nothing');
  ask('BREW', ADD);
}

function callers(): void {
  ask('POST', `${PPF}/push`, { body: push, as: null }, 'anonymous');
  ask('POST', `${PPF}/push`, { body: push, as: 'alice' }, 'no admin');
  ask('POST', `${PPF}/push`, { body: push, as: 'nobody' }, 'unknown');
  for (const authorization of [
    '',
    'Basic',
    'Basic !',
    'Basic YQ==',
    'Bearer',
    'Bearer admin-token',
    'Bearer x',
    'Digest a',
    'basic YWRtaW46YWRtaW4=',
    'Basic YWRtaW46d3Jvbmc=',
    'Basic /w==',
  ])
    ask(
      'POST',
      `${PPF}/pull`,
      { body: push, headers: { Authorization: authorization } },
      `Authorization: ${authorization}`,
    );
}

function bodies(): void {
  const cases: ReadonlyArray<readonly [string, Parts]> = [
    ['none', {}],
    ['length 0', { headers: { 'Content-Length': '0' } }],
    ['{}', { body: {} }],
    ['no JSON', { body: '{"group":' }],
    ['not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }],
    ['a number', { body: '5' }],
    ['null', { body: 'null' }],
    ['a mark at the head', { body: `\ufeff${JSON.stringify(team)}` }],
    ['__proto__', { body: '{"group":"team-members","users":[],"__proto__":{"a":1}}' }],
    ['chunked', { body: team, chunked: true }],
    ['chunked, no JSON', { body: '{', chunked: true }],
    ['chunked, empty', { body: '', chunked: true }],
    ['gzip', { body: gzipSync(JSON.stringify(team)), headers: { 'Content-Encoding': 'gzip' } }],
    ['gzip that is none', { body: JSON.stringify(team), headers: { 'Content-Encoding': 'gzip' } }],
    ['zstd', { body: JSON.stringify(team), headers: { 'Content-Encoding': 'zstd' } }],
    ['charset', { body: team, headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
    ['text', { body: team, headers: { 'Content-Type': 'text/plain' } }],
    ['no type', { body: team, headers: { 'Content-Type': null } }],
    ['vendor type', { body: team, headers: { 'Content-Type': 'application/vnd.api+json' } }],
    ['too large', { body: `"${'a'.repeat(5000)}"` }],
    ['too large, chunked', { body: `"${'a'.repeat(5000)}"`, chunked: true }],
    ['wrong types', { body: { group: 1, users: [2, 'a', null] } }],
    ['missing fields', { body: { group: 'team-members' } }],
    ['unknown field', { body: { ...team, more: 1 } }],
    ['unknown names', { body: { group: 'nobody', users: ['bob', 'eve'] } }],
    ['a list', { body: '[]' }],
    ['expect continue', { body: team, headers: { Expect: '100-continue' } }],
    ['expect something', { body: team, headers: { Expect: 'more' } }],
  ];
  for (const [what, parts] of cases) ask('POST', ADD, parts, what);
  ask('POST', `${PPF}/push`, { body: { filters: [10500] } }, 'no recipients');
  ask('POST', `${PPF}/push`, { body: { users: ['alice'], filters: [] } }, 'no items');
  ask('POST', `${PPF}/push`, { body: { users: ['alice'], filters: ['10500'] } }, 'an id as text');
  ask('POST', `${PPF}/push`, { body: `"${'a'.repeat(5000)}"` }, 'too large');
  ask('POST', `${WIKI}/spaces/isUnique?spaceKey=ds`, {}, 'a parameter is missing');
  ask(
    'POST',
    `${WIKI}/spaces/copySpace?sourceSpaceKey=tmpl&targetSpaceKey=x&targetSpaceTitle=x&targetSpaceAdmin=&removeAdminPermissions=maybe&keepPagesMetadata=1`,
  );
}

function readings(): void {
  for (const reading of [
    'wiki-success=empty',
    'wiki-success=no-content',
    'wiki-success=messages',
    'wiki-auth=admin',
    'wiki-error-body=messages',
    'wiki-error-body=empty',
    'unknown-user=skip, unknown-group=create',
    'no-change=409',
    'unknown-field=400',
    'content-type=415',
    'wiki-prefix=bare',
    'context-path=/wiki',
    'expand-unknown=400',
    'unknown-usr=400',
    'unknown-user=499',
    'nonsense',
    '',
    'bad-credentials=403',
  ])
    ask(
      'POST',
      `${ADD}?expand=a.b`,
      {
        body: { group: 'team-members', users: ['bob', 'demouser1'], x: 1 },
        headers: { 'X-Fake-Reading': reading, 'Content-Type': 'text/plain' },
      },
      reading,
    );
  ask(
    'POST',
    `${WIKI}/permissions/view/65601`,
    { body: { users: ['alice'], groups: [] }, headers: { 'X-Fake-Reading': 'view-post=add' } },
    'view-post=add',
  );
  ask(
    'POST',
    `${PPF}/push`,
    { body: push, as: null, headers: { 'X-Fake-Reading': 'ppf-anonymous=401' } },
    'ppf-anonymous=401',
  );
  ask(
    'POST',
    `${PPF}/push`,
    { body: {}, as: 'alice', headers: { 'X-Fake-Reading': 'ppf-check-order=400-first' } },
    '400-first',
  );
  ask(
    'POST',
    `${PPF}/push`,
    { body: {}, headers: { 'X-Fake-Reading': 'ppf-error-body=empty' } },
    'ppf-error-body=empty',
  );
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
  ask('POST', ADD, { body: team, version: '1.0', headers: { Host: null } }, 'HTTP/1.0 without Host');
  ask('POST', ADD, { body: team, headers: { Host: null } }, 'no Host');
  ask('POST', ADD, { body: team, headers: { Host: 'evil.test' } }, 'a foreign Host');
  ask('POST', ADD, { body: team, headers: { Host: 'LOCALHOST:1' } }, 'a Host in capitals');
  ask('POST', ADD, { body: team, headers: { Host: 'localhost\r\nHost: localhost' } }, 'two Hosts');
  ask('POST', ADD, { body: team, headers: { 'X-Many': `1${'\r\nX-Many: 1'.repeat(210)}` } }, 'too many headers');
  ask('POST', ADD, { body: team, headers: { 'X-Request-Id': null } }, 'no request id');
  ask('POST', ADD, { body: team, headers: { 'X-Request-Id': 'has blank' } }, 'a request id that is none');
  ask('POST', '/nothing', { body: team, headers: { 'X-Request-Id': null } }, 'no request id');
  add('a length that is none', Buffer.from(`POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n`));
  add(
    'both framings',
    Buffer.from(
      `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ),
  );
}

function faults(): void {
  const sandbox = '/_fake/v1/sandboxes/faulty';
  ask('PUT', sandbox, { body: { clock: '2026-01-05T09:00:00Z' } });
  const effects: readonly object[] = [
    { status: 500 },
    { status: 204 },
    { retryAfter: 3 },
    { headers: { 'X-More': 'a', 'Content-Type': 'text/x' } },
    { body: { own: true } },
    { body: 'plain' },
    { garble: true },
    { delay: 1 },
    { hangUp: true },
    { truncateAt: 1 },
    { dribble: { bytes: 1, every: 1 } },
    { status: 503, body: '' },
  ];
  for (const [i, effect] of effects.entries())
    for (const phase of ['before', 'after']) {
      ask(
        'PUT',
        `${sandbox}/faults`,
        { body: { faults: [{ operation: 'groups.add-users', times: 1, phase, effect }] } },
        `${i} ${phase}`,
      );
      ask(
        'POST',
        `/~faulty${ADD}`,
        { body: team, headers: { 'X-Fake-Reading': 'wiki-success=messages' } },
        `fault ${i} ${phase}`,
      );
    }
  ask('GET', `${sandbox}/journal`);
}

function otherPaths(): void {
  for (const path of [
    '/',
    '/_fake',
    '/_fake/',
    '/_fake/v1',
    '/_fake/v1/nothing',
    '/_fake/v1/sandboxs',
    '/_fake/v1/sandboxes/none',
    '/_fake/v1/sandboxes/mine/world',
    '/_fake/v1/sandboxes/default/readings',
    '/_fake/v1/sandboxes/default/clock',
    '/~mine/_fake/v1/provider-states',
    '/~mine/_fake/v1/scenarios',
  ])
    for (const method of ['GET', 'HEAD']) ask(method, path);
  ask('POST', '/', { body: {} });
  ask('DELETE', '/_fake/health');
  ask('OPTIONS', '/_fake/v1/sandboxes');
  ask('PATCH', '/_fake/v1/sandboxes', { body: {} });
  ask('POST', '/_fake/v1/sandboxes', { body: { name: 'made', clock: '2026-01-05T09:00:00Z' } });
  ask('POST', '/_fake/v1/sandboxes', { body: { nam: 'made' } }, 'an unknown field');
  ask('POST', '/_fake/v1/sandboxes', { body: '{' }, 'no JSON');
  ask('POST', '/_fake/v1/sandboxes', { body: team, headers: { 'Content-Type': 'text/plain' } }, 'a form type');
  ask('POST', '/_fake/v1/sandboxes', { body: {}, headers: { Origin: 'http://evil.test' } }, 'a foreign origin');
  ask('POST', '/_fake/v1/sandboxes', { body: `"${'a'.repeat(5000)}"` }, 'too large');
  ask('PATCH', '/_fake/v1/sandboxes/made/world', { body: { licence: { ppf: 'expired' } } });
  ask('POST', `/~made${PPF}/push`, { body: push }, 'not licensed');
  ask('POST', '/_fake/v1/sandboxes/made/reset');
  ask('GET', '/_fake/v1/sandboxes/made/journal');
  ask('DELETE', '/_fake/v1/sandboxes/made');
}

/** Every kind of request there is, for the server of this table. */
export function recordedRequests(): readonly Recorded[] {
  if (recorded.length === 0)
    for (const part of [everyOperation, addresses, methods, callers, bodies, readings, connections, faults, otherPaths])
      part();
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
