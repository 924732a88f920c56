// One request as a plain value for the engine, whether it comes from HTTP, a scenario or a test: its query and its body are parsed here.
import { isUtf8 } from 'node:buffer';
import { type AnyAddress, isResourceFamily } from '../../operations/address.js';
import type { AnyPath, ResourcePath } from '../../operations/catalog/bindings.js';
import type { ResourceRequest } from '../../operations/rest-api/resource.js';
import { decodedInQuery } from '../percent.js';
import { redactBody, redactPair } from '../secrets.js';

type Scheme = 'bearer' | 'cookie';

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** A user who has been found out before: by a cookie, or when the request was performed the first time. `scheme`: absent for Basic. */
  | { readonly kind: 'proved'; readonly user: string; readonly scheme?: Scheme }
  /** Credentials that were wrong before, with the reason. */
  | { readonly kind: 'unproved'; readonly problem: string; readonly scheme?: Scheme }
  /** An unreadable Authorization header, with the reason. `like`: a header without secrets that is unreadable for the same reason. */
  | { readonly kind: 'unreadable'; readonly problem: string; readonly like: string };

/** The body; one of no bytes is absent. `text` is the text sent, for the journal. */
export type Body =
  | { readonly kind: 'absent' }
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'not-json'; readonly text: string; readonly problem: string }
  | { readonly kind: 'not-utf8' }
  /** `limit`: bytes, or values. */
  | { readonly kind: 'too-large'; readonly limit: number; readonly of?: 'values' }
  | { readonly kind: 'encoding'; readonly problem: string }
  | { readonly kind: 'cut-short'; readonly problem: string };

/** The query in the order sent. `undecodable`: the first pair with invalid percent-encoding, redacted. */
export interface Query {
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>;
  readonly undecodable?: string;
}

/** Headers as Node reads them. */
export type SentHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Request {
  readonly id?: string | undefined;
  /** Its `traceparent` (W3C Trace Context), if valid. */
  readonly traceparent?: string | undefined;
  /** Its headers as sent, names in lower case. Absent: it did not come by HTTP. */
  readonly headers?: SentHeaders | undefined;
  /** When it came, in `realTime.uptime()`. */
  readonly arrived?: number | undefined;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Absent: the path is no address of these APIs. */
  readonly address?: AnyAddress | undefined;
  /** Absent: there is no endpoint at that address. */
  readonly endpoint?: AnyPath | undefined;
  /** The decoded path parameters; absent if they do not decode. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query: Query;
  readonly credentials: Credentials;
  /** The cookie of a log-in, if there are no other credentials. An invalid one counts as none. */
  readonly cookie?: string | undefined;
  readonly contentType: string;
  readonly body: Body;
  /** Whether a browser or a page of another origin seems to send it, without `X-Atlassian-Token: no-check` (gap browser-post). */
  readonly isSuspect?: true | undefined;
  /** Readings for this request only, as written: `gap=value, gap=value`. */
  readonly readings?: string | undefined;
  /** The path at which clients find this server, if `--base-url` or a proxy gives it one. */
  readonly prefix?: string | undefined;
  /** For a request to a resource of Confluence or Jira. */
  readonly resource?: ResourceRequest | undefined;
}

export interface RequestToResource extends Request {
  readonly endpoint: ResourcePath;
}

export function isOfResource(request: Request): request is RequestToResource {
  return request.endpoint !== undefined && isResourceFamily(request.endpoint.family);
}

export const noQuery: Query = Object.freeze({ pairs: [] });

export const noBody: Body = Object.freeze({ kind: 'absent' });

/** Parses the part after the question mark. `+` is a blank. */
export function parseQuery(text: string): Query {
  if (text === '') return noQuery;
  const pairs: Array<readonly [string, string]> = [];
  let undecodable: string | undefined;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodedInQuery(at === -1 ? pair : pair.slice(0, at));
    const value = decodedInQuery(at === -1 ? '' : pair.slice(at + 1));
    if (name === undefined || value === undefined) undecodable ??= redactPair(pair);
    else pairs.push([name, value]);
  }
  return { pairs, ...(undecodable !== undefined && { undecodable }) };
}

/** The body of some bytes. */
export function bodyFrom(bytes: Buffer): Body {
  if (!isUtf8(bytes)) return { kind: 'not-utf8' };
  const text = withoutMark(bytes.toString('utf8'));
  if (text === '') return { kind: 'absent' };
  try {
    return { kind: 'json', value: JSON.parse(text), text };
  } catch (error) {
    return notJson(text, (error as SyntaxError).message);
  }
}

/** A parser's message quotes the text, which may be secret. */
const QUOTATION = /, (?:\.\.\.)?".*$/s;

/** Newer versions of Node add it, and a response must not depend on the version. */
const PLACE = / \(line \d+ column \d+\)$/;

/** A text that is not JSON, with the parser's message. */
function notJson(text: string, message: string): Body {
  const problem = message.replace(PLACE, '');
  return { kind: 'not-json', text, problem: redactBody(text) === text ? problem : problem.replace(QUOTATION, '') };
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** What is wrong with a body that is too large. */
export function excessOf({ limit, of }: Extract<Body, { readonly kind: 'too-large' }>): string {
  return of === 'values' ? `has more than ${limit} values` : `is larger than ${limit} bytes`;
}
