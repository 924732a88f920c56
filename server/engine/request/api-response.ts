// Builds the response to a reply or a refusal: status, headers and body in the format of the family and the readings. A response is a plain value.
import { STATUS_CODES } from 'node:http';
import { isResourceFamily } from '../../operations/address.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Family, ResourceFamily } from '../../operations/operation.js';
import type { ReplyValue } from '../../operations/operation-context.js';
import type { Grounds, Refused } from '../../operations/provenance.js';
import { refusalSpec } from '../../operations/refusals.js';
import type { Request } from './request.js';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; absent: no body, or that of `value`. */
  readonly body?: string | undefined;
  /** The value that the body is the JSON of, if it is. */
  readonly value?: unknown;
}

/** Whether responses with a status have no body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** The content types that Confluence and Jira send. */
const contentTypes: Readonly<Record<Family | ResourceFamily, string>> = {
  wiki: 'application/json',
  ppf: 'application/json;charset=UTF-8',
  confluence: 'application/json',
  jira: 'application/json;charset=UTF-8',
  'jira-auth': 'application/json;charset=UTF-8',
};

/** The gaps that decide the format of a refusal. */
export const errorBodyGaps = { wiki: 'wiki-error-body', ppf: 'ppf-error-body' } as const satisfies Record<
  Family,
  GapId
>;

type ErrorGap = (typeof errorBodyGaps)[Family] | 'error-text';

/** A refusal, or a fault's response in that format. */
type Refusing = Omit<Refused, 'refused'> & Partial<Pick<Refused, 'refused'>>;

/** `methods`: the allowed ones, for OPTIONS. */
export function replyResponse(
  request: Request,
  { status, body, headers = {} }: ReplyValue,
  methods?: readonly string[],
): ApiResponse {
  if (body === undefined) return { status, headers: methods === undefined ? headers : { Allow: allow(methods) } };
  const type = contentTypes[familyOf(request)];
  return { status, headers: { ...headers, 'Content-Type': type }, body: JSON.stringify(body), value: body };
}

/** A refusal in the error format of its family; unknown paths are answered like the wiki's. `methods`: the allowed ones, for a 405. */
export function refusalResponse(
  request: Request,
  given: Grounds<never, ErrorGap>,
  refused: Refusing,
  methods?: readonly string[],
): ApiResponse {
  const family = familyOf(request);
  const body = isResourceFamily(family) ? resourceErrorBody(family, refused) : errorBody(family, given, refused);
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = contentTypes[family];
  if (methods !== undefined) headers.Allow = allow(methods);
  const challenge = refused.status === 401 ? challengeOf(refused) : undefined;
  if (challenge !== undefined) headers['WWW-Authenticate'] = challenge;
  return body === undefined
    ? { status: refused.status, headers }
    : { status: refused.status, headers, body: JSON.stringify(body) };
}

/**
 * Jira does not challenge callers without credentials, so that clients that wait for a challenge fail here, too; its failed logins name their own scheme.
 * https://developer.atlassian.com/server/jira/platform/basic-authentication
 */
function challengeOf({ refused }: Refusing): string | undefined {
  switch (refused) {
    case 'ppf-anonymous':
    case 'rest-api-anonymous':
      return undefined;
    case 'rest-api-login-failed':
      return 'JIRA REST POST';
    default:
      return 'Basic realm="cwx-fake", charset="UTF-8"';
  }
}

function familyOf({ address, url }: Request): Family | ResourceFamily {
  if (address !== undefined && !(isResourceFamily(address.family) && url.includes('cwx'))) return address.family;
  return url.includes('cwx-ppf') ? 'ppf' : 'wiki';
}

function allow(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

function errorBody(family: Family, given: Grounds<never, ErrorGap>, refused: Refusing): unknown {
  const reading = given.deciding(errorBodyGaps[family]);
  if (reading === 'empty') return undefined;
  const {
    status,
    message,
    messages = [message],
  } = given.deciding('error-text') === 'other' ? otherText(refused) : refused;
  switch (reading) {
    case 'confluence':
      return { statusCode: status, message, reason: STATUS_CODES[status] ?? 'Error' };
    case 'jira':
      return { errorMessages: messages, errors: {} };
    case 'messages':
      return { messages };
  }
}

/** The error bodies of the two products, as in their public responses; no gap decides them. */
function resourceErrorBody(family: ResourceFamily, { status, message }: Pick<Refused, 'status' | 'message'>): unknown {
  if (family !== 'confluence') return { errorMessages: [message], errors: {} };
  const reason = STATUS_CODES[status] ?? 'Error';
  const data = { authorized: false, valid: true, allowedInReadOnlyMode: true, errors: [], successful: false };
  return { statusCode: status, ...(status === 404 && { data }), message, reason };
}

/** The refusal in other words, a sentence for each kind of error. */
function otherText(refusal: Refusing): Refusing {
  const { refused, status } = refusal;
  if (refused === undefined) return refusal;
  const { kinds = [refused] } = refusal;
  const messages = kinds.map(kind => `Request refused: ${lowerFirst(refusalSpec(kind).title)}.`);
  return { refused, status, message: messages.join(' '), messages };
}

function lowerFirst(title: string): string {
  return title.replace(/^[A-Z](?=[a-z ])/, first => first.toLowerCase());
}
