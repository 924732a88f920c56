// The check of contracts against the document: each way in which a request or an expected response can differ from it has a finding
// of its own.
import { expect } from 'chai';
import { checkExpectation, checkRequest, showFinding } from '../../../server/derive/document/document-check.js';
import { type ExpectedResponse, rulesAbout } from '../../../server/derive/document/expectation-check.js';
import type { Finding } from '../../../server/derive/document/violation.js';
import { type HttpRequest, requestFor } from '../../../server/derive/sending/call.js';
import { type OperationId, operationOf, operations } from '../../../server/operations/catalog/catalog.js';

const WIKI = '/rest/cwxapiextension/latest';
const PPF = '/rest/cwx-ppf/latest';
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

interface Case {
  readonly sent: HttpRequest;
  readonly operation?: OperationId;
  readonly findings: readonly string[];
}

/** A request to an operation, with a body. */
const asks =
  (operation: OperationId, line: string) => (body?: unknown, headers?: Readonly<Record<string, string>>) => ({
    operation,
    sent: request(line, body, headers),
  });
const add = asks('groups.add-users', `POST ${WIKI}/groups/add-users`);
const push = asks('ppf.push', `POST ${PPF}/push`);
const shutOut = asks('permissions.all-remove', `DELETE ${WIKI}/permissions/all/1`);
const isUnique = (query: string, body?: unknown, headers?: Readonly<Record<string, string>>) =>
  asks('spaces.is-unique', `POST ${WIKI}/spaces/isUnique?${query}`)(body, headers);
const copySpace = (query: string, body?: unknown) =>
  asks('spaces.copy', `POST ${WIKI}/spaces/copySpace?${query}`)(body);
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** A finding on one line: what was found (the rule or gap of the document) → what was probably meant. */
function lineOf({ part, pointer, found, rule, gap, nearest }: Finding): string {
  const why = `${rule === undefined ? '' : ` (${rule})`}${gap === undefined ? '' : ` (gap ${gap})`}`;
  return `${part}${pointer === '' ? '' : ` ${pointer}`}: ${found}${why}${nearest === undefined ? '' : ` → ${nearest}`}`;
}

const addresses: readonly Case[] = [
  {
    sent: request(`POST ${WIKI}/Groups/add-users`, members),
    findings: [
      'path: "/rest/cwxapiextension/latest/Groups/add-users" (address.case-sensitive) → /rest/cwxapiextension/latest/groups/add-users',
    ],
  },
  {
    sent: request(`POST ${WIKI}/group/add-users`, members),
    findings: ['path: "/rest/cwxapiextension/latest/group/add-users" → /rest/cwxapiextension/latest/groups/add-users'],
  },
  {
    sent: request('POST /jira/rest/cwx-ppf/1.0/push', { users: ['a'], filters: [1] }),
    operation: 'ppf.push',
    findings: ['path: "/jira/rest/cwx-ppf/1.0/push" (gap version-segment) → /jira/rest/cwx-ppf/latest/push'],
  },
  { sent: request('GET /status/health'), findings: ['path: "/status/health"'] },
  {
    sent: request(`PUT ${WIKI}/permissions/edit/%zz`, names),
    findings: ['path: "/rest/cwxapiextension/latest/permissions/edit/%zz"'],
  },
  {
    sent: request('POST /rest/api/cwxapiextension/latest/groups/add-users', members),
    operation: 'groups.add-users',
    findings: ['path: the prefix /rest/api (gap wiki-prefix)'],
  },
  {
    sent: request('POST /cwxapiextension/latest/groups/add-users', members),
    operation: 'groups.add-users',
    findings: ['path: none (gap wiki-prefix)'],
  },
  { sent: request(`POST /wiki${WIKI}/groups/add-users`, members), operation: 'groups.add-users', findings: [] },
  { sent: request(`post ${PPF}/pull`, { users: ['a'], filters: [1] }), operation: 'ppf.pull', findings: [] },
  { sent: request(`PUT ${PPF}/push`, { users: ['a'], filters: [1] }), findings: ['method: PUT (ppf.push)'] },
  {
    sent: request(`GET ${WIKI}/spaces/replaceInPage?spaceKey=a&pageTitle=b`),
    findings: ['method: GET (spaces.replace-body)'],
  },
  { sent: request(`GET ${WIKI}/permissions/all/1`), findings: ['method: GET (permissions.heading-method)'] },
  {
    sent: request(`POST ${WIKI}/permissions/edit/1`, names),
    operation: 'permissions.edit-remove',
    findings: ['method: POST (gap heading-methods)'],
  },
  { sent: request(`POST ${WIKI}/permissions/view/1`, names), findings: ['method: POST (gap view-post)'] },
];

