// The way of every request: its head is classified and guarded, its body read, then it is decided and committed, and its response written.
import { randomUUID } from 'node:crypto';
import { storeProblem } from '../control/invoke.js';
import { type Admission, HEAVY_BODY, parsedSize } from '../engine/admission.js';
import type { Log } from '../engine/log.js';
import { storeRefusal } from '../engine/request/store-refusal.js';
import { redactUrl } from '../engine/secrets.js';
import { type OrLater, StoreError } from '../engine/store.js';
import { Batches } from './batching.js';
import { type BodyReader, isUnread } from './body/body.js';
import { classifyRequest, type Destinations } from './classify.js';
import type { ActionCalls } from './control/action-calls.js';
import { ABSENT, Exchange } from './exchange/exchange.js';
import { refuse } from './exchange/refuse.js';
import type { Response } from './exchange/response.js';
import type { Route } from './exchange/route.js';
import type { Guards } from './guards/guards.js';
import type { Context } from './incoming/context.js';
import type { EndpointPlace } from './incoming/find-endpoint.js';
import type { Operations } from './operations.js';
import type { Writer } from './writing/writer.js';

export interface PipelineParts {
  readonly destinations: Destinations;
  readonly guards: Guards;
  readonly bodies: BodyReader;
  readonly admission: Admission;
  readonly operations: Operations;
  /** Absent: there is no control API. */
  readonly actions: ActionCalls | undefined;
  readonly writer: Writer;
  readonly log: Log;
}

export class Pipeline {
  readonly #batches = new Batches<Exchange>(
    exchange => this.#decide(exchange),
    exchange => this.#write(exchange),
  );

  constructor(private readonly parts: PipelineParts) {}

  /** Finds where a request leads, and whether it is refused before its body is read. */
  receive(ctx: Context): void {
    const exchange = new Exchange(ctx, classifyRequest(ctx, this.parts.destinations));
    const { route } = exchange;
    exchange.response = this.parts.guards(exchange);
    if (exchange.response !== undefined) this.#write(exchange);
    else if (route.kind === 'forwarded') this.#forward(exchange, route.place);
    else if (route.kind === 'page') this.#batches.add(exchange);
    else this.#read(exchange);
  }

  #read(exchange: Exchange): void {
    this.parts.bodies.read(exchange.ctx, arrival => {
      exchange.arrival = arrival;
      exchange.isLast = isUnread(arrival);
      this.#batches.add(exchange);
    });
  }

  /** Decides and commits. The response is written afterwards, or as soon as it is there. */
  #decide(exchange: Exchange): void {
    try {
      const response = this.#isLarge(exchange) ? this.#decideInTurn(exchange) : this.#parseAndDecide(exchange);
      if (!(response instanceof Promise)) exchange.response = response;
      else
        response
          .catch(error => this.#failure(exchange, error))
          .then(later => {
            exchange.response = later;
            this.#write(exchange);
          });
    } catch (error) {
      exchange.response = this.#failure(exchange, error);
    }
  }

  /** Large bodies wait for their turn before they are parsed. Playing asks this server itself, so it would wait for its own requests. */
  #isLarge({ arrival, route }: Exchange): boolean {
    if (!Buffer.isBuffer(arrival) || arrival.length <= HEAVY_BODY) return false;
    return !(route.kind === 'action' && route.action?.id === 'play');
  }

  #decideInTurn(exchange: Exchange): Promise<Response> {
    const text = exchange.arrival as Buffer; // it is large
    const work = () => {
      exchange.isAdmitted = true;
      return this.#parseAndDecide(exchange);
    };
    return this.parts.admission.run(work, () => parsedSize(text));
  }

  #parseAndDecide(exchange: Exchange): OrLater<Response> {
    const { arrival } = exchange;
    exchange.arrival = ABSENT;
    exchange.body = this.parts.bodies.parse(arrival);
    return this.#responseTo(exchange);
  }

  #responseTo(exchange: Exchange): OrLater<Response> {
    const { route } = exchange;
    const { operations, actions } = this.parts;
    switch (route.kind) {
      case 'operation':
        return operations.decide(exchange, route.place);
      case 'action':
        return (actions ?? absent(route)).decide(exchange, route);
      case 'page':
        return route.page.respond(exchange.ctx);
      default:
        return absent(route);
    }
  }

  /** The response to a request that could not be decided: 503 or 507 because of its store, else 500 because of a bug. */
  #failure(exchange: Exchange, error: unknown): Response {
    const { route, arrival } = exchange;
    this.parts.bodies.discard(arrival); // it had no turn
    exchange.arrival = ABSENT;
    if (!(error instanceof StoreError)) return this.#bug(exchange, error);
    return route.kind === 'operation'
      ? this.parts.operations.refuse(exchange, route.place, storeRefusal(error))
      : refuse(exchange, storeProblem(error), this.parts.log);
  }

  #write(exchange: Exchange): void {
    const { response } = exchange;
    if (response === undefined) return; // it is still being decided
    exchange.response = undefined;
    try {
      this.parts.writer.write(exchange, response)?.catch(error => this.#breakOff(exchange, error));
    } catch (error) {
      this.#breakOff(exchange, error);
    }
  }

  /** After a bug while a response is written: one that has begun is not continued. */
  #breakOff(exchange: Exchange, error: unknown): void {
    const response = this.#bug(exchange, error);
    if (exchange.ctx.res.headersSent) exchange.ctx.res.destroy();
    else void this.parts.writer.write(exchange, response);
  }

  /** Clients do not see the exception, the log does. */
  #bug({ ctx, givenId, id = givenId ?? randomUUID() }: Exchange, error: unknown): Response {
    const { method, url } = ctx;
    this.parts.log.error('a bug in cwx-fake', { err: error, requestId: id, method, path: redactUrl(url) });
    return {
      status: BUG.status,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(BUG),
      id,
    };
  }

  /** Passes a request on to another server. One for a stub is decided here instead, and so is one whose sandbox cannot be used: it is refused. */
  #forward(exchange: Exchange, place: EndpointPlace): void {
    const { ctx } = exchange;
    const forwarder = this.parts.destinations.forwarder ?? absent(exchange.route);
    forwarder
      .responses(ctx, place)
      .then(isForwarded => {
        if (isForwarded) forwarder.pass(ctx, place);
        else {
          exchange.route = { kind: 'operation', place };
          this.#read(exchange);
        }
      })
      .catch(error => this.#breakOff(exchange, error));
  }
}

/** Requests are classified by what there is. */
function absent({ kind }: Route): never {
  throw new Error(`nothing decides requests of the kind ${kind}`);
}

const BUG = {
  status: 500,
  title: 'Internal Server Error',
  detail: 'This is a bug in cwx-fake. See its log for details.',
} as const;
