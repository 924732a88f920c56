// The table of refusals: title, status, and the rule or gap behind each. Operations declare which of them they use. Refusals with the name of a gap
// are declared with it.
import { type GapId, gapIds, gapSpec, type gaps } from './gaps/gaps.js';

interface RefusalSpec {
  /** A status, or `as-read`: the number that the reading of `gap` names. */
  readonly status: number | 'as-read';
  readonly title: string;
  readonly rules?: readonly string[];
  readonly gap?: GapId;
  /** The readings of `gap` that exclude it; absent: all except the one named like its status, or like any status for as-read. */
  readonly unless?: readonly string[];
  /** The gap whose reading is the status, if it is another one than `gap`. */
  readonly statusGap?: GapId;
}

const ownRefusals = {
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
  'missing-parameter': {
    status: 400,
    title: 'A query parameter is missing',
    gap: 'missing-parameter',
    unless: ['empty'],
  },
  'list-limit': { status: 400, title: 'A list is too long', gap: 'list-limit', unless: ['none'] },
  'unknown-expand': { status: 400, title: 'Unknown name in expand', gap: 'expand-unknown' },
  'page-id-format': { status: 404, title: 'The page id is malformed', gap: 'page-id-format', unless: ['any'] },
  'sidebar-link-form': {
    status: 400,
    title: 'The label or the URL is malformed',
    gap: 'sidebar-link-form',
    unless: ['any'],
  },
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
  'page-not-editable': { status: 403, title: 'The caller is not allowed to edit the page', gap: 'replace-permission' },
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

type GapRefusal = { [G in GapId]: (typeof gaps)[G] extends { readonly refusal: string } ? G : never }[GapId];

const gapRefusals = Object.fromEntries(
  gapIds.flatMap(gap => {
    const { refusal: title, readings } = gapSpec(gap);
    const [status, ...more] = readings.map(([name]) => Number(name)).filter(Number.isInteger);
    return title === undefined ? [] : [[gap, { status: more.length > 0 ? 'as-read' : status, title, gap }]];
  }),
) as Readonly<Record<GapRefusal, RefusalSpec>>; // one for each gap with a refusal

/** The refusals of the document's operations. */
export const refusals = { ...ownRefusals, ...gapRefusals };

export type RefusalCode = keyof typeof refusals | keyof typeof restApiRefusals;

const all: Readonly<Record<RefusalCode, RefusalSpec>> = { ...refusals, ...restApiRefusals };

export function refusalSpec(code: RefusalCode): RefusalSpec {
  return all[code];
}
