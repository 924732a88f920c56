// The table of refusals: title, status, and the rule or gap behind each. Operations declare which of them they use.

interface RefusalSpec {
  /** A status, or `as-read`: the number that the reading of `gap` names. */
  readonly status: number | 'as-read';
  readonly title: string;
  readonly rules?: readonly string[];
  readonly gap?: string;
  /** The readings of `gap` that exclude it; absent: all except the one named like its status, or like any status for as-read. */
  readonly unless?: readonly string[];
  /** The gap whose reading is the status, if it is another one than `gap`. */
  readonly statusGap?: string;
}

export const refusals = {
  'bad-address': { status: 404, title: 'There is no such path' },
  'wrong-case': { status: 404, title: 'The path exists in another case', rules: ['address.case-sensitive'] },
  'context-not-served': {
    status: 404,
    title: 'The context path is not served',
    gap: 'context-path',
    unless: [],
  },
  'ppf-context-not-served': {
    status: 404,
    title: 'Push and pull are not served below this context path',
    gap: 'ppf-context-path',
    unless: [],
  },
  'prefix-not-served': { status: 404, title: 'The prefix is not served', gap: 'wiki-prefix', unless: ['any'] },
  'version-not-served': {
    status: 404,
    title: 'The version is not served',
    gap: 'version-segment',
    unless: ['any'],
  },
  'slash-not-served': { status: 404, title: 'The path has a slash at its end', gap: 'trailing-slash' },
  'undecodable-path': { status: 400, title: 'The path does not decode' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'heading-method-not-served': {
    status: 405,
    title: 'The method of the heading is not served',
    gap: 'heading-methods',
    unless: ['unambiguous'],
  },
  'view-post-ambiguous': {
    status: 405,
    title: 'POST is claimed by two operations',
    gap: 'view-post',
    unless: ['add', 'remove'],
  },
  'unknown-reading': { status: 400, title: 'There is no such gap or reading' },
  'bad-credentials': { status: 'as-read', title: 'The credentials are wrong', gap: 'bad-credentials' },
  'wiki-anonymous': {
    status: 'as-read',
    title: 'The caller must be authenticated',
    gap: 'wiki-auth',
    unless: ['open'],
    statusGap: 'wiki-anonymous',
  },
  'wiki-not-admin': {
    status: 403,
    title: 'The caller must be an admin',
    gap: 'wiki-auth',
    unless: ['open', 'authenticated'],
  },
  'wiki-not-permitted': {
    status: 403,
    title: 'The caller is not permitted',
    gap: 'wiki-auth',
    unless: ['open', 'authenticated', 'admin'],
  },
  'wiki-not-licensed': {
    status: 403,
    title: 'The wiki extension is not licensed',
    gap: 'wiki-licence',
    unless: ['not-needed'],
  },
  'xsrf-check': { status: 403, title: 'The XSRF check failed', gap: 'browser-post' },
  'ppf-anonymous': {
    status: 'as-read',
    title: 'The caller must be authenticated',
    rules: ['ppf.authenticated'],
    gap: 'ppf-anonymous',
  },
  'ppf-not-admin': { status: 403, title: 'The caller must be an admin', rules: ['ppf.admin-only'] },
  'ppf-not-licensed': { status: 403, title: 'The add-on is not licensed', rules: ['ppf.licensed-only'] },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'body-encoding': { status: 415, title: 'The content encoding is not supported' },
  'body-cut-short': { status: 400, title: 'The body ended too early' },
  'body-content-type': { status: 415, title: 'The content type is not JSON', gap: 'content-type' },
  'body-absent': { status: 400, title: 'There is no body', gap: 'missing-field' },
  'lists-absent': { status: 400, title: 'There is no body with its lists', gap: 'missing-list' },
  'body-not-utf8': { status: 400, title: 'The body is not UTF-8', rules: ['address.json-bodies'] },
  'body-not-json': { status: 400, title: 'The body is not JSON', rules: ['address.json-bodies'] },
  'body-shape': { status: 400, title: 'The body has the wrong shape' },
  'query-shape': {
    status: 400,
    title: 'A query parameter has the wrong shape',
    gap: 'query-boolean',
    unless: ['lenient'],
  },
  'query-undecodable': { status: 400, title: 'The query does not decode' },
  'missing-field': { status: 400, title: 'A field is missing', gap: 'missing-field' },
  'missing-list': { status: 400, title: 'A list is missing', gap: 'missing-list' },
  'missing-parameter': {
    status: 400,
    title: 'A query parameter is missing',
    gap: 'missing-parameter',
    unless: ['empty'],
  },
  'repeated-parameter': { status: 400, title: 'A query parameter is repeated', gap: 'repeated-parameter' },
  'unknown-parameter': { status: 400, title: 'There is an unknown query parameter', gap: 'unknown-parameter' },
  'list-limit': { status: 400, title: 'A list is too long', gap: 'list-limit', unless: ['none'] },
  'unknown-field': { status: 400, title: 'There is an unknown field', gap: 'unknown-field' },
  'ppf-unknown-field': { status: 400, title: 'There is an unknown field', gap: 'ppf-unknown-field' },
  'unknown-expand': { status: 400, title: 'Unknown name in expand', gap: 'expand-unknown' },
  'unknown-user': { status: 'as-read', title: 'There is no such user', gap: 'unknown-user' },
  'unknown-group': { status: 'as-read', title: 'There is no such group', gap: 'unknown-group' },
  'page-id-format': { status: 404, title: 'The page id is malformed', gap: 'page-id-format', unless: ['any'] },
  'unknown-page': { status: 'as-read', title: 'There is no such page', gap: 'unknown-page' },
  'unknown-space': { status: 'as-read', title: 'There is no such space', gap: 'unknown-space' },
  'no-change': { status: 409, title: 'Nothing would change', gap: 'no-change' },
  'empty-lists': { status: 400, title: 'The lists are empty', gap: 'empty-lists' },
  'set-users-empty': { status: 400, title: 'The list of users is empty', gap: 'set-users-empty' },
  'sidebar-duplicate': { status: 409, title: 'The label is taken', gap: 'sidebar-duplicate' },
  'sidebar-link-form': {
    status: 400,
    title: 'The label or the URL is malformed',
    gap: 'sidebar-link-form',
    unless: ['any'],
  },
  'target-space-exists': { status: 'as-read', title: 'The space key is taken', gap: 'target-space-exists' },
  'target-title-taken': { status: 409, title: 'The space title is taken', gap: 'target-title-taken' },
  'admin-eligibility': {
    status: 400,
    title: 'targetSpaceAdmin is not an admin',
    gap: 'admin-eligibility',
    unless: ['any-user'],
  },
  'space-title-form': {
    status: 400,
    title: 'The space title is malformed',
    gap: 'space-title-form',
    unless: ['any'],
  },
  'space-key-format': {
    status: 400,
    title: 'The space key is malformed',
    gap: 'space-key-format',
    unless: ['any'],
  },
  'no-default-admin': {
    status: 400,
    title: 'There is no admin to choose',
    rules: ['spaces.copy-default-admin'],
    gap: 'default-space-admin',
    unless: [],
  },
  'not-unique': {
    status: 409,
    title: 'The space exists',
    rules: ['spaces.is-unique'],
    gap: 'is-unique-answer',
    unless: ['boolean', 'inverted', 'object', 'exists', 'messages', 'found'],
  },
  'not-taken': {
    status: 404,
    title: 'The space does not exist',
    rules: ['spaces.is-unique'],
    gap: 'is-unique-answer',
    unless: ['boolean', 'inverted', 'object', 'exists', 'messages', 'status'],
  },
  'old-text-empty': { status: 400, title: 'oldText is empty', gap: 'old-text-empty' },
  'page-not-editable': { status: 403, title: 'The caller is not allowed to edit the page', gap: 'replace-permission' },
  'replaced-title': { status: 400, title: 'The new title is empty or too long', gap: 'replaced-title' },
  'page-title-shared': { status: 409, title: 'Two pages have the same title', gap: 'page-title-shared' },
  'replace-not-found': { status: 404, title: 'The text is not on the page', gap: 'replace-not-found' },
  'replace-title-clash': { status: 'as-read', title: 'Another page has that title', gap: 'replace-title-clash' },
  'ppf-no-recipient': {
    status: 400,
    title: 'There are no users and no groups',
    rules: ['ppf.needs-recipient', 'ppf.invalid-is-400'],
  },
  'ppf-no-item': {
    status: 400,
    title: 'There are no filters and no dashboards',
    rules: ['ppf.needs-item', 'ppf.invalid-is-400'],
  },
  'ppf-unknown-item': {
    status: 400,
    title: 'A named group, filter or dashboard does not exist',
    gap: 'ppf-unknown-item',
  },
  'too-much-at-once': { status: 413, title: 'The request asks for too much at once' },
  'sandbox-unknown': { status: 404, title: 'There is no such sandbox' },
  'store-unavailable': { status: 503, title: 'The sandbox store is unavailable' },
  'no-room': { status: 507, title: 'Not enough storage' },
  'sandbox-name': { status: 400, title: 'The sandbox name is malformed' },
} as const satisfies Record<string, RefusalSpec>;

/** Refusals of the REST APIs of Confluence and Jira: without rule or gap. */
const restApiRefusals = {
  'rest-api-unknown-resource': { status: 404, title: 'Confluence or Jira has no such resource' },
  'rest-api-not-served': { status: 501, title: 'The product has this resource, but this server does not serve it' },
  'rest-api-method': { status: 405, title: 'The resource does not have the method' },
  'rest-api-not-found': { status: 404, title: 'It does not exist, or the caller cannot see it' },
  'rest-api-unavailable': { status: 400, title: 'It does not exist, or the caller cannot see it' },
  'rest-api-bad-request': { status: 400, title: 'The request is malformed' },
  'rest-api-anonymous': { status: 401, title: 'The caller must be authenticated' },
  'rest-api-not-permitted': { status: 403, title: 'The caller is not allowed to see it' },
  'rest-api-login-failed': { status: 401, title: 'Wrong user name or password' },
} as const satisfies Record<string, RefusalSpec>;

export type RefusalCode = keyof typeof refusals | keyof typeof restApiRefusals;

const all: Readonly<Record<RefusalCode, RefusalSpec>> = { ...refusals, ...restApiRefusals };

export function refusalSpec(code: RefusalCode): RefusalSpec {
  return all[code];
}
