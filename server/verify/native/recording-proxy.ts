// What stands before Pact's verifier: a server that passes each request on as it came and takes it down, and knows by the states to which
// interaction it belongs. Judges nothing and knows no pact.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRequest } from '../../derive/sending/call.js';
import { type Answered, isBrokenOff } from '../../scenario/play/target.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import { handOn, type Loopback, OF_CONNECTION, openLoopback } from '../judging/loopback.js';

/** Who plays before the verifier. What it rejects with ends the run. */
export interface Cast {
  /** Begins the interaction of a number: its states. `problem`: they cannot be, and nothing is asked. */
  begin(number: number): Promise<{ readonly values: StateValues } | { readonly problem: string }>;
  answer(number: number, request: HttpRequest): Promise<Answered>;
  finish(number: number): Promise<void>;
}

/** A server on loopback for one run of the verifier, in which each interaction asks for one state: its number. */
export class Stage {
  /** The interaction that is being asked; absent before the first. */
  #current: number | undefined;
  #failure: unknown;

  private constructor(
    private readonly loopback: Loopback,
    readonly stateUrl: string,
  ) {}

  static async open(cast: Cast): Promise<Stage> {
    const statePath = `/states-${randomBytes(9).toString('hex')}`;
    let stage: Stage | undefined;
    const loopback = await openLoopback((asked, answering) => {
      void stage?.receive(cast, asked.url === statePath, asked, answering);
    });
    stage = new Stage(loopback, `${loopback.url}${statePath}`);
    return stage;
  }

  get url(): string {
    return this.loopback.url;
  }

  /** Ends it, and throws what went wrong behind it. */
  async close(): Promise<void> {
    await this.loopback.close();
    if (this.#failure !== undefined) throw this.#failure;
  }

  private async receive(
    cast: Cast,
    isState: boolean,
    asked: IncomingMessage,
    answering: ServerResponse,
  ): Promise<void> {
    try {
      const body = await bodyOf(asked);
      if (this.#failure !== undefined) throw this.#failure; // the rest would fail as well, and might take its time
      if (isState) await this.changeState(cast, body ?? '{}', answering);
      else await this.pass(cast, requestFrom(asked, body), answering);
    } catch (error) {
      if (isBrokenOff(error)) return void answering.destroy(); // as it was broken off to us
      this.#failure ??= error;
      answering.writeHead(400, { 'Content-Length': '0' }).end(); // a 5xx of a state would be tried again for two minutes
    }
  }

  private async changeState(cast: Cast, body: string | Uint8Array, answering: ServerResponse): Promise<void> {
    const { action, state } = JSON.parse(String(body)) as { action: string; state: string }; // the verifier's own form
    const number = Number(state);
    if (action === 'teardown') {
      await cast.finish(number);
      return sendJson(answering, 200, {});
    }
    this.#current = number;
    const begun = await cast.begin(number);
    return 'values' in begun ? sendJson(answering, 200, begun.values) : sendJson(answering, 400, begun);
  }

  private async pass(cast: Cast, request: HttpRequest, answering: ServerResponse): Promise<void> {
    if (this.#current === undefined) throw new Error('the verifier asked before it named an interaction');
    handOn(await cast.answer(this.#current, request), answering);
  }
}

/** An empty body is one, and its length is told. */
async function bodyOf(asked: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked as AsyncIterable<Buffer>) chunks.push(chunk);
  const isTold = asked.headers['content-length'] !== undefined || asked.headers['transfer-encoding'] !== undefined;
  return isTold ? Buffer.concat(chunks) : undefined;
}

function requestFrom({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer | undefined): HttpRequest {
  const passed = Object.entries(headers)
    .filter(([name]) => !OF_CONNECTION.has(name))
    .map(([name, value]) => [name, [value ?? []].flat().join(', ')]);
  return { method, path: url, headers: Object.fromEntries(passed), ...(body !== undefined && { body }) };
}

function sendJson(answering: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  answering.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  answering.end(text);
}
