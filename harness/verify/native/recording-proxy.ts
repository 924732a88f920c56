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

/** A loopback server for one run of the verifier. Each interaction has one state: its number. */
export class RecordingProxy {
  /** The current interaction; absent before the first. */
  #current: number | undefined;
  #failure: unknown;

  private constructor(
    private readonly loopback: Loopback,
    readonly stateUrl: string,
  ) {}

  static async open(handler: InteractionHandler): Promise<RecordingProxy> {
    const statePath = `/states-${randomBytes(9).toString('hex')}`;
    let proxy: RecordingProxy | undefined;
    const loopback = await openLoopback((asked, serverResponse) => {
      void proxy?.receive(handler, asked.url === statePath, asked, serverResponse);
    });
    proxy = new RecordingProxy(loopback, `${loopback.url}${statePath}`);
    return proxy;
  }

  get url(): string {
    return this.loopback.url;
  }

  /** Closes the proxy, and throws if a handler has failed. */
  async close(): Promise<void> {
    await this.loopback.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  private async receive(
    handler: InteractionHandler,
    isState: boolean,
    asked: IncomingMessage,
    serverResponse: ServerResponse,
  ): Promise<void> {
    try {
      const body = await bodyOf(asked).catch(() => null);
      if (body === null) return void serverResponse.destroy(); // the verifier gave up
      if (this.#failure !== undefined) throw this.#failure; // the run has failed: do not spend time on the rest
      if (isState) await this.changeState(handler, body ?? '{}', serverResponse);
      else await this.pass(handler, requestFrom(asked, body), serverResponse);
    } catch (error) {
      if (error instanceof Unreachable) return void serverResponse.destroy();
      this.#failure ??= error;
      if (serverResponse.headersSent) return void serverResponse.destroy();
      serverResponse.writeHead(400, { 'Content-Length': '0' }).end(); // the verifier would retry a 5xx of a state for two minutes
    }
  }

  private async changeState(
    handler: InteractionHandler,
    body: string | Uint8Array,
    serverResponse: ServerResponse,
  ): Promise<void> {
    const { action, state } = JSON.parse(String(body)) as { action: string; state: string }; // the format of the verifier
    const number = Number(state);
    if (action === 'teardown') {
      await handler.finish(number);
      return sendJson(serverResponse, 200, {});
    }
    this.#current = number;
    const begun = await handler.begin(number);
    return 'values' in begun ? sendJson(serverResponse, 200, begun.values) : sendJson(serverResponse, 400, begun);
  }

  private async pass(handler: InteractionHandler, request: HttpRequest, serverResponse: ServerResponse): Promise<void> {
    if (this.#current === undefined) throw new Error('the verifier sent a request before a provider state');
    handOn(await handler.respond(this.#current, request), serverResponse);
  }
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
