// The same requests through common clients: Node's own, and undici behind `fetch`. Each parses the response itself.
import { authorization } from '../../../server/derive/sending/call.js';
import type { Asked } from '../cases/asked.js';
import type { ApiResponse } from '../judging/response-reader.js';
import type { Control } from './control.js';

/** Rejects if the client has no whole response within this many milliseconds. */
export async function sendByAnotherClient(
  control: Control,
  sandbox: string,
  { request, bytes }: Asked,
  at: number,
  within: number,
): Promise<ApiResponse> {
  const { method, url, credentials, contentType } = request;
  const path = `/~${sandbox}${url}`;
  const headers = {
    ...(bytes !== undefined && contentType !== '' && { 'Content-Type': contentType }),
    ...((credentials.kind === 'basic' || credentials.kind === 'bearer') && {
      Authorization: authorization(credentials),
    }),
  };
  if (at % 2 === 0) {
    const length = bytes === undefined ? {} : { 'Content-Length': String(bytes.length) };
    const response = await control.ask(method, path, { ...headers, ...length }, bytes, within);
    const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: response.status, headers: new Map(names), body: response.body };
  }
  const sent = bytes === undefined ? {} : { body: new Uint8Array(bytes) };
  const response = await fetch(`http://127.0.0.1:${control.port}${path}`, {
    method,
    headers,
    ...sent,
    signal: AbortSignal.timeout(within),
  });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: new Map(response.headers), body };
}
