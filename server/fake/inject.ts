// Requests to an app without a socket: what would come over a connection is handed to it, by light-my-request.
// Knows neither sandboxes nor scenarios.
import { createRequire } from 'node:module';
import type { DispatchFunc, inject as Inject } from 'light-my-request';
import type { HttpRequest } from '../derive/call.js';
import type { Received } from '../scenario/play/target.js';

/** Asks an app as if over a connection from loopback. The host that it is asked for is a loopback name unless a header says otherwise. */
export type Ask = (request: HttpRequest) => Promise<Received & { readonly bytes: Uint8Array }>;

export function injecting(app: { callback(): DispatchFunc }): Ask {
  const inject = createRequire(import.meta.url)('light-my-request') as typeof Inject; // loaded where it is needed: a server does without
  const dispatch = app.callback();
  return async ({ method, path, headers, body }) => {
    const {
      statusCode,
      headers: answered,
      rawPayload,
    } = await inject(dispatch, {
      method,
      url: path,
      authority: 'localhost',
      remoteAddress: '127.0.0.1',
      validate: false,
      headers: withLength(headers, body),
      ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
    });
    return {
      status: statusCode,
      headers: Object.fromEntries(Object.entries(answered).map(([name, value]) => [name.toLowerCase(), String(value)])),
      text: rawPayload.toString('utf8'),
      bytes: rawPayload,
    };
  };
}

function withLength(headers: HttpRequest['headers'], body: HttpRequest['body']): Record<string, string> {
  const sized = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return { ...sized, ...headers };
}
