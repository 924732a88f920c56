// The proxy between Pact's verifier and the provider. It passes requests on unchanged and records them; the provider state tells it which interaction
// a request belongs to.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { type RawResponse, Unreachable } from '../../../server/scenario/play/target.js';
import type { StateValues } from '../../../server/scenario/states/provider-states.js';
import { handOn, type Loopback, OF_CONNECTION, openLoopback } from './loopback.js';

/** Handles the interactions behind the proxy. A rejection ends the run, unless it is `Unreachable`: then the connection breaks off. */
export interface InteractionHandler {
  /** Sets up the states of the interaction of this number. `problem`: they cannot be set up, and no request is sent. */
  begin(number: number): Promise<{ readonly values: StateValues } | { readonly problem: string }>;
  respond(number: number, request: HttpRequest): Promise<RawResponse>;
  finish(number: number): Promise<void>;
}

/** A loopback server for one run of the verifier, which throws when it is closed if a handler has failed. Each interaction has one state: its number. */
export interface RecordingProxy extends Loopback {
  readonly stateUrl: string;
}

export async function openRecordingProxy(handler: InteractionHandler): Promise<RecordingProxy> {
  const statePath = `/states-${randomBytes(9).toString('hex')}`;
  /** The interaction that began last. */
  let current: number | undefined;
  let failure: unknown;

  const changeState = async (body: Buffer | string, serverResponse: ServerResponse): Promise<void> => {
    const { action, state } = JSON.parse(String(body)) as { action: string; state: string }; // the format of the verifier
    const number = Number(state);
    if (action === 'teardown') {
      await handler.finish(number);
      return sendJson(serverResponse, 200, {});
    }
    current = number;
    const begun = await handler.begin(number);
    return 'values' in begun ? sendJson(serverResponse, 200, begun.values) : sendJson(serverResponse, 400, begun);
  };

  const receive = async (asked: IncomingMessage, serverResponse: ServerResponse): Promise<void> => {
    try {
      const body = await bodyOf(asked).catch(() => null);
      if (body === null) return void serverResponse.destroy(); // the verifier gave up
      if (failure !== undefined) throw failure; // the run has failed: do not spend time on the rest
      if (asked.url === statePath) return await changeState(body ?? '{}', serverResponse);
      if (current === undefined) throw new Error('the verifier sent a request before a provider state');
      handOn(await handler.respond(current, requestFrom(asked, body)), serverResponse);
    } catch (error) {
      if (error instanceof Unreachable) return void serverResponse.destroy();
      failure ??= error;
      if (serverResponse.headersSent) return void serverResponse.destroy();
      serverResponse.writeHead(400, { 'Content-Length': '0' }).end(); // the verifier would retry a 5xx of a state for two minutes
    }
  };

  const loopback = await openLoopback((asked, serverResponse) => void receive(asked, serverResponse));
  const close = async () => {
    await loopback.close();
    if (failure !== undefined) throw failure;
  };
  return { url: loopback.url, stateUrl: `${loopback.url}${statePath}`, close };
}

/** An empty body has a length; without any length there is no body. */
async function bodyOf(asked: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked as AsyncIterable<Buffer>) chunks.push(chunk);
  const isReported = asked.headers['content-length'] !== undefined || asked.headers['transfer-encoding'] !== undefined;
  return isReported ? Buffer.concat(chunks) : undefined;
}

function requestFrom({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer | undefined): HttpRequest {
  const passed = Object.entries(headers)
    .filter(([name]) => !OF_CONNECTION.has(name))
    .map(([name, value]) => [name, [value ?? []].flat().join(', ')]);
  return { method, path: url, headers: Object.fromEntries(passed), ...(body !== undefined && { body }) };
}

function sendJson(serverResponse: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  serverResponse.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  serverResponse.end(text);
}
