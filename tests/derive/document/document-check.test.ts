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
  readonly when: string;
  readonly sent: HttpRequest;
  readonly operation?: OperationId;
  readonly findings: readonly string[];
}

/** A finding on one line: what was found ≠ what the document has (its rule or gap) → what was probably meant. */
function lineOf({ part, pointer, found, expected, rule, gap, nearest }: Finding): string {
  const why = `${rule === undefined ? '' : ` (${rule})`}${gap === undefined ? '' : ` (gap ${gap})`}`;
  return `${part}${pointer === '' ? '' : ` ${pointer}`}: ${found} ≠ ${expected}${why}${nearest === undefined ? '' : ` → ${nearest}`}`;
}

const addresses: readonly Case[] = [
  {
    when: 'a path is in another case',
    sent: request(`POST ${WIKI}/Groups/add-users`, members),
    findings: [
      'path: "/rest/cwxapiextension/latest/Groups/add-users" ≠ "/rest/cwxapiextension/latest/groups/add-users" (address.case-sensitive) → /rest/cwxapiextension/latest/groups/add-users',
    ],
  },
  {
    when: 'a path of the wiki is nearly right',
    sent: request(`POST ${WIKI}/group/add-users`, members),
    findings: [
      'path: "/rest/cwxapiextension/latest/group/add-users" ≠ no such path → /rest/cwxapiextension/latest/groups/add-users',
    ],
  },
  {
    when: 'a path of push and pull is nearly right, below a context',
    sent: request('POST /jira/rest/cwx-ppf/1.0/push', { users: ['a'], filters: [1] }),
    operation: 'ppf.push',
    findings: [
      'path: "/jira/rest/cwx-ppf/1.0/push" ≠ "/jira/rest/cwx-ppf/latest/push" (gap version-segment) → /jira/rest/cwx-ppf/latest/push',
    ],
  },
  {
    when: 'a path is none of the document',
    sent: request('GET /status/health'),
    findings: ['path: "/status/health" ≠ no such path'],
  },
  {
    when: 'a path does not decode',
    sent: request(`PUT ${WIKI}/permissions/edit/%zz`, names),
    findings: [
      'path: "/rest/cwxapiextension/latest/permissions/edit/%zz" ≠ paths whose percent signs stand for UTF-8 text',
    ],
  },
  {
    when: 'a prefix of the wiki is another than the canonical one',
    sent: request('POST /rest/api/cwxapiextension/latest/groups/add-users', members),
    operation: 'groups.add-users',
    findings: ['path: the prefix /rest/api ≠ no prefix for the wiki extension (gap wiki-prefix)'],
  },
  {
    when: 'the wiki extension has no prefix at all',
    sent: request('POST /cwxapiextension/latest/groups/add-users', members),
    operation: 'groups.add-users',
    findings: ['path: none ≠ no prefix for the wiki extension (gap wiki-prefix)'],
  },
  {
    when: 'there is a context path',
    sent: request(`POST /wiki${WIKI}/groups/add-users`, members),
    operation: 'groups.add-users',
    findings: [],
  },
  {
    when: 'a method is in small letters, as pacts of version 1 write it',
    sent: request(`post ${PPF}/pull`, { users: ['a'], filters: [1] }),
    operation: 'ppf.pull',
    findings: [],
  },
  {
    when: 'a method is another',
    sent: request(`PUT ${PPF}/push`, { users: ['a'], filters: [1] }),
    findings: ['method: PUT ≠ POST on /push (ppf.push)'],
  },
  {
    when: 'a method is another, and the rule has another name than the operation',
    sent: request(`GET ${WIKI}/spaces/replaceInPage?spaceKey=a&pageTitle=b`),
    findings: ['method: GET ≠ POST on /spaces/replaceInPage (spaces.replace-body)'],
  },
  {
    when: 'a method is neither that of the request line nor that of the heading',
    sent: request(`GET ${WIKI}/permissions/all/1`),
    findings: ['method: GET ≠ DELETE on /permissions/all/{pageId} (permissions.heading-method)'],
  },
  {
    when: 'a method is that of the heading',
    sent: request(`POST ${WIKI}/permissions/edit/1`, names),
    operation: 'permissions.edit-remove',
    findings: [
      'method: POST ≠ PUT and DELETE on /permissions/edit/{pageId}, and POST only in the heading of permissions.edit-remove (gap heading-methods)',
    ],
  },
  {
    when: 'a method is claimed by two headings',
    sent: request(`POST ${WIKI}/permissions/view/1`, names),
    findings: [
      'method: POST ≠ PUT and DELETE on /permissions/view/{pageId}, and POST only in the heading of permissions.view-add and permissions.view-remove (gap view-post)',
    ],
  },
];

