// One exchange with an operation, or with an unknown path: reads the request, has it performed and writes the answer. It bypasses Koa's own
// answering, which would double its cost.

import { randomUUID } from 'node:crypto';
import type { Breakage } from '../engine/faults/fault.js';
import type { Performed } from '../engine/journal/compose-entry.js';
import type { Log } from '../engine/log.js';
import { realTime } from '../engine/real-time.js';
import { type Answer, isBodiless } from '../engine/request/answer.js';
import { perform, type Result } from '../engine/request/perform.js';
import type { Body, Request } from '../engine/request/request.js';
import type { UnusableSandbox } from '../engine/request/stage.js';
import { withoutSandbox } from '../engine/request/stages/conditions.js';
import { DEFAULT_SANDBOX, type Session } from '../engine/sandbox/session.js';
import { StoreError } from '../engine/store.js';
import { sandboxIn } from '../operations/address.js';
import { ABSENT, type Arrival, type BodyReader, parsed } from './body/body.js';
import type { Outstanding } from './body/outstanding.js';
import { breakOff, isBroken, pause } from './connections/breakage.js';
import type { Context } from './context.js';
import { explanation } from './explanation.js';
import type { Cors } from './guards/cors.js';
import { mayBeCrossSite } from './guards/cross-site.js';
import { BUG, logBug } from './guards/guards.js';
import type { Place } from './incoming/places.js';
import { requestFrom } from './incoming/request-from.js';
import { requestIdIn, traceparentIn } from './incoming/request-ids.js';
import { type Target, targetOf } from './incoming/request-target.js';
import { nameProblem, sandboxNamed } from './incoming/sandbox-named.js';
import type { Metrics } from './metrics/metrics.js';
import type { Participant, Rounds } from './rounds.js';

/** How operations are answered. */
export interface Answering {
  /** Whether answers have headers that say what decided them. */
  readonly explain: boolean;
  readonly cors: Cors;
  /** Aborts when the server stops: delayed answers are then sent at once. */
  readonly ending: AbortSignal;
}

/** What all exchanges of a server share. */
export interface Exchanging {
  readonly session: Session;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly bodies: BodyReader;
  readonly outstanding: Outstanding;
  readonly rounds: Rounds;
  readonly answering: Answering;
}

/** Names and values alternate. */
type HeaderList = string[];

export class Exchange implements Participant {
  body: Body = ABSENT;
  result: Result | undefined;
  readonly #began = realTime.uptime();
  /** The `X-Request-Id` of the request. */
  readonly #givenId: string | undefined;
  /** Whether it is being performed: its answer is sent after others are decided. */
  #isInRound = false;
  /** Until it is performed. */
  #arrival: Arrival = ABSENT;
  #due: { readonly answer: Answer; readonly list: HeaderList } | undefined;

  constructor(
    private readonly server: Exchanging,
    private readonly ctx: Context,
    private readonly place: Place,
  ) {
    this.#givenId = requestIdIn(ctx.req.headers);
    ctx.respond = false;
  }

  /** Answers, synchronously or later. A closed connection gets no answer. */
  begin(): void {
    this.server.bodies.read(this.ctx, this.#join, this.#unread);
  }

  readonly #unread = (error: unknown): void =>
    this.#unperformed(this.#requestFrom(targetOf(this.ctx), DEFAULT_SANDBOX, false), error);

  readonly #join = (arrival: Arrival): void => {
    this.#arrival = arrival;
    if (Buffer.isBuffer(arrival)) this.server.outstanding.bodies += arrival.length;
    this.server.rounds.join(this);
  };

  perform(): void {
    const arrival = this.#arrival;
    this.#arrival = ABSENT;
    if (Buffer.isBuffer(arrival)) this.server.outstanding.bodies -= arrival.length;
    this.#isInRound = true;
    try {
      this.body = parsed(arrival);
      this.#perform();
    } catch (error) {
      this.#fail(error);
    }
    this.#isInRound = false;
  }

  send(): void {
    const due = this.#due;
    this.#due = undefined;
    if (due !== undefined) this.#write(due.answer, due.list);
  }

