// What HTTP can carry, and what a sender puts to it: the same for every way in which a request is sent. Sends nothing itself.
import { METHODS } from 'node:http';
import { nearest } from '../../engine/nearest.js';
import type { HttpRequest } from './call.js';

/** What is wrong with a method, if anything, in a sentence. */
export function methodFlaw(method: string): string | undefined {
  if (method === 'CONNECT') return 'CONNECT opens a tunnel and gets no answer: it cannot be sent here.';
  if (METHODS.includes(method)) return undefined;
  const capitals = method.toUpperCase();
  return METHODS.includes(capitals)
    ? `Methods are written in capitals: ${capitals}.`
    : `There is no method ${JSON.stringify(method)}${nearest(capitals, METHODS)}: no server would read the request.`;
}

/** What of a path, or of a part of one, cannot go over the wire as it is, if anything, in a sentence. */
export function pathFlaw(path: string): string | undefined {
  const char = /[^\x21-\x7e]/u.exec(path)?.[0];
  if (char === undefined) return undefined;
  const encoded = encodeURIComponent(char.replace(/\p{Surrogate}/u, '\uFFFD'));
  return `A path cannot hold ${JSON.stringify(char)}: write ${encoded} for it.`;
}

/** They belong to the connection, and with others than its own a sender would hang or break off. */
const ofConnection: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What is wrong with the name of a header, if anything, in a sentence. */
export function headerNameFlaw(name: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `${JSON.stringify(name)} is no name of a header.`;
  if (!ofConnection.includes(name.toLowerCase())) return undefined;
  return `${name} belongs to the connection: whoever sends the message sets it by its body.`;
}

/** What is wrong with the value of a header, if anything, in a sentence. */
export function headerValueFlaw(value: string): string | undefined {
  const char = /[^\t\x20-\x7e]/u.exec(value)?.[0];
  if (char === undefined) return undefined;
  return `A header cannot hold ${JSON.stringify(char)}: it takes ASCII on one line.`;
}

/** One thing that keeps a request from being sent, and where in it: `method`, `path`, or a header by name. */
export interface Unsendable {
  readonly at: readonly string[];
  readonly message: string;
}

/** Each thing that keeps a request from being sent as it is. */
export function unsendables({ method, path, headers }: HttpRequest): Unsendable[] {
  const places: ReadonlyArray<readonly [at: readonly string[], message: string | undefined]> = [
    [['method'], methodFlaw(method)],
    [['path'], pathFlaw(path)],
    ...Object.entries(headers).map(
      ([name, value]) => [['headers', name], headerNameFlaw(name) ?? headerValueFlaw(value)] as const,
    ),
  ];
  return places.flatMap(([at, message]) => (message === undefined ? [] : [{ at, message }]));
}

/** What a sender says of the length of a body. */
export type LengthHeader = (request: Pick<HttpRequest, 'method' | 'body'>) => Readonly<Record<string, string>>;

/** The header that says how long the body is. Where there is none, methods that usually have one say so (RFC 9110, 8.6). */
export function lengthHeader({ method, body }: Parameters<LengthHeader>[0]): ReturnType<LengthHeader> {
  if (body !== undefined) return { 'Content-Length': String(Buffer.byteLength(body)) };
  return method === 'POST' || method === 'PUT' ? { 'Content-Length': '0' } : {};
}

/** The same of a sender that says nothing of a body that is not there, as Pact's verifier does. */
export function lengthOfBody(request: Parameters<LengthHeader>[0]): ReturnType<LengthHeader> {
  return request.body === undefined ? {} : lengthHeader(request);
}
