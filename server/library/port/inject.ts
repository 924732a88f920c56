// Sends requests to an app without a socket, by light-my-request.
import type { OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { inject as Inject, InjectOptions } from 'light-my-request';
import type { HttpRequest } from '../../derive/sending/call.js';
import { type LengthHeader, lengthHeader } from '../../derive/sending/sending.js';
import { inRealTime } from '../../engine/real-time.js';
import { type Began, brokenOff, type RawResponse } from '../../scenario/play/target.js';

/**
 * Sends a request to an app as if from loopback. Rejects with `BrokenOff` if the response is cut off, or `signal` aborts. `Host` is that of `url`
 * unless a header gives another.
 */
export type Ask = (request: HttpRequest, signal?: AbortSignal) => Promise<RawResponse>;

interface Injecting {
  /** The address of the app, as if it listened there. */
  readonly url?: string;
  readonly length?: LengthHeader;
}

const require = createRequire(import.meta.filename);
let inject: typeof Inject | undefined;

export function injecting(
  app: { callback(): RequestListener },
  { url = 'http://localhost', length = lengthHeader }: Injecting = {},
): Ask {
  const { host, hostname, port } = new URL(url);
  const local = { localAddress: hostname.replace(/^\[|\]$/g, ''), localPort: Number(port || 80) };
  const dispatch = app.callback();
  return async (request, signal) => {
    inject ??= require('light-my-request') as typeof Inject; // loaded with the first request
    const { method, path, body } = request;
    let under: ServerResponse | undefined;
    signal?.addEventListener('abort', () => under?.destroy(), { once: true }); // like the end of a connection
    const {
      statusCode,
      headers: answered,
      rawPayload,
    } = await inRealTime(async () =>
      (inject as typeof Inject)(
        (asked, serverResponse) => {
          under = serverResponse;
          Object.assign(asked.socket, local);
          dispatch(Object.assign(asked, { url: path }), serverResponse); // unchanged: it would be normalized
        },
        {
          method: method as NonNullable<InjectOptions['method']>, // any value works; it is passed on unchanged
          url: '/',
          authority: host,
          remoteAddress: '127.0.0.1',
          validate: false,
          headers: asReceived({ ...length(request), ...request.headers }),
          ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
        },
      ),
    ).catch(error => breakOff(error, under));
    return {
      status: statusCode,
      headers: Object.fromEntries(
        Object.entries(answered).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]),
      ),
      fields: fieldsIn(answered),
      text: rawPayload.toString('utf8'),
      bytes: new Uint8Array(rawPayload),
    };
  };
}

/** A fault may end the connection before the end of the response. */
function breakOff(error: NodeJS.ErrnoException, under: ServerResponse | undefined): never {
  if (error.code !== 'LIGHT_ECONNRESET') throw error;
  if (under?.headersSent !== true)
    throw brokenOff('the fake', { how: 'the connection closed without a response' }, error);
  const began = { status: under.statusCode, fields: fieldsIn(under.getHeaders()) };
  throw brokenOff('the fake', { how: 'the connection ended in the middle of the response', began }, error);
}

function fieldsIn(headers: OutgoingHttpHeaders): Began['fields'] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map(one => [name.toLowerCase(), String(one)] as const),
  );
}

/** The headers as a server reads them: values without surrounding blanks. */
function asReceived(headers: HttpRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      value.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, ''),
    ]),
  );
}