const queries: readonly Case[] = [
  {
    ...copySpace(copy.replace('true', 'maybe')),
    findings: [
      'query /removeAdminPermissions: no such parameter (gap missing-parameter)',
      'query /keepPagesMetadata: "maybe" (gap query-boolean)',
    ],
  },
  { ...copySpace(`${copy}&removeAdminPermissions=False`), findings: [] },
  {
    ...isUnique('spacekey=a&spaceName=b'),
    findings: ['query /spacekey: the parameter "spacekey" (address.case-sensitive) → spaceKey'],
  },
  {
    ...isUnique('spaceKey=a&spaceKey=b&spaceName=c&a~b/c=1'),
    findings: [
      'query /a~0b~1c: the parameter "a~b/c" (gap unknown-parameter)',
      'query /spaceKey: this parameter 2 times',
    ],
  },
  {
    ...asks('groups.add-users', `POST ${WIKI}/groups/add-users?notify=true`)(members),
    findings: ['query /notify: the parameter "notify" (gap unknown-parameter)'],
  },
  {
    ...asks('ppf.push', `POST ${PPF}/push?expand=users.groups`)({ users: ['a'], filters: [1] }),
    findings: ['query /expand: the parameter "expand" (gap expand-unknown)'],
  },
  { ...isUnique('spaceKey=a&spaceName=b&c=%ff'), findings: ['query: "c=%ff"'] },
];

const headers: readonly Case[] = [
  {
    ...add(members, { 'content-type': 'text/plain' }),
    findings: ['header /Content-Type: "text/plain" (gap content-type)'],
  },
  {
    ...push({ users: ['a'], filters: [1] }, {}),
    findings: ['header /Content-Type: no content type (gap content-type)'],
  },
  {
    ...push({ users: ['a'], filters: [1] }, { 'Content-Type': 'application/json; charset=utf-8' }),
    findings: [],
  },
  {
    sent: {
      ...request(`POST ${WIKI}/spaces/isUnique?spaceKey=a&spaceName=b`),
      headers: { 'X-Fake-Reading': 'is-unique-match=both' },
    },
    operation: 'spaces.is-unique',
    findings: ['header /X-Fake-Reading: "X-Fake-Reading: is-unique-match=both", a header that only the fake sends'],
  },
];

const bodies: readonly Case[] = [
  { ...add({ group: 'a' }), findings: ['body /users: no such field (gap missing-list)'] },
  { ...add({ ...members, usres: [] }), findings: ['body /usres: the field "usres" (gap unknown-field) → users'] },
  {
    ...add({ Group: 'a', users: ['b'] }),
    findings: ['body /Group: the field "Group" (address.case-sensitive) → group'],
  },
  {
    ...add({ group: ['a'], users: 'b' }),
    findings: ['body /group: a list of length 1 (groups.body)', 'body /users: "b" (groups.body)'],
  },
  { ...add([]), findings: ['body: an empty list (groups.body)'] },
  {
    sent: request(`PUT ${WIKI}/permissions/edit/1`, { groups: [1], users: null }),
    operation: 'permissions.edit-add',
    findings: ['body /groups/0: 1 (permissions.body)', 'body /users: null (gap null-field)'],
  },
  { ...shutOut({ group: ['a'], users: ['b'] }), findings: ['body /group: the field "group" (gap all-group-field)'] },
  {
    ...shutOut({ group: 'a', users: ['b'] }),
    findings: ['body /group: the field "group" (gap all-group-field)', 'body /group: "a" (permissions.body)'],
  },
  {
    ...shutOut({ group: ['a'], groups: 'c', users: ['b'] }),
    findings: ['body /group: the field "group" (gap all-group-field)', 'body /groups: "c" (permissions.body)'],
  },
  {
    sent: request(`POST ${WIKI}/spaces/replaceInPage?spaceKey=a&pageTitle=b`, [
      { oldText: 'a', NewText: 'b' },
      3,
      { oldText: 2 },
    ]),
    operation: 'spaces.replace-in-page',
    findings: [
      'body /0/NewText: the field "NewText" (address.case-sensitive) → newText',
      'body /1: 3 (spaces.replace-list)',
      'body /2/newText: no such field (gap missing-field)',
      'body /2/oldText: 2 (spaces.replace-list)',
    ],
  },
  { ...add(), findings: ['body: none (gap missing-field)', 'body: none (gap missing-list)'] },
  {
    sent: { ...request(`POST ${PPF}/push`, '"'), body: new Uint8Array([0x22, 0xff, 0x22]) },
    operation: 'ppf.push',
    findings: ['body: a body that is not UTF-8 (address.json-bodies)'],
  },
  { ...copySpace(`${copy}&removeAdminPermissions=true`, {}), findings: ['body: an object (spaces.copy-query-only)'] },
  { ...isUnique('spaceKey=a&spaceName=b', 'spaceKey=a', form), findings: ['body: a body (spaces.is-unique)'] },
  { ...isUnique('spaceKey=a&spaceName=b', '', form), findings: [] },
  { ...push({ filters: [1] }), findings: ['body: none of them (ppf.needs-recipient)'] },
  { ...push({ groups: ['a'] }), findings: ['body: none of them (ppf.needs-item)'] },
  { ...push(), findings: ['body: none of them (ppf.needs-recipient)', 'body: none of them (ppf.needs-item)'] },
  {
    ...push({ users: ['a'], filters: ['1'], dashboards: [1.5] }),
    findings: ['body /filters/0: "1" (ppf.body-types)', 'body /dashboards/0: 1.5 (ppf.body-types)'],
  },
  {
    ...push({ users: [], filters: [1], dashboards: [] }),
    findings: ['body /users: an empty list (gap ppf-empty-arrays)'],
  },
  {
    ...push({ users: [], groups: [], filters: [] }),
    findings: [
      'body /users: an empty list (gap ppf-empty-arrays)',
      'body /groups: an empty list (gap ppf-empty-arrays)',
      'body /filters: an empty list (gap ppf-empty-arrays)',
    ],
  },
];

