// Converts a call of an operation to an HTTP request, for clients, the player and documents.
import { mergedHeaders } from '../../engine/request/headers.js';
import { canonicalPrefix } from '../../operations/address.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { AnyOperation } from '../../operations/rest-api/resource.js';

/** An HTTP request. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query, from the root of the host. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: there is no body. */
  readonly body?: string | Uint8Array;
}

/** Credentials of a caller. */
export type Proof = { readonly user: string; readonly password: string } | { readonly token: string };

/** The call of an operation. Values are not checked here. */
export interface Call {
  /** Left out: anonymous. */
  readonly as?: Proof | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** A list repeats its parameter. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON. Default: no body. */
  readonly body?: unknown;
  /** Readings for this request alone. */
  readonly readings?: SomeReadings | undefined;
  /** Replace default headers, case-insensitively. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export type WikiPrefix = '/rest/cwxapiextension' | '/rest/api/cwxapiextension' | '/cwxapiextension';

/** The address of the operations below a host. */
export interface CallAddress {
  /** The context path with its slash, such as `/wiki`. Default: none. */
  readonly context?: string | undefined;
  /** Left out: the canonical one. */
  readonly wikiPrefix?: WikiPrefix | undefined;
}

/** The HTTP request of a call. */
export function requestFor(
  operation: Pick<AnyOperation, 'family' | 'method' | 'path'>,
  call: Call = {},
  address: CallAddress = {},
): HttpRequest {
  const { as, params = {}, query = {}, body, readings = {}, headers = {} } = call;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(params[name]));
  const json = body === undefined ? undefined : JSON.stringify(body);
  const own = {
    ...(as !== undefined && { Authorization: authorization(as) }),
    ...(json !== undefined && { 'Content-Type': 'application/json' }),
    ...readingHeader(readings),
  };
  return {
    method: operation.method,
    path: `${address.context ?? ''}${prefixOf(operation, address)}${path}${search(query)}`,
    headers: mergedHeaders(own, headers),
    ...(json !== undefined && { body: json }),
  };
}

/** The header that chooses readings for a request; none without readings. */
export function readingHeader(readings: SomeReadings = {}): Readonly<Record<string, string>> {
  const pairs = Object.entries(readings).map(([gap, reading]) => `${gap}=${reading}`);
  return pairs.length === 0 ? {} : { 'X-Fake-Reading': pairs.join(', ') };
}

/** The Authorization header of credentials. */
export function authorization(as: Proof): string {
  return 'token' in as
    ? `Bearer ${as.token}`
    : `Basic ${Buffer.from(`${as.user}:${as.password}`, 'utf8').toString('base64')}`;
}

function prefixOf({ family }: Pick<AnyOperation, 'family'>, { wikiPrefix }: CallAddress): string {
  return family === 'wiki' && wikiPrefix !== undefined ? `${wikiPrefix}/latest` : canonicalPrefix(family);
}

/** A value as one path segment. A lone surrogate is replaced, as in a query. */
function segment(value: unknown): string {
  return encodeURIComponent(text(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}

function search(query: Readonly<Record<string, unknown>>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) if (one !== undefined) pairs.append(name, text(one));
  }
  return pairs.size === 0 ? '' : `?${pairs}`;
}

function text(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
