// What HTTP can carry, and which length header a sender adds.
import { METHODS } from 'node:http';
import { nearest } from '../../engine/nearest.js';
import type { HttpRequest } from './call.js';

/** The error of a method, if any, as a sentence. */
export function methodError(method: string): string | undefined {
  if (method === 'CONNECT') return 'CONNECT cannot be sent: it opens a tunnel and gets no response.';
  if (METHODS.includes(method)) return undefined;
  const capitals = method.toUpperCase();
  return METHODS.includes(capitals)
    ? `Methods must be in capitals: write ${capitals}.`
    : `Unknown method ${JSON.stringify(method)}${nearest(capitals, METHODS)}: servers reject such requests.`;
}

/** The error of a path or a part of one, if it cannot be sent unchanged, as a sentence. */
export function pathError(path: string): string | undefined {
  const char = /[^\x21-\x7e]/u.exec(path)?.[0];
  if (char === undefined) return undefined;
  const encoded = encodeURIComponent(char.replace(/\p{Surrogate}/u, '\uFFFD'));
  return `A path cannot contain ${JSON.stringify(char)}: write ${encoded} instead.`;
}

/** Hop-by-hop headers: with foreign values a sender would hang or break off. */
const ofConnection: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The error of a header name, if any, as a sentence. */
export function headerNameError(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `${JSON.stringify(name)} is not a valid header name.`;
  if (!ofConnection.includes(name.toLowerCase())) return undefined;
  return `${name} cannot be given: it belongs to the connection and is set automatically.`;
}

/** The error of a header value, if any, as a sentence. */
export function headerValueError(value: string): string | undefined {
  const char = /[^\t\x20-\x7e]/u.exec(value)?.[0];
  if (char === undefined) return undefined;
  return `A header cannot contain ${JSON.stringify(char)}: expected ASCII on one line.`;
}

/** A reason why a request cannot be sent, with its place: `method`, `path`, or a header name. */
export interface Unsendable {
  readonly at: readonly string[];
  readonly message: string;
}

/** All reasons why a request cannot be sent unchanged. */
export function unsendables({ method, path, headers }: HttpRequest): Unsendable[] {
  const places: ReadonlyArray<readonly [at: readonly string[], message: string | undefined]> = [
    [['method'], methodError(method)],
    [['path'], pathError(path)],
    ...Object.entries(headers).map(
      ([name, value]) => [['headers', name], headerNameError(name) ?? headerValueError(value)] as const,
    ),
  ];
  return places.flatMap(([at, message]) => (message === undefined ? [] : [{ at, message }]));
}

/** The length header of a body. */
export type LengthHeader = (request: Pick<HttpRequest, 'method' | 'body'>) => Readonly<Record<string, string>>;

/** The length header. Without a body, methods that usually have one send 0 (RFC 9110, 8.6). */
export function lengthHeader({ method, body }: Parameters<LengthHeader>[0]): ReturnType<LengthHeader> {
  if (body !== undefined) return { 'Content-Length': String(Buffer.byteLength(body)) };
  return method === 'POST' || method === 'PUT' ? { 'Content-Length': '0' } : {};
}

/** The length header of a sender that sends none for an absent body, as Pact's verifier. */
export function lengthOfBody(request: Parameters<LengthHeader>[0]): ReturnType<LengthHeader> {
  return request.body === undefined ? {} : lengthHeader(request);
}
