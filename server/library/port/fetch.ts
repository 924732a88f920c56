// The `fetch` of a fake: passes a platform Request to the server within the process, and returns its response as a Response.
import { STATUS_CODES } from 'node:http';
import { inRealTime } from '../../engine/real-time.js';
import { isBodiless } from '../../engine/request/api-response.js';
import { parsedUrl } from '../../outgoing/parsed-url.js';
import type { RawResponse } from '../../scenario/play/target.js';
import { type BrokenOff, isBrokenOff } from '../../scenario/play/target.js';
import type { Ask } from './inject.js';

/**
 * Like the platform's `fetch`, also if a fault breaks the connection: it rejects with a `TypeError` whose `cause` gives the reason. A relative URL,
 * such as `/rest/cwx-ppf/latest/push`, is resolved against the base URL of the fake or sandbox.
 */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** A `fetch` that always calls this fake: only path and query of a URL matter. `url`: base of relative URLs; `headers`: default headers. */
export function fetching(ask: Ask, url: string, headers: Readonly<Record<string, string>> = {}): Fetch {
  const send: Fetch = async (input, init) => {
    const request = new Request(typeof input === 'string' ? absolute(input, url) : input, init);
    const { signal } = request;
    signal.throwIfAborted();
    const { pathname, search } = new URL(request.url);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const asked = ask(
      {
        method: request.method,
        path: `${pathname}${search}`,
        headers: { ...lowered(headers), ...Object.fromEntries(request.headers) },
        ...(body !== undefined && { body }),
      },
      signal,
    );
    return Promise.race([asked, aborted(signal)]).then(
      response => responseOf(response, request.method === 'HEAD' ? null : response.bytes),
      error => {
        signal.throwIfAborted();
        if (isBrokenOff(error) && error.broken.began !== undefined)
          return responseOf(error.broken.began, cutShort(error));
        throw fetchFailure(error);
      },
    );
  };
  return (input, init) => inRealTime(() => send(input, init));
}

/** The error of the platform's `fetch` for a broken connection; other errors unchanged. */
export function fetchFailure(error: unknown): unknown {
  return isBrokenOff(error) ? new TypeError('fetch failed', { cause: error }) : error;
}

function responseOf(
  { status, fields }: Pick<RawResponse, 'status' | 'fields'>,
  body: Uint8Array | ReadableStream | null,
): Response {
  return new Response(isBodiless(status) ? null : (body as Uint8Array<ArrayBuffer> | ReadableStream | null), {
    status,
    statusText: STATUS_CODES[status] ?? 'unknown',
    headers: fields.map(([name, value]): [string, string] => [name, value]),
  });
}

/** A body that ends with an error. */
function cutShort(error: BrokenOff): ReadableStream {
  return new ReadableStream({ pull: body => body.error(new TypeError('terminated', { cause: error })) });
}

function absolute(text: string, url: string): string {
  return parsedUrl(text) ? text : `${url}${text.startsWith('/') ? '' : '/'}${text}`;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