const queries: readonly Case[] = [
  {
    when: 'a query parameter is missing, and another is no boolean',
    sent: request(`POST ${WIKI}/spaces/copySpace?${copy.replace('true', 'maybe')}`),
    operation: 'spaces.copy',
    findings: [
      'query /removeAdminPermissions: no such parameter ≠ the parameter "removeAdminPermissions" and does not say whether it may be left out (gap missing-parameter)',
      'query /keepPagesMetadata: the text "maybe" ≠ true or false (gap query-boolean)',
    ],
  },
  {
    when: 'a boolean is written with a capital',
    sent: request(`POST ${WIKI}/spaces/copySpace?${copy}&removeAdminPermissions=False`),
    operation: 'spaces.copy',
    findings: [],
  },
  {
    when: 'a query parameter is in another case',
    sent: request(`POST ${WIKI}/spaces/isUnique?spacekey=a&spaceName=b`),
    operation: 'spaces.is-unique',
    findings: [
      'query /spacekey: the parameter "spacekey" ≠ the parameters spaceKey, spaceName (address.case-sensitive) → spaceKey',
    ],
  },
  {
    when: 'a query parameter is one too many, and one is repeated',
    sent: request(`POST ${WIKI}/spaces/isUnique?spaceKey=a&spaceKey=b&spaceName=c&a~b/c=1`),
    operation: 'spaces.is-unique',
    findings: [
      'query /a~0b~1c: the parameter "a~b/c" ≠ the parameters spaceKey, spaceName (gap unknown-parameter)',
      'query /spaceKey: the parameter 2 times ≠ it once',
    ],
  },
  {
    when: 'there is a query where the document has none',
    sent: request(`POST ${WIKI}/groups/add-users?notify=true`, members),
    operation: 'groups.add-users',
    findings: ['query /notify: the parameter "notify" ≠ no query parameters (gap unknown-parameter)'],
  },
  {
    when: 'there is an expand',
    sent: request(`POST ${PPF}/push?expand=users.groups`, { users: ['a'], filters: [1] }),
    operation: 'ppf.push',
    findings: [
      'query /expand: the parameter "expand" ≠ expand and does not say on which endpoints (gap expand-unknown)',
    ],
  },
  {
    when: 'a query does not decode',
    sent: request(`POST ${WIKI}/spaces/isUnique?spaceKey=a&spaceName=b&c=%ff`),
    operation: 'spaces.is-unique',
    findings: ['query: "c=%ff" ≠ queries whose percent signs stand for UTF-8 text'],
  },
];

