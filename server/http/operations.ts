// Decides requests to operations, to resources of Confluence and Jira, and to paths where there is nothing.

import { type Admission, HEAVY_RECORDS } from '../engine/admission.js';
import type { JournaledResult } from '../engine/journal/compose-entry.js';
import type { Request } from '../engine/request/request.js';
import type { UnusableSandbox } from '../engine/request/stage.js';
import { runStages } from '../engine/request/stages/run-stages.js';
import { withoutSandbox } from '../engine/request/stages/sandbox-and-readings.js';
import { DEFAULT_SANDBOX } from '../engine/sandbox/state.js';
import type { Session } from '../engine/session/session.js';
import type { OrLater } from '../engine/store.js';
import { sandboxIn } from '../operations/address.js';
import { ABSENT, type Exchange } from './exchange/exchange.js';
import type { HeaderList, Response } from './exchange/response.js';
import type { Cors } from './guards/cors.js';
import { mayBeCrossSite } from './guards/cross-site.js';
import type { EndpointPlace } from './incoming/find-endpoint.js';
import { requestFrom } from './incoming/request-from.js';
import { targetOf } from './incoming/request-target.js';
import { nameProblem, sandboxNamed } from './incoming/sandbox-named.js';
import { explanation } from './writing/explanation.js';

export interface OperationParts {
  readonly session: Session;
  readonly admission: Admission;
  /** Whether responses have headers that say what decided them. */
  readonly explain: boolean;
  readonly cors: Cors;
}

export class Operations {
  constructor(private readonly parts: OperationParts) {}

  /** The response, after the changes are committed. Throws or rejects with a `StoreError`. */
  decide(exchange: Exchange, place: EndpointPlace): OrLater<Response> {
    const { sandbox, isNamed } = sandboxOf(exchange, place);
    const request = this.#requestOf(exchange, place);
    const problem = nameProblem(sandbox);
    if (problem !== undefined) return this.refuse(exchange, place, { code: 'sandbox-name', message: problem });
    const mayCreate = !isNamed || !mayBeCrossSite(exchange.ctx.req);
    const respond = () => this.parts.session.respond(sandbox, request, isNamed, mayCreate);
    const decided =
      exchange.isAdmitted || this.#weightOf(request, sandbox) <= HEAVY_RECORDS
        ? respond()
        : this.parts.admission.run(respond);
    return decided instanceof Promise
      ? decided.then(later => this.#responseTo(exchange, place, sandbox, later))
      : this.#responseTo(exchange, place, sandbox, decided);
  }

  /** The refusal of a request without a usable sandbox. */
  refuse(
    exchange: Exchange,
    place: EndpointPlace,
    unusable: UnusableSandbox & { readonly retryAfter?: number | undefined },
  ): Response {
    const request = this.#requestOf(exchange, place);
    const { response } = runStages(request, withoutSandbox(this.parts.session.serverReadings, unusable));
    const { retryAfter } = unusable;
    const headers =
      retryAfter === undefined ? response.headers : { ...response.headers, 'Retry-After': String(retryAfter) };
    return { ...response, headers, cors: this.#corsFor(exchange) };
  }

  /** How much a request has to do: 0 for most. */
  #weightOf({ endpoint, method, params, query, body }: Request, sandbox: string): number {
    const operation = endpoint?.operations.find(({ weight, method: own }) => weight !== undefined && own === method);
    const world = operation && this.parts.session.peek(sandbox)?.state.world;
    if (operation?.weight === undefined || world === undefined) return 0;
    return operation.weight(world, { params, query: query.pairs, body: body.kind === 'json' ? body.value : undefined });
  }

  #requestOf(exchange: Exchange, place: EndpointPlace): Request {
    const { ctx, givenId, body } = exchange;
    const { sandbox, isNamed } = sandboxOf(exchange, place);
    exchange.sandbox = sandbox;
    return requestFrom(ctx.req, place, { id: givenId, query: targetOf(ctx).query, body, sandbox, isNamed });
  }

  #responseTo(
    exchange: Exchange,
    place: EndpointPlace,
    sandbox: string,
    decided: JournaledResult | undefined,
  ): Response {
    if (decided === undefined) {
      const reason = mayBeCrossSite(exchange.ctx.req)
        ? "a browser request cannot create a sandbox by path, because it may come from another site's page"
        : 'this server does not create sandboxes automatically';
      const message = `Unknown sandbox ${JSON.stringify(sandbox)}: ${reason}. Create it with POST /_fake/v1/sandboxes.`;
      return this.refuse(exchange, place, { code: 'sandbox-unknown', message });
    }
    exchange.result = decided;
    if (exchange.body.kind === 'json') exchange.body = ABSENT; // a delayed response would keep its parsed value
    const { response, injected, stub, entry } = decided;
    const { status, headers, body } = response;
    return {
      status,
      headers,
      ...(body !== undefined && { body }),
      id: `${sandbox}.${entry}`,
      cors: this.#corsFor(exchange),
      explanation: this.parts.explain ? explanation(sandbox, decided) : none,
      breakage: stub === undefined ? injected?.breakage : { ...stub.breakage, ...injected?.breakage },
    };
  }

  #corsFor({ ctx }: Exchange): HeaderList {
    return this.parts.cors.headersFor(ctx.req.headers.origin);
  }
}

const none: HeaderList = [];

function sandboxOf(
  { ctx }: Exchange,
  { address }: EndpointPlace,
): { readonly sandbox: string; readonly isNamed: boolean } {
  const named = sandboxNamed(ctx, address === undefined ? sandboxIn(targetOf(ctx).path).sandbox : address.sandbox);
  return { sandbox: named ?? DEFAULT_SANDBOX, isNamed: named !== undefined };
}
