// Interactions with the verdict that the document gives, each decided from the document before it was run. R: rests, D: documented, C: contradicts.
import type { Json } from '../../../harness/verify/contract/contract.js';
import { asAdmin, asks, replies, requestOf } from './running.js';

export interface Row {
  readonly interaction: Json;
  readonly provider: 'wiki-extension' | 'push-pull';
  readonly verdict: 'documented' | 'rests' | 'contradicts';
  /** Gaps that it rests on, at least. */
  readonly on?: readonly string[];
}

const below = '/rest/cwxapiextension/latest';
const typed = { headers: { 'Content-Type': 'application/json' } };
const member = { group: 'jira-core-users', users: ['demouser1'] };
const push = { users: ['alice'], filters: [10500] };
const withBob = { users: ['alice', 'bob'], filters: [10500] };
const failed = { success: false, messages: ['Could not find user with name bob'] };
const done = { success: true, messages: [] };
const link = { spaceKey: 'ds', label: 'Board', url: 'https://example.com' };

/** A status by a matcher: a class such as `success`, or a list. */
export function ofClass(status: string | readonly number[], example: number, more: Json = {}): Json {
  const { matchingRules = {}, ...rest } = more;
  const rules = { status: { $: { matchers: [{ match: 'statusCode', status }], combine: 'AND' } } };
  return { status: example, ...rest, matchingRules: { ...(matchingRules as Json), ...rules } };
}

/** A response whose body has matchers, by their paths. */
export function matching(status: number, content: unknown, rules: Json): Json {
  const body = Object.entries(rules).map(([at, one]) => [at, { matchers: [one], combine: 'AND' }]);
  return { ...replies(status, content), matchingRules: { body: Object.fromEntries(body) } };
}

function withHeader(name: string, value: string, matcher?: Json): Json {
  return {
    headers: { [name]: value },
    ...(matcher && { matchingRules: { header: { [name]: { matchers: [matcher], combine: 'AND' } } } }),
  };
}
const TYPE = { match: 'type' };

const success = ofClass('success', 200);
const clientError = ofClass('clientError', 404);

const verdicts = { D: 'documented', R: 'rests', C: 'contradicts' } as const;
type Expected = keyof typeof verdicts | readonly ['R', ...string[]];

function row(provider: Row['provider'], interaction: Json, expected: Expected): Row {
  const [letter, ...on] = [expected].flat() as [keyof typeof verdicts, ...string[]];
  return { provider, interaction, verdict: verdicts[letter], on };
}

type Line = readonly [what: string, request: Json, response: Json, verdict: Expected, states?: readonly Json[]];

const rowsOf = (provider: Row['provider'], lines: readonly Line[]) =>
  lines.map(([what, request, response, verdict, states]) =>
    row(
      provider,
      { ...asks(what, '', undefined, response), request, ...(states && { providerStates: states }) },
      verdict,
    ),
  );

const wiki = (path: string, body?: unknown, method = 'POST') => requestOf(method, `${below}/${path}`, body);
const adding = (body: unknown = member) => wiki('groups/add-users', body);
const anonymous = (path: string, body: unknown) => ({ ...requestOf('POST', path, body), headers: typed.headers });
const asking = (query: Json) => ({ ...wiki('spaces/isUnique'), query });
const unique = asking({ spaceKey: ['NEW'], spaceName: ['New'] });
const copying = (more: Json = {}, body?: unknown) => ({
  ...wiki('spaces/copySpace', body),
  query: {
    ...{ sourceSpaceKey: ['tmpl'], targetSpaceKey: ['N'], targetSpaceTitle: ['N'], targetSpaceAdmin: ['admin'] },
    ...{ removeAdminPermissions: ['false'], keepPagesMetadata: ['true'], ...more },
  },
});
const replacing = (body: unknown) => ({
  ...wiki('spaces/replaceInPage', body),
  query: { spaceKey: ['ds'], pageTitle: ['Welcome'] },
});
const page = (path: string, method: string, body: unknown = { users: ['carol'], groups: [] }) =>
  wiki(`permissions/${path}`, body, method);