  #perform(): void {
    const target = targetOf(this.ctx);
    const named = this.#sandbox();
    const name = named ?? DEFAULT_SANDBOX;
    const request = this.#requestFrom(target, name, named !== undefined);
    try {
      const problem = nameProblem(name);
      if (problem === undefined) this.#performIn(name, request, named !== undefined);
      else this.#refuse(request, 'sandbox-name', problem);
    } catch (error) {
      this.#unperformed(request, error);
    }
  }

  /** The sandbox that the request names, if any. */
  #sandbox(): string | undefined {
    const { address } = this.place;
    return sandboxNamed(this.ctx, address === undefined ? sandboxIn(targetOf(this.ctx).path).sandbox : address.sandbox);
  }

  #performIn(sandbox: string, request: Request, isNamed: boolean): void {
    const mayCreate = !isNamed || !mayBeCrossSite(this.ctx.req);
    const performed = this.server.session.perform(sandbox, request, isNamed, mayCreate);
    if (!(performed instanceof Promise)) this.#answer(sandbox, request, performed);
    else
      performed.then(later => this.#answer(sandbox, request, later)).catch(error => this.#unperformed(request, error));
  }

  #requestFrom(target: Target, sandbox: string, isNamed: boolean): Request {
    const { body } = this;
    return requestFrom(this.ctx.req, this.place, { id: this.#givenId, query: target.query, body, sandbox, isNamed });
  }

  #answer(sandbox: string, request: Request, performed: Performed | undefined): void {
    if (performed === undefined) this.#refuseUnknown(sandbox, request);
    else this.#tell(sandbox, performed);
  }

  #refuseUnknown(sandbox: string, request: Request): void {
    const reason = mayBeCrossSite(this.ctx.req)
      ? "a browser's request by path may come from another site's page, so it creates none"
      : 'sandboxes are not created automatically here';
    const detail = `There is no sandbox ${JSON.stringify(sandbox)}, and ${reason}: create it with POST /_fake/v1/sandboxes.`;
    this.#refuse(request, 'sandbox-unknown', detail);
  }

  #tell(sandbox: string, performed: Performed): void {
    this.result = performed;
    const { answer, injected, entry } = performed;
    const list = this.#headersOf(answer, `${sandbox}.${entry}`);
    if (this.server.answering.explain) list.push(...explanation(sandbox, performed));
    if (injected === undefined) this.#send(answer, list);
    else this.#sendBroken(answer, list, injected.breakage).catch(this.#fail);
  }

  /** As a fault demands: late, in pieces, cut off, or not at all. */
  async #sendBroken(answer: Answer, list: HeaderList, breakage: Breakage): Promise<void> {
    const { ending } = this.server.answering;
    const { res } = this.ctx;
    if (breakage.delay !== undefined) await pause(res, breakage.delay, ending);
    if (isBroken(breakage)) {
      await breakOff(this.ctx, answer, list, breakage, ending);
      this.#count(answer.status);
    } else this.#send(answer, list);
  }

  #unperformed(request: Request, error: unknown): void {
    if (!(error instanceof StoreError)) this.#fail(error);
    else {
      const retry = error.retryAfter === undefined ? [] : ['Retry-After', String(error.retryAfter)];
      this.#refuse(request, error.isNoRoom ? 'no-room' : 'store-unavailable', `${error.message}.`, retry);
    }
  }

  #refuse(request: Request, code: UnusableSandbox['code'], message: string, further: HeaderList = []): void {
    const { answer } = perform(request, withoutSandbox(this.server.session.serverReadings, { code, message }));
    this.#send(answer, this.#headersOf(answer, randomUUID()).concat(further));
  }

  /** A bug: a started answer is not continued. */
  readonly #fail = (error: unknown): void => {
    const { res } = this.ctx;
    const id = this.#givenId ?? randomUUID();
    logBug(this.server.log, this.ctx, error, id);
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    const answer = { status: BUG.status, headers, body: JSON.stringify(BUG) };
    if (res.headersSent) res.destroy();
    else this.#send(answer, this.#headersOf(answer, id));
  };

  /** `own`: the id of a request that brought none. */
  #headersOf({ headers, body }: Answer, own: string): HeaderList {
    const list = ['X-Request-Id', this.#givenId ?? own];
    if (this.ctx.state.isLast) list.push('Connection', 'close');
    for (const name in headers)
      if (body !== undefined || !DESCRIBING.has(name.toLowerCase())) list.push(name, headers[name] ?? '');
    if (body !== undefined) list.push('Content-Length', String(Buffer.byteLength(body)));
    addMissing(list, this.server.answering.cors.headersFor(this.ctx.req.headers.origin));
    return list;
  }

  #send(answer: Answer, list: HeaderList): void {
    if (this.#isInRound) this.#due = { answer, list };
    else this.#write(answer, list);
  }

  #write({ status, body }: Answer, list: HeaderList): void {
    const { req, res } = this.ctx;
    const isHead = req.method === 'HEAD';
    if (body === undefined && !isBodiless(status) && !isHead) list.push('Content-Length', '0');
    res.writeHead(status, list);
    res.end(isHead ? undefined : body); // Node omits it on the wire, an app without a socket would not
    this.#count(status);
  }

  #count(status: number): void {
    const duration = realTime.uptime() - this.#began;
    this.server.metrics.count(this, status, duration / 1000);
    if (this.server.log.request !== undefined) this.#log(status, duration);
  }

  #log(status: number, duration: number): void {
    const { method = '', url = '' } = this.ctx.req;
    const { result } = this;
    this.server.log.request?.({
      sandbox: this.#sandbox() ?? DEFAULT_SANDBOX,
      method,
      url,
      path: this.place.address?.rest,
      status,
      duration,
      traceparent: traceparentIn(this.ctx.req.headers),
      result,
    });
  }
}

/** A fault may have set these headers itself. */
function addMissing(list: HeaderList, headers: readonly string[]): void {
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2);
    if (!list.some((other, at) => at % 2 === 0 && other.toLowerCase() === name.toLowerCase())) list.push(name, value);
  }
}

/** Headers about a body, omitted if there is none. */
const DESCRIBING: ReadonlySet<string> = new Set(['content-type', 'content-length', 'transfer-encoding']);
