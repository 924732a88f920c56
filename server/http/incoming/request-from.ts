// The request as a plain value for the engine, from its head as Node reads it: ids, sandbox and credentials, of which it checks only the form.
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { type Body, type Credentials, parseQuery, type Request } from '../../engine/request/request.js';
import { isResourceFamily, type ResourceAddress, sandboxNameError } from '../../operations/address.js';
import { type ArrivedHead, isOwnOrigin, pathOf } from './base-url.js';
import type { EndpointPlace } from './find-endpoint.js';
import { resourceRequest } from './resource-request.js';

/** What is known of a request besides its head. */
export interface RequestDetails {
  /** Its `X-Request-Id`, if it is usable. */
  readonly id?: string | undefined;
  /** Path and query as sent. */
  readonly url: string;
  /** The part of the target after the question mark. */
  readonly query: string;
  readonly body: Body;
  readonly sandbox: string;
  /** Whether it names the sandbox. */
  readonly isNamed: boolean;
  /** When it came, in `realTime.uptime()`. */
  readonly arrived?: number | undefined;
}

export function requestFrom(
  head: ArrivedHead,
  { address, endpoint, params }: EndpointPlace,
  { id, url, query, body, sandbox, isNamed, arrived }: RequestDetails,
): Request {
  const { headers, method = '' } = head;
  const readings = headers['x-fake-reading'];
  return {
    id,
    traceparent: headers.traceparent ? traceparentIn(headers) : undefined,
    address,
    endpoint,
    params,
    headers,
    arrived,
    method,
    url,
    query: parseQuery(query),
    credentials: credentialsIn(headers.authorization),
    cookie: headers.cookie ? loginCookie(headers) : undefined,
    contentType: headers['content-type'] ?? '',
    body,
    isSuspect: isSuspect(head) ? true : undefined,
    readings: readings === undefined ? undefined : String(readings),
    prefix: head.root === undefined ? undefined : pathOf(head.root) || undefined,
    resource:
      address !== undefined && isResourceFamily(address.family)
        ? resourceRequest(head, address as ResourceAddress, sandbox, isNamed) // its family says so
        : undefined,
  };
}

/** Whether the XSRF check of Confluence and Jira suspects a request: one of another origin, or of a browser without an origin. */
export function isSuspect(head: Pick<ArrivedHead, 'headers' | 'root'>): boolean {
  const { origin, 'user-agent': agent = '', 'x-atlassian-token': token } = head.headers;
  if (token === 'no-check') return false;
  return origin === undefined ? agent.startsWith('Mozilla/') : !isOwnOrigin(origin, head);
}

/** The name of the sandbox, valid or not; `undefined`: none. `inPath`: the name in the path, which wins. */
export function sandboxNamed(headers: IncomingHttpHeaders, inPath: string | undefined): string | undefined {
  const inHeader = headers['x-fake-sandbox'];
  return inPath ?? (inHeader === undefined ? undefined : String(inHeader));
}

/** The error in a sandbox name, if any. */
export function nameProblem(name: string): string | undefined {
  const error = sandboxNameError(name);
  return error && `${JSON.stringify(name.slice(0, 80))} is not a valid sandbox name: ${error}.`;
}

const none: Credentials = Object.freeze({ kind: 'none' });

/** The last result, by header: clients repeat it with every request. */
const known = new Map<string, Credentials>();
const MAX_KNOWN = 1000;

/** Parses Basic (RFC 7617, UTF-8; the password may contain colons) and Bearer (RFC 6750). */
export function credentialsIn(header: string | undefined): Credentials {
  if (header === undefined) return none;
  const before = known.get(header);
  if (before !== undefined) return before;
  const credentials = read(header);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(header, credentials);
  return credentials;
}

function read(header: string): Credentials {
  if (header === '') return unreadable('The Authorization header is empty.', '');
  const blank = header.indexOf(' ');
  const scheme = (blank === -1 ? header : header.slice(0, blank)).toLowerCase();
  const rest = blank === -1 ? '' : header.slice(blank + 1).trim();
  if (scheme === 'basic') return basic(rest);
  if (scheme === 'bearer')
    return rest === ''
      ? unreadable('The Authorization header has the scheme Bearer but no token.', 'Bearer')
      : { kind: 'bearer', token: rest };
  return unreadable('The Authorization header has a scheme that is neither Basic nor Bearer.', 'Digest none');
}

function basic(encoded: string): Credentials {
  if (encoded === '')
    return unreadable('The Authorization header has the scheme Basic but no user and password.', 'Basic');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return unreadable('The Basic credentials are not base64.', 'Basic *');
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return unreadable('The Basic credentials are not UTF-8.', 'Basic /zo=');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return unreadable('The Basic credentials have no colon between user and password.', 'Basic YQ==');
  return { kind: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function unreadable(problem: string, like: string): Credentials {
  return { kind: 'unreadable', problem, like };
}

/** The log-in cookie. It is ignored if the request has other credentials. */
export function loginCookie({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
  if (authorization !== undefined || cookie === undefined) return undefined;
  return /(?:^|;\s*)JSESSIONID="?([\w.-]{1,2048})"?(?:;|$)/.exec(cookie)?.[1];
}

/** Such an id is safe in a header and in a line of a log. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** The id that a request brought, if valid. */
export function requestIdIn(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VISIBLE.test(given) ? given : undefined;
}

/** Version, trace id, parent id and flags (W3C Trace Context); later versions may add more. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{1,200})?$/;

/** The trace that a request belongs to, if its header is valid. */
export function traceparentIn({ traceparent: given }: IncomingHttpHeaders): string | undefined {
  return typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined;
}