const raw = (path: string, content: string) => ({
  method: 'POST',
  path,
  headers: { ...asAdmin, 'Content-Type': 'application/json' },
  body: { content: Buffer.from(content).toString('base64'), contentType: 'application/json', encoded: 'base64' },
});

const ofTheWiki: readonly Line[] = [
  ['adds, expects 200', adding(), replies(200), 'R'],
  ['adds, expects 201', adding(), replies(201), 'R'],
  ['adds, expects 200 or 204', adding(), ofClass([200, 204], 200), 'R'],
  ['adds, expects success', adding(), success, 'D'],
  ['adds, expects no error', adding(), ofClass('nonError', 200), 'D'],
  ['adds, expects 500', adding(), replies(500), 'C'],
  ['adds, expects 404', adding(), replies(404), 'C'],
  ['adds, expects 302', adding(), replies(302), 'C'],
  ['adds, expects a redirect', adding(), ofClass('redirect', 302), 'C'],
  ['adds, expects 429', adding(), replies(429), 'R'],
  ['adds, expects 503', adding(), replies(503), 'R'],
  ['adds, expects 413', adding(), replies(413), 'R'],
  ['adds, expects a server error', adding(), ofClass('serverError', 500), 'R'],
  ['adds, expects success with {}', adding(), ofClass('success', 200, replies(200, {})), ['R', 'wiki-success']],
  ['adds, expects success with JSON', adding(), ofClass('success', 200, typed), 'R'],
  [
    'adds, expects success with an id of the request',
    adding(),
    ofClass('success', 200, withHeader('X-Request-Id', 'a', TYPE)),
    'R',
  ],
  ['sets, expects success', wiki('groups/set-users', member), success, 'D'],
  [
    'removes, expects success',
    wiki('groups/remove-users', { group: 'jira-core-users', users: ['alice'] }),
    success,
    'D',
  ],
  ['sets none, expects success', wiki('groups/set-users', { ...member, users: [] }), success, ['R', 'set-users-empty']],
  ['adds none, expects success', adding({ ...member, users: [] }), success, ['R', 'empty-lists']],
  ['adds a member again, expects success', adding({ ...member, users: ['alice'] }), success, ['R', 'no-change']],
  ['adds to an unknown group, expects 404', adding({ ...member, group: 'none' }), replies(404), ['R', 'unknown-group']],
  ['adds to an unknown group, expects an error of the client', adding({ ...member, group: 'none' }), clientError, 'R'],
  ['adds an unknown user, expects success', adding({ ...member, users: ['bob'] }), success, ['R', 'unknown-user']],
  ['adds an unknown user, expects 410', adding({ ...member, users: ['bob'] }), replies(410), 'R'],
  ['adds a user twice, expects success', adding({ ...member, users: ['demouser1', 'demouser1'] }), success, 'R'],
  ['adds with a further field, expects success', adding({ ...member, notify: true }), success, ['R', 'unknown-field']],
  ['adds without users, expects 400', adding({ group: 'customers' }), replies(400), ['R', 'missing-list']],
  ['adds without users, expects success', adding({ group: 'customers' }), success, ['R', 'missing-list']],
  ['adds without a group, expects success', adding({ users: ['alice'] }), success, ['R', 'missing-field']],
  ['adds to a number, expects 400', adding({ ...member, group: 7 }), replies(400), ['R', 'field-type']],
  ['adds to an object, expects 422', adding({ ...member, group: {} }), replies(422), 'R'],
  ['adds to an object, expects 415', adding({ ...member, group: {} }), replies(415), 'R'],
  ['adds to an object, expects 404', adding({ ...member, group: {} }), replies(404), 'R'],
  ['adds to an object, expects success', adding({ ...member, group: {} }), success, 'C'],
  [
    'adds what is no JSON, expects an error of the client',
    raw(`${below}/groups/add-users`, '{"group":'),
    clientError,
    'R',
  ],
  ['adds what is no JSON, expects 400', raw(`${below}/groups/add-users`, '{"group":'), replies(400), 'R'],
  ['adds what is no JSON, expects success', raw(`${below}/groups/add-users`, '{"group":'), success, 'C'],
  ['adds anonymously, expects success', anonymous(`${below}/groups/add-users`, member), success, ['R', 'wiki-auth']],
  ['adds anonymously, expects 401', anonymous(`${below}/groups/add-users`, member), replies(401), 'R'],
  ['adds with PUT, expects success', wiki('groups/add-users', member, 'PUT'), success, 'C'],
  ['adds with PUT, expects 405', wiki('groups/add-users', member, 'PUT'), replies(405), 'R'],
  ['gets the members, expects 200', wiki('groups/add-users', undefined, 'GET'), replies(200), 'C'],
  [
    'adds with wrong credentials, expects 401',
    { ...adding(), headers: { ...typed.headers, Authorization: 'Basic YWRtaW46eA==' } },
    replies(401),
    ['R', 'bad-credentials'],
  ],
  [
    'adds in another case of the group, expects 404',
    adding({ ...member, group: 'Customers' }),
    replies(404),
    ['R', 'name-case'],
  ],
  [
    'adds below a context, expects success',
    requestOf('POST', '/wiki/rest/cwxapiextension/latest/groups/add-users', member),
    success,
    'D',
  ],
  [
    'adds below rest/api, expects success',
    requestOf('POST', '/rest/api/cwxapiextension/latest/groups/add-users', member),
    success,
    ['R', 'wiki-prefix'],
  ],
  ['adds, expects information', adding(), ofClass('info', 100), 'C'],
  ['adds, expects no body', adding(), ofClass('success', 200, replies(200, null)), 'R'],
  ['asks for options, expects 204', wiki('groups/add-users', undefined, 'OPTIONS'), replies(204), 'R'],
  ['asks at an unknown path, expects an error of the client', wiki('groups/rename', member), clientError, 'R'],
  ['asks at an unknown path, expects 404', wiki('groups/rename', member), replies(404), 'R'],
  ['asks at an unknown path, expects 200', requestOf('GET', '/status/health', undefined), replies(200), 'R'],
  ['adds in another case, expects 200', wiki('groups/Add-Users', member), replies(200), 'C'],
  ['adds in another case, expects 404', wiki('groups/Add-Users', member), replies(404), 'R'],
  [
    'adds with a slash at the end, expects success',
    wiki('groups/add-users/', member),
    success,
    ['R', 'trailing-slash'],
  ],
  ['adds in an encoded path, expects success', wiki('%67roups/add-users', member), success, 'R'],
  [
    'asks with 1.0, expects success',
    requestOf('POST', '/rest/cwxapiextension/1.0/groups/add-users', member),
    success,
    'R',
  ],
  ['isUnique, expects 200', unique, replies(200), 'R'],
  ['isUnique, expects success', unique, success, ['R', 'is-unique-answer']],
  ['isUnique, expects true', unique, ofClass('success', 200, replies(200, true)), ['R', 'is-unique-answer']],
  [
    'isUnique, expects some JSON',
    unique,
    ofClass(
      'success',
      200,
      withHeader('Content-Type', 'application/json', { match: 'regex', regex: 'application/json.*' }),
    ),
    'R',
  ],
  [
    'isUnique of a key twice, expects success',
    asking({ spaceKey: ['NEW', 'ds'], spaceName: ['New'] }),
    success,
    ['R', 'repeated-parameter'],
  ],
  ['isUnique of no name, expects success', asking({ spaceKey: ['NEW'] }), success, ['R', 'missing-parameter']],
  ['isUnique of an empty key, expects success', asking({ spaceKey: [''], spaceName: ['New'] }), success, 'R'],
  [
    'isUnique with a further parameter, expects success',
    asking({ spaceKey: ['NEW'], spaceName: ['New'], page: ['1'] }),
    success,
    ['R', 'unknown-parameter'],
  ],
  [
    'isUnique with a body, expects success',
    { ...wiki('spaces/isUnique', {}), query: { spaceKey: ['NEW'], spaceName: ['New'] } },
    success,
    'R',
  ],
  ['copies, expects success', copying(), success, 'D'],
  ['copies and leaves no admin, expects success', copying({ removeAdminPermissions: ['true'] }), success, 'R'],
  ['copies, expects 201', copying(), replies(201), ['R', 'copy-success']],
  ['copies for Alice, expects success', copying({ targetSpaceAdmin: ['alice'] }), success, ['R', 'admin-eligibility']],
  [
    'copies to a key with a dash, expects 400',
    copying({ targetSpaceKey: ['A-B'] }),
    replies(400),
    ['R', 'space-key-format'],
  ],
  [
    'copies to a key that is taken, expects 409',
    copying({ targetSpaceKey: ['ds'] }),
    replies(409),
    ['R', 'target-space-exists'],
  ],
  ['copies with a body, expects success', copying({}, { keepPagesMetadata: true }), success, 'R'],
  [
    'copies a space that is not there, expects 404',
    copying({ sourceSpaceKey: ['none'] }),
    replies(404),
    ['R', 'unknown-space'],
  ],
  ['copies to a title of blanks, expects success', copying({ targetSpaceTitle: ['  '] }), success, 'R'],
  ['replaces, expects success', replacing([{ oldText: 'wiki', newText: 'team' }]), success, 'D'],
  [
    'replaces what is not there, expects success',
    replacing([{ oldText: 'none', newText: 'team' }]),
    success,
    ['R', 'replace-not-found'],
  ],
  ['replaces nothing, expects success', replacing([]), success, 'R'],
  ['adds a link, expects success', wiki('spaces/add-sidebar-link', link), success, 'D'],
  [
    'adds a link without a scheme, expects success',
    wiki('spaces/add-sidebar-link', { ...link, url: 'board' }),
    success,
    ['R', 'sidebar-link-form'],
  ],
  [
    'adds a link to an unknown space, expects 404',
    wiki('spaces/add-sidebar-link', { ...link, spaceKey: 'none' }),
    replies(404),
    ['R', 'unknown-space'],
  ],
  ['edits permissions, expects success', page('edit/65601', 'PUT'), success, 'D'],
  ['removes permissions, expects success', page('edit/65601', 'DELETE'), success, ['R', 'no-change']],
  ['edits by the heading, expects success', page('edit/65601', 'POST'), success, ['R', 'heading-methods']],
  ['views by the heading, expects 405', page('view/65601', 'POST'), replies(405), ['R', 'view-post']],
  ['edits an unknown page, expects an error of the client', page('edit/999', 'PUT'), clientError, 'R'],
  ['edits an unknown page, expects an error', page('edit/999', 'PUT'), ofClass('error', 404), 'R'],
  ['edits an unknown page, expects 404', page('edit/999', 'PUT'), replies(404), ['R', 'unknown-page']],
  ['edits the page abc, expects 404', page('edit/abc', 'PUT'), replies(404), ['R', 'page-id-format', 'unknown-page']],
  [
    'removes all by `group`, expects success',
    page('all/65601', 'DELETE', { users: ['carol'], group: ['customers'] }),
    success,
    ['R', 'all-group-field'],
  ],
];

