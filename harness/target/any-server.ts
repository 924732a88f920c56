// Any server as the target of scenarios: only what every client can do, without the control API.

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { connection } from '../../server/library/port/http-connection.js';
import { type RawResponse, type Received, type Target, Unreachable } from '../../server/scenario/play/target.js';
import { checkBaseUrl } from '../../server/settings/flag-checks.js';

/** The error in the URL of a target, if any. */
export function urlError(text: string): string | undefined {
  return checkBaseUrl(text, ': give them with --as user:password');
}

/** A server by its base URL: the last path segment is its context path, unless it names a sandbox. */
export function anyServer(base: string): Target {
  const { url, context } = splitContext(base);
  const { send, close } = connection(url);
  return { url, context, send: async request => decoded(await send(request), url), close: async () => close() };
}

/** The URL of a server and its context path. */
export function splitContext(base: string): { readonly url: string; readonly context: string } {
  const { origin, pathname } = new URL(base);
  const segments = pathname.split('/').filter(segment => segment !== '');
  const last = segments.at(-1);
  const hasContext = last !== undefined && !last.startsWith('~');
  const before = hasContext ? segments.slice(0, -1) : segments;
  return { url: [origin, ...before].join('/'), context: hasContext ? `/${last}` : '' };
}

const LIMIT = { maxOutputLength: 64 * 1024 * 1024 };
const decoders = { gzip: gunzipSync, 'x-gzip': gunzipSync, deflate: inflateSync, br: brotliDecompressSync } as const;

/** Some servers compress without being asked. */
function decoded(response: RawResponse, url: string): Received {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (!(coding in decoders) || response.bytes.length === 0) return response;
  try {
    const text = decoders[coding as keyof typeof decoders](response.bytes, LIMIT).toString('utf8');
    const { 'content-encoding': _, ...headers } = response.headers;
    return { status: response.status, headers, text };
  } catch (cause) {
    throw new Unreachable(`${url} sent a body that is not ${coding}, as its Content-Encoding says`, { cause });
  }
}