const headers: readonly Case[] = [
  {
    when: 'a content type is not JSON',
    sent: request(`POST ${WIKI}/groups/add-users`, members, { 'content-type': 'text/plain' }),
    operation: 'groups.add-users',
    findings: ['header /Content-Type: "text/plain" ≠ application/json (gap content-type)'],
  },
  {
    when: 'there is no content type',
    sent: request(`POST ${PPF}/push`, { users: ['a'], filters: [1] }, {}),
    operation: 'ppf.push',
    findings: ['header /Content-Type: no content type ≠ application/json (gap content-type)'],
  },
  {
    when: 'the charset is named',
    sent: request(
      `POST ${PPF}/push`,
      { users: ['a'], filters: [1] },
      { 'Content-Type': 'application/json; charset=utf-8' },
    ),
    operation: 'ppf.push',
    findings: [],
  },
  {
    when: 'a header is the fake’s own',
    sent: {
      ...request(`POST ${WIKI}/spaces/isUnique?spaceKey=a&spaceName=b`),
      headers: { 'X-Fake-Reading': 'is-unique-match=both' },
    },
    operation: 'spaces.is-unique',
    findings: [
      'header /X-Fake-Reading: "X-Fake-Reading: is-unique-match=both", which is the fake’s own ≠ no such header',
    ],
  },
];

const push = (body?: unknown) => ({ sent: request(`POST ${PPF}/push`, body), operation: 'ppf.push' }) as const;
const add = (body?: unknown) =>
  ({ sent: request(`POST ${WIKI}/groups/add-users`, body), operation: 'groups.add-users' }) as const;
const shutOut = (body: unknown) =>
  ({ sent: request(`DELETE ${WIKI}/permissions/all/1`, body), operation: 'permissions.all-remove' }) as const;