/** What the findings above say that the document has. */
const says = `"/jira/rest/cwx-ppf/latest/push"
"/rest/cwxapiextension/latest/groups/add-users"
DELETE on /permissions/all/{pageId}
JSON
POST on /push
POST on /spaces/replaceInPage
PUT and DELETE on /permissions/edit/{pageId}, and POST only in the heading of permissions.edit-remove
PUT and DELETE on /permissions/view/{pageId}, and POST only in the heading of permissions.view-add and permissions.view-remove
a body, but does not say whether it is optional
a list
a list, but does not say whether it can be empty
a string
a whole number
an object
application/json
at least one of filters and dashboards
at least one of users and groups
expand, but does not say on which endpoints
it once
no prefix for the wiki extension
no query parameters
no such header
no such path
only paths that decode to UTF-8
only queries that decode to UTF-8
query parameters only
the field "groups" in its example, and "group" only in its shape
the field "newText", but does not say whether it is optional
the field "users", but does not say whether it is optional
the fields group, users
the fields oldText, newText
the parameter "removeAdminPermissions", but does not say whether it is optional
the parameters spaceKey, spaceName
true or false`;

describe('checkRequest', () => {
  const cases = [...addresses, ...queries, ...headers, ...bodies];
  for (const { sent, operation, findings } of cases) {
    const { method, path, body = '' } = sent;
    it(`finds ${findings.join(', ') || 'nothing'} in ${method} ${path} ${body}`, () => {
      const checked = checkRequest(sent);
      expect(checked.findings.map(lineOf)).to.deep.equal(findings);
      expect(checked.operation?.id).to.equal(operation);
    });
  }

  it('says what the document has instead', () => {
    const expected = cases.flatMap(({ sent }) => checkRequest(sent).findings.map(finding => finding.expected));
    expect([...new Set(expected)].sort().join('\n')).to.equal(says);
  });

  it('reports a body that is not JSON, and where', () => {
    const { findings } = checkRequest(add('{"group": ').sent);
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
  ['ppf.push', { status: 200 }],
  ['ppf.push', { status: 400 }],
  ['ppf.push', { status: 403 }],
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
  for (const [of, expected, ...findings] of expectations)
    it(`has ${findings.length} findings if ${of} is to answer with ${JSON.stringify(expected)}`, () => {
      const operation = operationOf(of) ?? expect.fail(`no operation ${of}`);
      expect(checkExpectation(operation, { headers: {}, ...expected }).map(lineOf)).to.deep.equal(findings);
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

  it('names the rule that is broken', () => {
    expect(shown(`PUT ${PPF}/push`, { users: ['a'], filters: [1] })).to.equal(
      'Method: the contract has PUT; the document has POST on /push. This breaks ppf.push: The filters and dashboards are pushed to the users and to the members of the groups.',
    );
  });

  it('names the gap, and the nearest name', () => {
    expect(shown(`POST ${WIKI}/groups/add-users`, { ...members, usres: [] })).to.equal(
      'Request body at /usres: the contract has the field "usres" (did you mean "users"?); the document has the fields group, users. Open question (gap unknown-field): What happens to a field of a wiki operation that the document does not name?',
    );
  });

  it('names neither for what the document does not have', () => {
    expect(shown('GET /status/health')).to.equal(
      'Path: the contract has "/status/health"; the document has no such path.',
    );
  });

  it('names the part of a response', () => {
    const [finding] = checkExpectation(operationOf('ppf.push') ?? expect.fail(), { status: 204, headers: {} });
    expect(finding && showFinding(finding)).to.match(/^Status of the response: the contract has 204; /);
  });

  it('escapes control characters', () => {
    const { findings } = checkRequest(request(`POST ${WIKI}/groups/add-users`, { ...members, '\u001b[31m\u202e': 1 }));
    expect(findings.map(showFinding)[0])
      .to.include('"\\u001b[31m\\u{202e}"')
      .and.to.match(/^[\x20-\x7e]*$/);
  });
});
