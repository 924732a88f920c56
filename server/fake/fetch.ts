// The `fetch` of a fake: a Request of the platform handed to the whole server within the process, and its answer as a Response.
// Knows no sandbox and no socket.
import { STATUS_CODES } from 'node:http';
import type { Ask } from '../targets/inject.js';
import type { Fetch } from './face.js';

/** Statuses of which a Response takes no body. */
const BODILESS: readonly number[] = [101, 204, 205, 304];

/**
 * A `fetch` that always asks this fake, whatever host a URL names: only path and query count. `url` is where a relative one begins;
 * `headers` are sent where the request has none of that name.
 */
export function fetching(ask: Ask, url: string, headers: Readonly<Record<string, string>> = {}): Fetch {
  return async (input, init) => {
    const request = new Request(typeof input === 'string' ? absolute(input, url) : input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const asked = ask({
      method: request.method,
      path: `${pathname}${search}`,
      headers: { ...lowered(headers), ...Object.fromEntries(request.headers) },
      ...(body !== undefined && { body }),
    });
    const { status, fields, bytes } = await Promise.race([asked, aborted(signal)]);
    return new Response(request.method === 'HEAD' || BODILESS.includes(status) ? null : bytes, {
      status,
      statusText: STATUS_CODES[status] ?? '',
      headers: fields.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

function absolute(text: string, url: string): string {
  return URL.canParse(text) ? text : `${url}${text.startsWith('/') ? '' : '/'}${text}`;
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
