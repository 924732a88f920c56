// Sends HTTP requests unchanged: no normalization, no redirects.
import type { IncomingMessage } from 'node:http';
import type { HttpRequest } from '../../derive/sending/call.js';
import { type LengthHeader, lengthHeader } from '../../derive/sending/sending.js';
import { connectionFailure } from '../../derive/text/connection-failure.js';
import { Outgoing } from '../../outgoing/outgoing.js';
import type { TlsOptions } from '../../outgoing/tls-options.js';
import { brokenOff, type RawResponse, Unreachable } from '../../scenario/play/target.js';

export interface Connection {
  /**
   * Sends a request with a path below the URL. Rejects with `Unreachable` if there is no response in time, with `BrokenOff` if the response is cut off.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<RawResponse>;
  close(): void;
}

/** Milliseconds to wait for a response. */
const PATIENCE_MS = 30_000;
/** Maximum size of a response of these APIs. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Requests to a server at an http(s) URL without a trailing slash. `length`: the length header for a body. `patience`: milliseconds to wait for a
 * response. `tls`: default, that of the process.
 */
export function connection(
  url: string,
  length: LengthHeader = lengthHeader,
  patience = PATIENCE_MS,
  tls?: TlsOptions,
): Connection {
  const { pathname } = new URL(url);
  const outgoing = new Outgoing(new URL(url), { tls });
  const base = pathname === '/' ? '' : pathname;
  const send = (request: HttpRequest, signal?: AbortSignal) =>
    new Promise<RawResponse>((resolve, reject) => {
      const { method, path, headers, body } = request;
      const fail = (error: Error) => reject(failure(url, error));
      const options = {
        method,
        path: `${base}${path}`,
        headers: { ...length(request), ...headers },
        ...(signal && { signal }),
      };
      const asking = outgoing.request(options, response => collect(response).then(resolve, fail));
      if (body === undefined) asking.useChunkedEncodingByDefault = false; // Node would say a length of its own
      asking.setTimeout(patience, () => asking.destroy(new Error(`no response within ${patience / 1000} s`)));
      asking.on('error', fail);
      asking.on('upgrade', (_, socket) => {
        socket.destroy();
        fail(new Error('the response switches protocols'));
      });
      asking.end(body);
    });
  return { send, close: () => outgoing.close() };
}

async function collect(response: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  if ((response.statusCode ?? 0) < 100)
    throw new Error(`the response has the invalid status code ${response.statusCode}`);
  const headers = Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')] as const);
  const bytes = Buffer.concat(chunks);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    fields: fieldsOf(response.rawHeaders),
    text: bytes.toString('utf8'),
    bytes: new Uint8Array(bytes),
  };
}

/** Names and values alternate, as in Node. */
function fieldsOf(raw: readonly string[]): Array<readonly [name: string, value: string]> {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] ?? ''] as const] : []));
}

function failure(url: string, error: Error): Unreachable {
  const { code } = error as NodeJS.ErrnoException;
  const isCut = code === 'ECONNRESET' || error.message === 'aborted';
  return isCut
    ? brokenOff(url, { how: connectionFailure(error) }, error)
    : new Unreachable(`${url} does not respond: ${connectionFailure(error)}`, { cause: error });
}
