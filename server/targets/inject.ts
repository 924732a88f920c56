// Requests to an app without a socket: what would come over a connection is handed to it, by light-my-request.
// Knows neither sandboxes nor scenarios.
import { createRequire } from 'node:module';
import type { DispatchFunc, inject as Inject, InjectOptions } from 'light-my-request';
import type { HttpRequest } from '../derive/call.js';
import { type LengthHeader, lengthHeader } from '../derive/sending.js';
import type { Answered } from '../scenario/play/target.js';

/** Asks an app as if over a connection from loopback. The host that it is asked for is a loopback name unless a header says otherwise. */
export type Ask = (request: HttpRequest) => Promise<Answered>;

const load = createRequire(import.meta.url);
let inject: typeof Inject | undefined;

export function injecting(app: { callback(): DispatchFunc }, length: LengthHeader = lengthHeader): Ask {
  const dispatch = app.callback();
  return async request => {
    inject ??= load('light-my-request') as typeof Inject; // with the first request: a server does without
    const { method, path, body } = request;
    const {
      statusCode,
      headers: answered,
      rawPayload,
    } = await inject(
      (asked, answering) => dispatch(Object.assign(asked, { url: path }), answering), // as it was written: it would be tidied up
      {
        method: method as NonNullable<InjectOptions['method']>, // any will do; it is passed on as it is
        url: '/',
        authority: 'localhost',
        remoteAddress: '127.0.0.1',
        validate: false,
        headers: asReceived({ ...length(request), ...request.headers }),
        ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
      },
    );
    const fields = Object.entries(answered).flatMap(([name, value]) =>
      [value ?? []].flat().map(one => [name.toLowerCase(), String(one)] as const),
    );
    return {
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(answered).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]),
      ),
      fields,
      text: rawPayload.toString('utf8'),
      bytes: new Uint8Array(rawPayload),
    };
  };
}

/** The headers as a server reads them: without blanks around a value. */
function asReceived(headers: HttpRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.replace(/^[ \t]+|[ \t]+$/g, '')]),
  );
}
