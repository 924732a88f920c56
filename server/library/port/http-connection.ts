// Sends HTTP requests unchanged: no normalization, no redirects.
import { buffer } from 'node:stream/consumers';
import type { HttpRequest } from '../../derive/sending/call.js';
import { type LengthHeader, lengthHeader } from '../../derive/sending/sending.js';
import { CUT_SHORT, connectionFailure, isCutShort } from '../../derive/text/connection-failure.js';
import { inRealTime } from '../../engine/real-time.js';
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
 * response, and for each further part of it. `tls`: default, that of the process.
 */
export function connection(
  url: string,
  length: LengthHeader = lengthHeader,
  patience = PATIENCE_MS,
  tls?: TlsOptions,
): Connection {
  const { pathname } = new URL(url);
  const outgoing = new Outgoing(new URL(url), { tls, patience, maxBytes: MAX_BYTES });
  const base = pathname === '/' ? '' : pathname;
  const send = async (request: HttpRequest, signal?: AbortSignal): Promise<RawResponse> => {
    const { method, path, body: sent } = request;
    const headers = { ...length(request), ...request.headers };
    const asking = outgoing.request({ method, path: `${base}${path}`, headers, body: sent, signal });
    const {
      body,
      status,
      headers: received,
    } = await asking.catch(error => {
      const how = connectionFailure(error);
      throw isCutShort(error, false) ? brokenOff(url, { how }, error) : unreachable(url, how, error);
    });
    const bytes = await buffer(body).catch(error => {
      if (isCutShort(error, true)) throw brokenOff(url, { how: CUT_SHORT }, new Error(CUT_SHORT, { cause: error }));
      const slow = outgoing.explained(error);
      throw unreachable(url, connectionFailure(slow), slow);
    });
    const values = Object.entries(received).map(([name, value = '']) => [name, [value].flat()] as const);
    return {
      status,
      headers: Object.fromEntries(values.map(([name, all]) => [name, all.join(', ')])),
      fields: values.flatMap(([name, all]) => all.map(one => [name, one] as const)),
      text: bytes.toString('utf8'),
      bytes: new Uint8Array(bytes),
    };
  };
  return { send: (request, signal) => inRealTime(() => send(request, signal)), close: () => outgoing.close() };
}

function unreachable(url: string, how: string, cause: Error): Unreachable {
  return new Unreachable(`${url} does not respond: ${how}`, { cause });
}
