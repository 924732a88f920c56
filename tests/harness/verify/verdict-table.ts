// Interactions with the verdict that the document gives, each decided from the document before it was run.
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
function ofClass(status: string | readonly number[], example: number, more: Json = {}): Json {
  const { matchingRules = {}, ...rest } = more;
  const rules = { status: { $: { matchers: [{ match: 'statusCode', status }], combine: 'AND' } } };
  return { status: example, ...rest, matchingRules: { ...(matchingRules as Json), ...rules } };
}

/** A response whose body has matchers, by their paths. */
function matching(status: number, content: unknown, rules: Json): Json {
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
const wrongPassword = { Authorization: 'Basic YWRtaW46eA==' };

/** A status, a class of statuses, some statuses, or responses by their names. */
type Expected = number | string | readonly number[] | Readonly<Record<string, Json>>;
type Ended = Pick<Row, 'verdict' | 'on'> & { readonly expects: string; readonly response: Json };
const EXAMPLES: Readonly<Record<string, number>> = {
  success: 200,
  nonError: 200,
  redirect: 302,
  serverError: 500,
  info: 100,
};

function responsesOf(expected: Expected): ReadonlyArray<readonly [name: string, response: Json]> {
  if (typeof expected === 'number') return [[String(expected), replies(expected)]];
  if (typeof expected === 'string') return [[expected, ofClass(expected, EXAMPLES[expected] ?? 404)]];
  if (isList(expected)) return [[expected.join(' or '), ofClass(expected, expected.at(-1) ?? 200)]];
  return Object.entries(expected);
}
const isList = (expected: Expected): expected is readonly number[] => Array.isArray(expected);

const ending =
  (verdict: Row['verdict'], ...on: readonly string[]) =>
  (...all: readonly Expected[]): readonly Ended[] =>
    all.flatMap(responsesOf).map(([expects, response]) => ({ verdict, on, expects, response }));
const D = ending('documented');
const R = ending('rests');
const C = ending('contradicts');
/** It rests on these gaps. */
const on = (...gaps: readonly string[]) => ending('rests', ...gaps);

type Line = readonly [what: string, request: Json, ...ends: ReadonlyArray<readonly Ended[]>];

const rowsOf = (provider: Row['provider'], lines: readonly Line[], states?: Json): readonly Row[] =>
  lines.flatMap(([what, request, ...ends]) =>
    ends.flat().map(({ expects, response, ...rest }) => {
      const interaction = asks(`${what}, expects ${expects}`, '', undefined, response);
      return { provider, interaction: { ...interaction, request, ...states }, ...rest };
    }),
  );

const wiki = (path: string, body?: unknown, method = 'POST') => requestOf(method, `${below}/${path}`, body);
const adding = (body: unknown = member) => wiki('groups/add-users', body);
const anonymous = (path: string, body: unknown) => ({ ...requestOf('POST', path, body), headers: typed.headers });
const asking = (query: Json) => ({ ...wiki('spaces/isUnique'), query });
const unique = { spaceKey: ['NEW'], spaceName: ['New'] };
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

const anyJson = withHeader('Content-Type', 'application/json', { match: 'regex', regex: 'application/json.*' });

const ofTheWiki: readonly Line[] = [
  ['adds', adding(), D('success', 'nonError'), R(200, 201, [204, 200], 429, 503, 413, 'serverError')],
  [
    'adds',
    adding(),
    C(500, 404, 302, 'redirect', 'info'),
    on('wiki-success')({ 'an object': ofClass('success', 200, replies(200, {})) }),
  ],
  [
    'adds',
    adding(),
    R({ JSON: ofClass('success', 200, typed), 'no body': ofClass('success', 200, replies(200, null)) }),
  ],
  ['adds', adding(), R({ 'an id of the request': ofClass('success', 200, withHeader('X-Request-Id', 'a', TYPE)) })],
  ['adds to an unknown group', adding({ ...member, group: 'none' }), on('unknown-group')(404), R('clientError')],
  ['adds an unknown user', adding({ ...member, users: ['bob'] }), on('unknown-user')('success'), R(410)],
  ['adds a user twice', adding({ ...member, users: ['demouser1', 'demouser1'] }), R('success')],
  ['adds without users', adding({ group: 'customers' }), on('missing-list')(400, 'success')],
  ['adds to an object', adding({ ...member, group: {} }), R(422, 415, 404), C('success')],
  ['adds what is no JSON', raw(`${below}/groups/add-users`, '{"group":'), R('clientError', 400), C('success')],
  ['adds anonymously', anonymous(`${below}/groups/add-users`, member), on('wiki-auth')('success'), R(401)],
  ['adds with PUT', wiki('groups/add-users', member, 'PUT'), C('success'), R(405)],
  [
    'adds with wrong credentials',
    { ...adding(), headers: { ...typed.headers, ...wrongPassword } },
    on('bad-credentials')(401),
  ],
  ['adds below a context', requestOf('POST', `/wiki${below}/groups/add-users`, member), D('success')],
  ['asks at an unknown path', wiki('groups/rename', member), R('clientError', 404)],
  ['asks elsewhere', requestOf('GET', '/status/health', undefined), R(200)],
  ['adds in another case', wiki('groups/Add-Users', member), C(200), R(404)],
  ['adds in an encoded path', wiki('%67roups/add-users', member), R('success')],
  ['asks with 1.0', requestOf('POST', '/rest/cwxapiextension/1.0/groups/add-users', member), R('success')],
  ['asks for options', wiki('groups/add-users', undefined, 'OPTIONS'), R(204)],
  ['adds with a slash at the end', wiki('groups/add-users/', member), on('trailing-slash')('success')],
  ['isUnique', asking(unique), R(200, { JSON: ofClass('success', 200, anyJson) }), on('is-unique-answer')('success')],
  ['isUnique', asking(unique), on('is-unique-answer')({ true: ofClass('success', 200, replies(200, true)) })],
  ['isUnique of an empty key', asking({ ...unique, spaceKey: [''] }), R('success')],
  ['isUnique with a further parameter', asking({ ...unique, page: ['1'] }), on('unknown-parameter')('success')],
  ['isUnique with a body', { ...wiki('spaces/isUnique', {}), query: unique }, R('success')],
  ['copies', copying(), D('success'), on('copy-success')(201)],
  ['copies and leaves no admin', copying({ removeAdminPermissions: ['true'] }), R('success')],
  ['copies with a body', copying({}, { keepPagesMetadata: true }), R('success')],
  ['copies to a title of blanks', copying({ targetSpaceTitle: ['  '] }), R('success')],
  ['replaces', replacing([{ oldText: 'wiki', newText: 'team' }]), D('success')],
  ['replaces nothing', replacing([]), R('success')],
  ['adds a link', wiki('spaces/add-sidebar-link', link), D('success')],
  ['edits permissions', page('edit/65601', 'PUT'), D('success')],
  ['edits an unknown page', page('edit/999', 'PUT'), R('clientError', 'error'), on('unknown-page')(404)],
  ['edits the page abc', page('edit/abc', 'PUT'), on('page-id-format', 'unknown-page')(404)],
];

const PUSH = '/rest/cwx-ppf/latest/push';
const ppf = (body: unknown, method = 'POST') => requestOf(method, PUSH, body);
const carol = { Authorization: `Basic ${Buffer.from('carol:carol').toString('base64')}` };
const asCarol = (body: unknown) => requestOf('POST', PUSH, body, carol);
const pushing = ppf(push);
const matches = (content: unknown, matcher: Json, at = '$.messages') => matching(200, content, { [at]: matcher });
const upperCase = { match: 'regex', regex: '^[A-Z].*' };
const keys = { match: 'eachKey', rules: [{ match: 'regex', regex: '[a-z]+' }], value: 'success' };
const header = (...all: Parameters<typeof withHeader>) => ({ status: 200, ...withHeader(...all) });
const flag = (success: unknown) => replies(200, { success });

const SUCCESS = { 'the flag': flag(true) };
const NO_SUCCESS = { 'a false flag': flag(false) };

const ofPushAndPull: readonly Line[] = [
  ['pushes', pushing, D(200, 'success', [201, 200]), C(201, 204, 500, 400), R(429, 503)],
  [
    'pushes',
    pushing,
    D({
      'the flag': flag(true),
      'a flag by type': matches({ success: true }, TYPE, '$.success'),
      'a list': matches(done, TYPE),
      'all of it by type': matches(done, TYPE, '$'),
      JSON: { status: 200, ...typed },
      'JSON with any charset': { status: 200, ...anyJson },
      'JSON in the type': header('Content-Type', 'application/json', { match: 'include', value: 'json' }),
    }),
    R({
      'no messages': replies(200, done),
      'a message': matches({ ...done, messages: ['x'] }, { match: 'type', min: 1 }),
      'messages in upper case': matches({ ...done, messages: ['Done'] }, upperCase, '$.messages[*]'),
      'lower case in keys': matching(200, done, { $: keys, '$.messages': TYPE, '$.success': TYPE }),
      'just these fields': matches(done, { match: 'equality' }, '$'),
      'a time': replies(200, { success: true, timestamp: 1 }),
      'a date': header('Date', 'x', TYPE),
      'a length': header('Content-Length', '3', TYPE),
      'a cache': header('Cache-Control', 'no-store'),
      'a charset': header('Content-Type', 'application/json;charset=UTF-8'),
    }),
    C({
      'a false flag': flag(false),
      'a flag as text': flag('true'),
      'a misspelt flag': replies(200, { sucess: true }),
      'numbers as messages': matches({ ...done, messages: [1] }, { match: 'integer' }, '$.messages[*]'),
      'a text as messages': replies(200, { ...done, messages: 'none' }),
      'a list as the body': replies(200, []),
      HTML: header('Content-Type', 'text/html'),
    }),
  ],
  ['pushes nothing', ppf({}), D(400, 'clientError'), C(422, 200, 403), R({ JSON: { status: 400, ...typed } })],
  [
    'pushes nothing',
    ppf({}),
    on('ppf-error-body')({ messages: matching(400, { messages: ['x'] }, { '$.messages': TYPE }) }),
  ],
  ['pushes to nobody', ppf({ filters: [10500] }), D(400)],
  ['pushes without a body', ppf(undefined), R(400)],
  ['pushes as Carol', asCarol(push), D(403, 'error'), C(401, 200), R({ messages: replies(403, { messages: [] }) })],
  ['pushes as Carol', asCarol(push), R({ 'a login': { ...header('WWW-Authenticate', 'Basic', TYPE), status: 403 } })],
  ['pushes nothing as Carol', asCarol({}), on('ppf-check-order')(403, 400)],
  ['pushes anonymously', anonymous(PUSH, push), on('ppf-anonymous')(403, 401), D([401, 403]), C(200)],
  [
    'pushes with a wrong password',
    requestOf('POST', PUSH, push, wrongPassword),
    D('clientError'),
    on('bad-credentials')(401),
    C(200),
  ],
  [
    'pushes to Bob',
    ppf(withBob),
    D(NO_SUCCESS),
    C(404, 400, SUCCESS, { 'no messages': replies(200, { messages: [] }) }),
  ],
  [
    'pushes to Bob',
    ppf(withBob),
    D({ 'a message': matches(failed, { match: 'type', min: 1 }) }),
    R({ 'two messages': matches(failed, { match: 'type', min: 2 }), 'the wording': replies(200, failed) }),
  ],
  ['pushes with a further field', ppf({ ...push, notify: true }), on('ppf-unknown-field')(200)],
  ['pushes objects', ppf({ ...push, filters: [{}] }), R(422), C(SUCCESS)],
  ['pushes what is no JSON', raw(PUSH, '{'), C(200), R(400)],
  ['pushes as a form', { ...pushing, headers: { ...asAdmin, 'Content-Type': 'text/plain' } }, on('content-type')(200)],
  ['pushes to Alice twice', ppf({ ...push, users: ['alice', 'alice'] }), D(200), R(SUCCESS)],
  ['pushes to Alice and her group', ppf({ ...push, groups: ['jira-core-users'] }), R(SUCCESS)],
  ['pushes and accepts text', requestOf('POST', PUSH, push, { Accept: 'text/plain' }), R(200)],
  ['pushes to an empty group', ppf({ groups: ['customers'], filters: [10500] }), R(SUCCESS)],
];

const unlicensed: readonly Line[] = [
  ['pushes without a licence', pushing, D(403)],
  ['pushes nothing without a licence', ppf({}), on('ppf-check-order')(403)],
];

export const rows: readonly Row[] = [
  ...rowsOf('wiki-extension', ofTheWiki),
  ...rowsOf('push-pull', ofPushAndPull),
  ...rowsOf('push-pull', unlicensed, { providerStates: [{ name: 'unlicensed' }] }),
];