const ppf = (body: unknown, method = 'POST') => requestOf(method, '/rest/cwx-ppf/latest/push', body);
const pushing = ppf(push);
const carol = { Authorization: `Basic ${Buffer.from('carol:carol').toString('base64')}` };
const asCarol = (body: unknown) => requestOf('POST', '/rest/cwx-ppf/latest/push', body, carol);
const withWrongPassword = requestOf('POST', '/rest/cwx-ppf/latest/push', push, { Authorization: 'Basic YWRtaW46eA==' });
const pushingAnonymously = anonymous('/rest/cwx-ppf/latest/push', push);
const texts = (content: unknown, matcher: Json, at = '$.messages') => matching(200, content, { [at]: matcher });
const upperCase = { match: 'regex', regex: '^[A-Z].*' };
const keys = { match: 'eachKey', rules: [{ match: 'regex', regex: '[a-z]+' }], value: 'success' };

const ofPushAndPull: readonly Line[] = [
  ['pushes, expects 200', pushing, replies(200), 'D'],
  ['pushes, expects success', pushing, success, 'D'],
  ['pushes, expects 200 or 201', pushing, ofClass([200, 201], 200), 'D'],
  ['pushes, expects 201', pushing, replies(201), 'C'],
  ['pushes, expects 204', pushing, replies(204), 'C'],
  ['pushes, expects 500', pushing, replies(500), 'C'],
  ['pushes, expects 429', pushing, replies(429), 'R'],
  ['pushes, expects 503', pushing, replies(503), 'R'],
  ['pushes, expects the flag', pushing, replies(200, { success: true }), 'D'],
  ['pushes, expects a flag by type', pushing, matching(200, { success: true }, { '$.success': TYPE }), 'D'],
  ['pushes, expects a false flag', pushing, replies(200, { success: false }), 'C'],
  ['pushes, expects a flag as text', pushing, replies(200, { success: 'true' }), 'C'],
  ['pushes, expects no messages', pushing, replies(200, done), 'R'],
  ['pushes, expects a list', pushing, texts(done, TYPE), 'D'],
  ['pushes, expects a message', pushing, texts({ ...done, messages: ['x'] }, { match: 'type', min: 1 }), 'R'],
  ['pushes, expects at most 5 messages', pushing, texts({ ...done, messages: ['x'] }, { match: 'type', max: 5 }), 'R'],
  [
    'pushes, expects messages in upper case',
    pushing,
    texts({ ...done, messages: ['Done'] }, upperCase, '$.messages[*]'),
    'R',
  ],
  [
    'pushes, expects numbers as messages',
    pushing,
    texts({ ...done, messages: [1] }, { match: 'integer' }, '$.messages[*]'),
    'C',
  ],
  ['pushes, expects a text as messages', pushing, replies(200, { ...done, messages: 'none' }), 'C'],
  ['pushes, expects null as messages', pushing, replies(200, { ...done, messages: null }), 'C'],
  ['pushes, expects a list as the body', pushing, replies(200, []), 'C'],
  [
    'pushes, expects lower case in keys',
    pushing,
    matching(200, done, { $: keys, '$.messages': TYPE, '$.success': TYPE }),
    'R',
  ],
  ['pushes, expects just these fields', pushing, matching(200, done, { $: { match: 'equality' } }), 'R'],
  ['pushes, expects a time', pushing, replies(200, { success: true, timestamp: 1 }), 'R'],
  ['pushes, expects a misspelt flag', pushing, replies(200, { sucess: true }), 'C'],
  ['pushes, expects a date', pushing, { status: 200, ...withHeader('Date', 'x', TYPE) }, 'R'],
  ['pushes, expects a length', pushing, { status: 200, ...withHeader('Content-Length', '3', TYPE) }, 'R'],
  ['pushes, expects a connection', pushing, { status: 200, ...withHeader('Connection', 'x', TYPE) }, 'R'],
  ['pushes, expects a cache', pushing, { status: 200, ...withHeader('Cache-Control', 'no-store') }, 'R'],
  ['pushes, expects the rules of the fake', pushing, { status: 200, ...withHeader('X-Fake-Rules', 'x', TYPE) }, 'R'],
  ['pushes, expects JSON', pushing, { status: 200, ...typed }, 'D'],
  [
    'pushes, expects JSON with any charset',
    pushing,
    { status: 200, ...withHeader('Content-Type', 'application/json', { match: 'regex', regex: 'application/json.*' }) },
    'D',
  ],
  [
    'pushes, expects a charset',
    pushing,
    { status: 200, headers: { 'Content-Type': 'application/json;charset=UTF-8' } },
    'R',
  ],
  ['pushes, expects HTML', pushing, { status: 200, headers: { 'Content-Type': 'text/html' } }, 'C'],
  ['pushes nothing, expects 400', ppf({}), replies(400), 'D'],
  ['pushes nothing, expects an error of the client', ppf({}), clientError, 'D'],
  [
    'pushes nothing, expects messages',
    ppf({}),
    matching(400, { messages: ['x'] }, { '$.messages': TYPE }),
    ['R', 'ppf-error-body'],
  ],
  ['pushes nothing, expects JSON', ppf({}), { status: 400, ...typed }, 'R'],
  ['pushes nothing, expects 422', ppf({}), replies(422), 'C'],
  ['pushes nothing, expects 200', ppf({}), replies(200), 'C'],
  ['pushes nothing, expects 403', ppf({}), replies(403), 'C'],
  ['pushes without a body, expects 400', ppf(undefined), replies(400), 'R'],
  ['pushes to nobody, expects 400', ppf({ filters: [10500] }), replies(400), 'D'],
  [
    'pushes to an empty list, expects 400',
    ppf({ users: [], filters: [10500] }),
    replies(400),
    ['R', 'ppf-empty-arrays'],
  ],
  ['pushes as Carol, expects 403', asCarol(push), replies(403), 'D'],
  ['pushes as Carol, expects 401', asCarol(push), replies(401), 'C'],
  ['pushes as Carol, expects 200', asCarol(push), replies(200), 'C'],
  ['pushes as Carol, expects messages', asCarol(push), replies(403, { messages: [] }), 'R'],
  ['pushes nothing as Carol, expects 403', asCarol({}), replies(403), ['R', 'ppf-check-order']],
  ['pushes nothing as Carol, expects 400', asCarol({}), replies(400), ['R', 'ppf-check-order']],
  ['pushes anonymously, expects 403', pushingAnonymously, replies(403), ['R', 'ppf-anonymous']],
  ['pushes anonymously, expects 401', pushingAnonymously, replies(401), ['R', 'ppf-anonymous']],
  ['pushes anonymously, expects either', pushingAnonymously, ofClass([401, 403], 403), 'D'],
  ['pushes anonymously, expects 200', pushingAnonymously, replies(200), 'C'],
  ['pushes with a wrong password, expects an error of the client', withWrongPassword, clientError, 'D'],
  ['pushes with a wrong password, expects 401', withWrongPassword, replies(401), ['R', 'bad-credentials']],
  ['pushes with a wrong password, expects 200', withWrongPassword, replies(200), 'C'],
  ['pushes without a licence, expects 403', pushing, replies(403), 'D', [{ name: 'unlicensed' }]],
  ['pushes to Bob, expects a false flag', ppf(withBob), replies(200, { success: false }), 'D'],
  ['pushes to Bob, expects a true flag', ppf(withBob), replies(200, { success: true }), 'C'],
  ['pushes to Bob, expects 404', ppf(withBob), replies(404), 'C'],
  ['pushes to Bob, expects 400', ppf(withBob), replies(400), 'C'],
  ['pushes to Bob, expects a message', ppf(withBob), texts(failed, { match: 'type', min: 1 }), 'D'],
  ['pushes to Bob, expects the wording', ppf(withBob), replies(200, failed), 'R'],
  ['pushes to Bob, expects two messages', ppf(withBob), texts(failed, { match: 'type', min: 2 }), 'R'],
  [
    'pushes an unknown filter, expects a false flag',
    ppf({ ...push, filters: [9] }),
    replies(200, { success: false }),
    ['R', 'ppf-unknown-item'],
  ],
  ['pushes an unknown filter, expects 400', ppf({ ...push, filters: [9] }), replies(400), ['R', 'ppf-unknown-item']],
  [
    'pushes with a further field, expects 200',
    ppf({ ...push, notify: true }),
    replies(200),
    ['R', 'ppf-unknown-field'],
  ],
  ['pushes filters as texts, expects 400', ppf({ ...push, filters: ['10500'] }), replies(400), ['R', 'field-type']],
  ['pushes filters as texts, expects 200', ppf({ ...push, filters: ['10500'] }), replies(200), ['R', 'field-type']],
  ['pushes objects, expects 422', ppf({ ...push, filters: [{}] }), replies(422), 'R'],
  ['pushes objects, expects a true flag', ppf({ ...push, filters: [{}] }), replies(200, { success: true }), 'C'],
  ['pushes what is no JSON, expects 200', raw('/rest/cwx-ppf/latest/push', '{'), replies(200), 'C'],
  ['pushes what is no JSON, expects 400', raw('/rest/cwx-ppf/latest/push', '{'), replies(400), 'R'],
  ['pushes a list, expects 400', ppf([]), replies(400), 'R'],
  ['pushes null, expects 400', ppf({ ...push, users: null }), replies(400), 'R'],
  ['pushes to Bob, expects no messages', ppf(withBob), replies(200, { messages: [] }), 'C'],
  [
    'pushes and expands, expects 200',
    { ...pushing, query: { expand: ['a.b'] } },
    replies(200),
    ['R', 'expand-unknown'],
  ],
  [
    'pushes as a form, expects 200',
    { ...pushing, headers: { ...asAdmin, 'Content-Type': 'text/plain' } },
    replies(200),
    ['R', 'content-type'],
  ],
  ['pushes by type, expects all of it', pushing, matching(200, done, { $: TYPE }), 'D'],
  [
    'pushes, expects some text of JSON in the type',
    pushing,
    { status: 200, ...withHeader('Content-Type', 'application/json', { match: 'include', value: 'json' }) },
    'D',
  ],
  ['pushes, expects 400', pushing, replies(400), 'C'],
  ['pushes as Carol, expects an error', asCarol(push), ofClass('error', 403), 'D'],
  [
    'pushes as Carol, expects a login',
    asCarol(push),
    { status: 403, ...withHeader('WWW-Authenticate', 'Basic', TYPE) },
    'R',
  ],
  [
    'pushes nothing without a licence, expects 403',
    ppf({}),
    replies(403),
    ['R', 'ppf-check-order'],
    [{ name: 'unlicensed' }],
  ],
  [
    'pulls from an unknown group, expects a false flag',
    requestOf('POST', '/rest/cwx-ppf/latest/pull', { groups: ['none'], filters: [10500] }),
    replies(200, { success: false }),
    ['R', 'ppf-unknown-item'],
  ],
  ['gets, expects 405', requestOf('GET', '/rest/cwx-ppf/latest/push', undefined), replies(405), 'R'],
  ['pushes with PUT, expects an error of the client', ppf(push, 'PUT'), clientError, 'R'],
  ['pushes with PUT, expects 200', ppf(push, 'PUT'), replies(200), 'C'],
  [
    'pushes and accepts text, expects 200',
    requestOf('POST', '/rest/cwx-ppf/latest/push', push, { Accept: 'text/plain' }),
    replies(200),
    'R',
  ],
  ['pushes to Alice twice, expects 200', ppf({ ...push, users: ['alice', 'alice'] }), replies(200), 'D'],
  [
    'pushes to Alice twice, expects the flag',
    ppf({ ...push, users: ['alice', 'alice'] }),
    replies(200, { success: true }),
    'R',
  ],
  [
    'pushes to an empty group, expects the flag',
    ppf({ groups: ['customers'], filters: [10500] }),
    replies(200, { success: true }),
    'R',
  ],
  [
    'pushes to Alice and her group, expects the flag',
    ppf({ ...push, groups: ['jira-core-users'] }),
    replies(200, { success: true }),
    'R',
  ],
  [
    'pushes what Alice cannot see, expects a false flag',
    ppf({ users: ['alice'], dashboards: [11100] }),
    replies(200, { success: false }),
    ['R', 'ppf-invisible-item'],
  ],
  ['pushes what Alice cannot see, expects 200', ppf({ users: ['alice'], dashboards: [11100] }), replies(200), 'D'],
  [
    'pushes what Carol has, expects the flag',
    ppf({ users: ['carol'], filters: [10600] }),
    replies(200, { success: true }),
    ['R', 'ppf-no-change'],
  ],
];

export const rows: readonly Row[] = [...rowsOf('wiki-extension', ofTheWiki), ...rowsOf('push-pull', ofPushAndPull)];