const bodies: readonly Case[] = [
  {
    when: 'a field is missing',
    ...add({ group: 'a' }),
    findings: [
      'body /users: no such field ≠ the field "users" and does not say whether it may be left out (gap missing-list)',
    ],
  },
  {
    when: 'a field is unknown',
    ...add({ ...members, usres: [] }),
    findings: ['body /usres: the field "usres" ≠ the fields group, users (gap unknown-field) → users'],
  },
  {
    when: 'a field is in another case',
    ...add({ Group: 'a', users: ['b'] }),
    findings: ['body /Group: the field "Group" ≠ the fields group, users (address.case-sensitive) → group'],
  },
  {
    when: 'types of the groups are wrong',
    ...add({ group: ['a'], users: 'b' }),
    findings: [
      'body /group: a list of length 1 ≠ text (groups.body)',
      'body /users: the text "b" ≠ a list (groups.body)',
    ],
  },
  { when: 'a body is a list', ...add([]), findings: ['body: an empty list ≠ an object (groups.body)'] },
  {
    when: 'types of the permissions are wrong',
    sent: request(`PUT ${WIKI}/permissions/edit/1`, { groups: [1], users: null }),
    operation: 'permissions.edit-add',
    findings: ['body /groups/0: the number 1 ≠ text (permissions.body)', 'body /users: null ≠ a list (gap null-field)'],
  },
  {
    when: 'group stands for groups',
    ...shutOut({ group: ['a'], users: ['b'] }),
    findings: [
      'body /group: the field "group" ≠ the field "groups" in its example, and "group" only in its shape (gap all-group-field)',
    ],
  },
  {
    when: 'group stands for groups, and is no list',
    ...shutOut({ group: 'a', users: ['b'] }),
    findings: [
      'body /group: the field "group" ≠ the field "groups" in its example, and "group" only in its shape (gap all-group-field)',
      'body /group: the text "a" ≠ a list (permissions.body)',
    ],
  },
  {
    when: 'group stands beside groups',
    ...shutOut({ group: ['a'], groups: 'c', users: ['b'] }),
    findings: [
      'body /group: the field "group" ≠ the field "groups" in its example, and "group" only in its shape (gap all-group-field)',
      'body /groups: the text "c" ≠ a list (permissions.body)',
    ],
  },
  {
    when: 'elements of a list are wrong',
    sent: request(`POST ${WIKI}/spaces/replaceInPage?spaceKey=a&pageTitle=b`, [
      { oldText: 'a', NewText: 'b' },
      3,
      { oldText: 2 },
    ]),
    operation: 'spaces.replace-in-page',
    findings: [
      'body /0/NewText: the field "NewText" ≠ the fields oldText, newText (address.case-sensitive) → newText',
      'body /1: the number 3 ≠ an object (spaces.replace-list)',
      'body /2/newText: no such field ≠ the field "newText" and does not say whether it may be left out (gap missing-field)',
      'body /2/oldText: the number 2 ≠ text (spaces.replace-list)',
    ],
  },
  {
    when: 'the body is missing',
    ...add(),
    findings: [
      'body: none ≠ a body and does not say whether it may be left out (gap missing-field)',
      'body: none ≠ a body and does not say whether it may be left out (gap missing-list)',
    ],
  },
  { when: 'the body is empty', ...add(''), findings: ['body: an empty one ≠ JSON (address.json-bodies)'] },
  {
    when: 'the body is no UTF-8',
    sent: { ...request(`POST ${PPF}/push`, '"'), body: new Uint8Array([0x22, 0xff, 0x22]) },
    operation: 'ppf.push',
    findings: ['body: one that is no UTF-8 ≠ JSON (address.json-bodies)'],
  },
  {
    when: 'copying has a body',
    sent: request(`POST ${WIKI}/spaces/copySpace?${copy}&removeAdminPermissions=true`, {}),
    operation: 'spaces.copy',
    findings: ['body: an object ≠ query parameters only (spaces.copy-query-only)'],
  },
  {
    when: 'asking after a space has a body that is no JSON',
    sent: request(`POST ${WIKI}/spaces/isUnique?spaceKey=a&spaceName=b`, 'spaceKey=a', {
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    operation: 'spaces.is-unique',
    findings: ['body: a body ≠ query parameters only (spaces.is-unique)'],
  },
  {
    when: 'asking after a space has an empty body of a form, as some clients send it',
    sent: request(`POST ${WIKI}/spaces/isUnique?spaceKey=a&spaceName=b`, '', {
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    operation: 'spaces.is-unique',
    findings: [],
  },
  {
    when: 'there are no recipients',
    ...push({ filters: [1] }),
    findings: ['body: none of them ≠ at least one of users and groups (ppf.needs-recipient)'],
  },
  {
    when: 'there are no items',
    ...push({ groups: ['a'] }),
    findings: ['body: none of them ≠ at least one of filters and dashboards (ppf.needs-item)'],
  },
  {
    when: 'nothing is pushed at all',
    ...push(),
    findings: [
      'body: none of them ≠ at least one of users and groups (ppf.needs-recipient)',
      'body: none of them ≠ at least one of filters and dashboards (ppf.needs-item)',
    ],
  },
  {
    when: 'types of a push are wrong',
    ...push({ users: ['a'], filters: ['1'], dashboards: [1.5] }),
    findings: [
      'body /filters/0: the text "1" ≠ a whole number (ppf.body-types)',
      'body /dashboards/0: the number 1.5 ≠ a whole number (ppf.body-types)',
    ],
  },
  {
    when: 'a list is empty that decides',
    ...push({ users: [], filters: [1], dashboards: [] }),
    findings: [
      'body /users: an empty list ≠ a list and does not say whether an empty one counts (gap ppf-empty-arrays)',
    ],
  },
  {
    when: 'all lists are empty',
    ...push({ users: [], groups: [], filters: [] }),
    findings: [
      'body /users: an empty list ≠ a list and does not say whether an empty one counts (gap ppf-empty-arrays)',
      'body /groups: an empty list ≠ a list and does not say whether an empty one counts (gap ppf-empty-arrays)',
      'body /filters: an empty list ≠ a list and does not say whether an empty one counts (gap ppf-empty-arrays)',
    ],
  },
];

describe('checkRequest', () => {
  for (const { when, sent, operation, findings } of [...addresses, ...queries, ...headers, ...bodies]) {
    it(`has the right findings if ${when}`, () => {
      const checked = checkRequest(sent);
      expect(checked.findings.map(lineOf)).to.deep.equal(findings);
      expect(checked.operation?.id).to.equal(operation);
    });
  }

  it('reports a body that is not JSON, and where', () => {
    const { findings } = checkRequest(add('{"group": ').sent);
    expect(findings).to.have.lengthOf(1);
    expect(findings[0]).to.include({ part: 'body', pointer: '', expected: 'JSON', rule: 'address.json-bodies' });
    expect(findings[0]?.found).to.match(/^one that is no JSON \(.+\)$/);
  });

  it("ignores Confluence's and Jira's REST API, and reports an unknown resource", () => {
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
  ['groups.add-users', { status: 200 }, 'status: 200 ≠ no status there (gap wiki-success)'],
  ['groups.add-users', { status: 409 }, 'status: 409 ≠ no status there (gap no-change)'],
  ['groups.add-users', { status: 404 }, 'status: 404 ≠ no status there'], // several gaps can give it
  [
    'groups.add-users',
    { headers: typed, body: {} },
    'header /Content-Type: "application/json" ≠ no body there (gap wiki-success)',
    'reply: an object ≠ no body there (gap wiki-success)',
  ],
  [
    'spaces.add-sidebar-link',
    { status: 409, body: { message: 'taken' } },
    'status: 409 ≠ no status there (gap sidebar-duplicate)',
    'reply: an object ≠ no body there (gap wiki-error-body)',
  ],
  ['spaces.is-unique', { status: 200 }, 'status: 200 ≠ no status there (gap is-unique-answer)'],
  ['spaces.is-unique', { status: 409 }, 'status: 409 ≠ no status there (gap is-unique-answer)'],
  ['spaces.is-unique', { body: true }, 'reply: true ≠ no body there (gap is-unique-answer)'],
  ['ppf.push', { status: 200 }],
  ['ppf.push', { status: 400 }],
  ['ppf.push', { status: 403 }],
  ['ppf.push', { status: 204 }, 'status: 204 ≠ 200, 400, 403 (ppf.processed-is-200)'],
  ['ppf.push', { status: 401 }, 'status: 401 ≠ 200, 400, 403'], // two gaps can give it
  ['ppf.push', { status: 415 }, 'status: 415 ≠ 200, 400, 403 (gap content-type)'],
  ['ppf.pull', { status: 422 }, 'status: 422 ≠ 200, 400, 403 (ppf.invalid-is-400)'],
  ['ppf.pull', { status: 500 }, 'status: 500 ≠ 200, 400, 403 (ppf.processed-is-200)'],
  [
    'ppf.push',
    { status: 403, headers: typed, body: { errorMessages: [] } },
    'header /Content-Type: "application/json" ≠ no body there (gap ppf-error-body)',
    'reply: an object ≠ no body there (gap ppf-error-body)',
  ],
  [
    'ppf.push',
    { headers: { 'content-type': 'application/json;charset=UTF-8' }, body: { success: false, messages: ['a'] } },
  ],
  ['ppf.push', { body: { success: true } }],
  [
    'ppf.pull',
    { status: 200, body: { success: 'yes', messages: [1], Messages: [], message: 'a' } },
    'reply /Messages: the field "Messages" ≠ the fields success, messages (address.case-sensitive) → messages',
    'reply /message: the field "message" ≠ the fields success, messages (ppf.processed-is-200) → messages',
    'reply /success: the text "yes" ≠ true or false (ppf.success-flag)',
    'reply /messages/0: the number 1 ≠ text (ppf.processed-is-200)',
  ],
  [
    'ppf.push',
    { headers: { 'Content-Type': 'text/html' }, body: null },
    'header /Content-Type: "text/html" ≠ application/json (address.json-bodies)',
    'reply: null ≠ an object (ppf.processed-is-200)',
  ],
  [
    'ppf.push',
    { headers: { 'x-fake-rules': 'ppf.push', Allow: 'POST' } },
    'header /x-fake-rules: "x-fake-rules: ppf.push", which is the fake’s own ≠ no such header',
    'header /Allow: "Allow: POST" ≠ no such header',
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
