// The check of contracts against the document: each way in which a request or an expected response can differ from it has a finding
// of its own.
import { expect } from 'chai';
import { checkExpectation, checkRequest, showFinding } from '../../../server/derive/document/document-check.js';
import { type ExpectedResponse, rulesAbout } from '../../../server/derive/document/expectation-check.js';
import { guaranteesOf } from '../../../server/derive/document/guarantee.js';
import { askedBy } from '../../../server/derive/document/own-choices.js';
import type { Finding } from '../../../server/derive/document/violation.js';
import { type HttpRequest, requestFor } from '../../../server/derive/sending/call.js';
import { type OperationId, operationOf, operations } from '../../../server/operations/catalog/catalog.js';

const WIKI = '/rest/cwxapiextension/latest';
const PPF = '/rest/cwx-ppf/latest';
const ADD = `${WIKI}/groups/add-users`;
const typed = { 'Content-Type': 'application/json' };

/** A request with a JSON body; absent: there is none. */
function request(line: string, body?: unknown, headers: Readonly<Record<string, string>> = typed): HttpRequest {
  const [method = '', path = ''] = line.split(' ');
  return body === undefined
    ? { method, path, headers: {} }
    : { method, path, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
const members = { group: 'a', users: ['b'] };
const names = { groups: ['a'], users: ['b'] };
const copy = 'sourceSpaceKey=a&targetSpaceKey=b&targetSpaceTitle=c&targetSpaceAdmin=&keepPagesMetadata=true';

/** A request, the operation that it is for, and the findings. */
type Case = readonly [sent: HttpRequest, operation: OperationId | undefined, ...findings: string[]];
type Headers = Readonly<Record<string, string>>;

/** A request to an operation. */
const asks =
  (operation: OperationId, line: string, body?: unknown, headers?: Headers) =>
  (...findings: string[]): Case => [request(line, body, headers), operation, ...findings];
const nowhere =
  (line: string, body?: unknown) =>
  (...findings: string[]): Case => [request(line, body), undefined, ...findings];
const add = (body?: unknown, headers?: Headers) =>
  asks('groups.add-users', `POST ${WIKI}/groups/add-users`, body, headers);
const push = (body?: unknown, headers?: Headers) => asks('ppf.push', `POST ${PPF}/push`, body, headers);
const shutOut = (body: unknown) => asks('permissions.all-remove', `DELETE ${WIKI}/permissions/all/1`, body);
const isUnique = (query: string, body?: unknown, headers?: Headers) =>
  asks('spaces.is-unique', `POST ${WIKI}/spaces/isUnique?${query}`, body, headers);
const copySpace = (query: string, body?: unknown) =>
  asks('spaces.copy', `POST ${WIKI}/spaces/copySpace?${query}`, body);
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const pushed = { users: ['a'], filters: [1] };

/** A finding on one line: what was found (the rule or gap of the document) → what was probably meant. */
function lineOf({ part, pointer, found, rule, gap, nearest }: Finding): string {
  const why = `${rule === undefined ? '' : ` (${rule})`}${gap === undefined ? '' : ` (gap ${gap})`}`;
  return `${part}${pointer === '' ? '' : ` ${pointer}`}: ${found}${why}${nearest === undefined ? '' : ` → ${nearest}`}`;
}

const addresses: readonly Case[] = [
  nowhere(`POST ${WIKI}/Groups/add-users`)(`path: "${WIKI}/Groups/add-users" (address.case-sensitive) → ${ADD}`),
  nowhere(`POST ${WIKI}/group/add-users`)(`path: "${WIKI}/group/add-users" → ${ADD}`),
  asks(
    'ppf.push',
    'POST /jira/rest/cwx-ppf/1.0/push',
    pushed,
  )('path: "/jira/rest/cwx-ppf/1.0/push" (gap version-segment) → /jira/rest/cwx-ppf/latest/push'),
  nowhere('GET /status/health')('path: "/status/health"'),
  nowhere(`PUT ${WIKI}/permissions/edit/%zz`, names)(`path: "${WIKI}/permissions/edit/%zz"`),
  asks(
    'groups.add-users',
    `POST ${ADD.replace('/rest', '/rest/api')}`,
    members,
  )('path: the prefix /rest/api (gap wiki-prefix)'),
  asks('groups.add-users', 'POST /cwxapiextension/latest/groups/add-users', members)('path: none (gap wiki-prefix)'),
  asks('groups.add-users', `POST /wiki${WIKI}/groups/add-users`, members)(),
  asks('ppf.pull', `post ${PPF}/pull`, pushed)(),
  nowhere(`PUT ${PPF}/push`, pushed)('method: PUT (ppf.push)'),
  nowhere(`GET ${WIKI}/spaces/replaceInPage?spaceKey=a&pageTitle=b`)('method: GET (spaces.replace-body)'),
  nowhere(`GET ${WIKI}/permissions/all/1`)('method: GET (permissions.heading-method)'),
  asks('permissions.edit-remove', `POST ${WIKI}/permissions/edit/1`, names)('method: POST (gap heading-methods)'),
  nowhere(`POST ${WIKI}/permissions/view/1`, names)('method: POST (gap view-post)'),
];

const queries: readonly Case[] = [
  copySpace(copy.replace('true', 'maybe'))(
    'query /removeAdminPermissions: no such parameter (gap missing-parameter)',
    'query /keepPagesMetadata: "maybe" (gap query-boolean)',
  ),
  copySpace(`${copy}&removeAdminPermissions=False`)(),
  isUnique('spacekey=a&spaceName=b')('query /spacekey: the parameter "spacekey" (address.case-sensitive) → spaceKey'),
  isUnique('spaceKey=a&spaceKey=b&spaceName=c&a~b/c=1')(
    'query /a~0b~1c: the parameter "a~b/c" (gap unknown-parameter)',
    'query /spaceKey: this parameter 2 times',
  ),
  asks(
    'groups.add-users',
    `POST ${ADD}?notify=true`,
    members,
  )('query /notify: the parameter "notify" (gap unknown-parameter)'),
  asks('ppf.push', `POST ${PPF}/push?expand=a.b`, pushed)('query /expand: the parameter "expand" (gap expand-unknown)'),
  isUnique('spaceKey=a&spaceName=b&c=%ff')('query: "c=%ff"'),
];

const headers: readonly Case[] = [
  add(members, { 'content-type': 'text/plain' })('header /Content-Type: "text/plain" (gap content-type)'),
  push(pushed, {})('header /Content-Type: no content type (gap content-type)'),
  push(pushed, { 'Content-Type': 'application/json; charset=utf-8' })(),
  push(pushed, { ...typed, 'X-Fake-Reading': 'no-change=409' })(
    'header /X-Fake-Reading: "X-Fake-Reading: no-change=409", a header that only the fake sends',
  ),
];

const noUtf8 = { ...request(`POST ${PPF}/push`, '"'), body: new Uint8Array([0x22, 0xff, 0x22]) };
const bodies: readonly Case[] = [
  add({ group: 'a' })('body /users: no such field (gap missing-list)'),
  add({ ...members, usres: [] })('body /usres: the field "usres" (gap unknown-field) → users'),
  add({ Group: 'a', users: ['b'] })('body /Group: the field "Group" (address.case-sensitive) → group'),
  add({ group: ['a'], users: 'b' })('body /group: a list of length 1 (groups.body)', 'body /users: "b" (groups.body)'),
  add([])('body: an empty list (groups.body)'),
  asks('permissions.edit-add', `PUT ${WIKI}/permissions/edit/1`, { groups: [1], users: null })(
    'body /groups/0: 1 (permissions.body)',
    'body /users: null (gap null-field)',
  ),
  shutOut({ group: ['a'], users: ['b'] })('body /group: the field "group" (gap all-group-field)'),
  shutOut({ group: 'a', users: ['b'] })(
    'body /group: the field "group" (gap all-group-field)',
    'body /group: "a" (permissions.body)',
  ),
  shutOut({ group: ['a'], groups: 'c', users: ['b'] })(
    'body /group: the field "group" (gap all-group-field)',
    'body /groups: "c" (permissions.body)',
  ),
  asks('spaces.replace-in-page', `POST ${WIKI}/spaces/replaceInPage?spaceKey=a&pageTitle=b`, [
    { oldText: 'a', NewText: 'b' },
    3,
    { oldText: 2 },
  ])(
    'body /0/NewText: the field "NewText" (address.case-sensitive) → newText',
    'body /1: 3 (spaces.replace-list)',
    'body /2/newText: no such field (gap missing-field)',
    'body /2/oldText: 2 (spaces.replace-list)',
  ),
  add()('body: none (gap missing-field)', 'body: none (gap missing-list)'),
  [noUtf8, 'ppf.push', 'body: a body that is not UTF-8 (address.json-bodies)'],
  copySpace(`${copy}&removeAdminPermissions=true`, {})('body: an object (spaces.copy-query-only)'),
  isUnique('spaceKey=a&spaceName=b', 'spaceKey=a', form)('body: a body (spaces.is-unique)'),
  isUnique('spaceKey=a&spaceName=b', '', form)(),
  push({ filters: [1] })('body: none of them (ppf.needs-recipient)'),
  push()('body: none of them (ppf.needs-recipient)', 'body: none of them (ppf.needs-item)'),
  push({ users: ['a'], filters: ['1'], dashboards: [1.5] })(
    'body /filters/0: "1" (ppf.body-types)',
    'body /dashboards/0: 1.5 (ppf.body-types)',
  ),
  push({ users: [], groups: [], filters: [] })(
    'body /users: an empty list (gap ppf-empty-arrays)',
    'body /groups: an empty list (gap ppf-empty-arrays)',
    'body /filters: an empty list (gap ppf-empty-arrays)',
  ),
  push({ users: [], filters: [1], dashboards: [] })('body /users: an empty list (gap ppf-empty-arrays)'),
];

describe('checkRequest', () => {
  it('finds each difference from the document', () => {
    for (const [sent, operation, ...findings] of [...addresses, ...queries, ...headers, ...bodies]) {
      const checked = checkRequest(sent);
      expect(checked.findings.map(lineOf), `${sent.method} ${sent.path} ${sent.body}`).to.deep.equal(findings);
      expect(checked.operation?.id).to.equal(operation);
      for (const { expected } of checked.findings) expect(expected).to.match(/./);
    }
  });

  it('reports a body that is not JSON, and where', () => {
    const { findings } = checkRequest(request(`POST ${WIKI}/groups/add-users`, '{"group": '));
    expect(findings).to.have.lengthOf(1);
    expect(findings[0]).to.include({ part: 'body', pointer: '', expected: 'JSON', rule: 'address.json-bodies' });
    expect(findings[0]?.found).to.match(/^a body that is not JSON \(.+\)$/);
  });

  it('ignores the REST APIs of Confluence and Jira, and reports an unknown resource', () => {
    for (const path of [
      '/rest/api/content/65601?expand=space',
      '/jira/rest/api/2/filter/favourite',
      '/~a/rest/auth/1/session',
    ])
      expect(checkRequest({ method: 'GET', path, headers: {} }), path).to.deep.equal({ findings: [] });
    expect(checkRequest({ method: 'GET', path: '/rest/api/label', headers: {} }).findings).to.have.lengthOf(1);
  });

  it('finds nothing in the examples of the operations', () => {
    for (const operation of operations)
      for (const { as, ...call } of operation.examples) {
        const { operation: found, findings } = checkRequest(requestFor(operation, call));
        expect(found?.id).to.equal(operation.id);
        expect(findings, `${operation.id} as ${as}`).to.deep.equal([]);
      }
  });
});

/** The parts of an expected response, and the findings. */
const expectations: ReadonlyArray<readonly [of: OperationId, expected: Partial<ExpectedResponse>, ...string[]]> = [
  ['groups.add-users', {}],
  ['groups.add-users', { status: 200 }, 'status: 200 (gap wiki-success)'],
  ['groups.add-users', { status: 409 }, 'status: 409 (gap no-change)'],
  ['groups.add-users', { status: 404 }, 'status: 404'], // several gaps can give it
  [
    'groups.add-users',
    { headers: typed, body: {} },
    'header /Content-Type: "application/json" (gap wiki-success)',
    'reply: an object (gap wiki-success)',
  ],
  [
    'spaces.add-sidebar-link',
    { status: 409, body: { message: 'taken' } },
    'status: 409 (gap sidebar-duplicate)',
    'reply: an object (gap wiki-error-body)',
  ],
  ['spaces.is-unique', { status: 200 }, 'status: 200 (gap is-unique-answer)'],
  ['spaces.is-unique', { status: 409 }, 'status: 409 (gap is-unique-answer)'],
  ['spaces.is-unique', { body: true }, 'reply: true (gap is-unique-answer)'],
  ['ppf.push', { status: 204 }, 'status: 204 (ppf.processed-is-200)'],
  ['ppf.push', { status: 401 }, 'status: 401'], // two gaps can give it
  ['ppf.push', { status: 415 }, 'status: 415 (gap content-type)'],
  ['ppf.pull', { status: 422 }, 'status: 422 (ppf.invalid-is-400)'],
  ['ppf.pull', { status: 500 }, 'status: 500 (ppf.processed-is-200)'],
  [
    'ppf.push',
    { status: 403, headers: typed, body: { errorMessages: [] } },
    'header /Content-Type: "application/json" (gap ppf-error-body)',
    'reply: an object (gap ppf-error-body)',
  ],
  [
    'ppf.push',
    { headers: { 'content-type': 'application/json;charset=UTF-8' }, body: { success: false, messages: ['a'] } },
  ],
  ['ppf.push', { body: { success: true } }],
  [
    'ppf.pull',
    { status: 200, body: { success: 'yes', messages: [1], Messages: [], message: 'a' } },
    'reply /Messages: the field "Messages" (address.case-sensitive) → messages',
    'reply /message: the field "message" (ppf.processed-is-200) → messages',
    'reply /success: "yes" (ppf.success-flag)',
    'reply /messages/0: 1 (ppf.processed-is-200)',
  ],
  [
    'ppf.push',
    { headers: { 'Content-Type': 'text/html' }, body: null },
    'header /Content-Type: "text/html" (address.json-bodies)',
    'reply: null (ppf.processed-is-200)',
  ],
  [
    'ppf.push',
    { headers: { 'x-fake-rules': 'ppf.push', Allow: 'POST' } },
    'header /x-fake-rules: "x-fake-rules: ppf.push", a header that only the fake sends',
    'header /Allow: "Allow: POST"',
  ],
];

describe('checkExpectation', () => {
  it('finds each difference from the document', () => {
    for (const [of, expected, ...findings] of expectations) {
      const operation = operationOf(of) ?? expect.fail(`no operation ${of}`);
      const found = checkExpectation(operation, { headers: {}, ...expected }).map(lineOf);
      expect(found, `${of} ${JSON.stringify(expected)}`).to.deep.equal(findings);
    }
  });

  it('knows no status of a wiki operation, and three of push and pull', () => {
    for (const operation of operations)
      for (const code of [200, 204, 400, 401, 403, 404, 409, 500]) {
        const isDocumented = operation.family === 'ppf' && [200, 400, 403].includes(code);
        const found = checkExpectation(operation, { status: code, headers: {} });
        expect(found, `${operation.id} ${code}`).to.have.lengthOf(isDocumented ? 0 : 1);
      }
  });
});

describe('rulesAbout', () => {
  const ofReply = (id: OperationId, place: string, part: 'status' | 'header' | 'body' = 'body') => {
    const operation = operationOf(id);
    return operation && rulesAbout(operation, 200, { part, place });
  };
  const about = (place: string, part?: 'status' | 'header') => ofReply('ppf.push', place, part);

  it('names the rule of a field, of the whole body, and of the status', () => {
    expect(about('$.success')).to.deep.equal(['ppf.success-flag']);
    expect(about('$.messages[0]')).to.deep.equal(['ppf.failure-message']);
    expect(about('$')).to.deep.equal(['ppf.processed-is-200']);
    expect(about('', 'status')).to.deep.equal(['ppf.processed-is-200']);
  });

  it('names none where the document has none', () => {
    expect(ofReply('groups.add-users', '$')).to.deep.equal([]);
    expect(about('Content-Type', 'header')).to.deep.equal([]);
  });
});

describe('showFinding', () => {
  const shown = (line: string, body?: unknown) => checkRequest(request(line, body)).findings.map(showFinding)[0];

  it('names the part and the place', () => {
    expect(shown(`POST ${ADD}`, { ...members, usres: [] })).to.match(
      /^Request body at \/usres: .*did you mean "users"/,
    );
    const [finding] = checkExpectation(operationOf('ppf.push') ?? expect.fail(), { status: 204, headers: {} });
    expect(finding && showFinding(finding)).to.match(/^Status of the response: .*204; /);
  });

  it('escapes control characters', () => {
    expect(shown(`POST ${WIKI}/groups/add-users`, { ...members, '\u001b[31m\u202e': 1 }))
      .to.include('"\\u001b[31m\\u{202e}"')
      .and.to.match(/^[\x20-\x7e]*$/);
  });
});

describe('the guarantee', () => {
  it('is open for the permissions of a page that is closed to the caller', () => {
    const authorization = `Basic ${Buffer.from('a:a').toString('base64')}`;
    const sent = request(`PUT ${WIKI}/permissions/edit/7`, names, { ...typed, authorization });
    const { operation, findings } = checkRequest({ ...sent, headers: typed });
    for (const [group, statuses] of [
      ['g', [299]],
      ['h', [299, 599]],
    ] as const) {
      const world = { groups: { g: ['a'] }, pages: { 7: { space: 'S', view: { groups: [group] } } } };
      const asked = askedBy(sent, operation, world);
      const all = guaranteesOf({ asked, findings, status: 200, rules: [], body: undefined });
      expect(all.flatMap(({ isAside, status }) => (isAside ? [] : status.to))).to.deep.equal(statuses);
    }
  });
});
