// The APIs that we fake: each request becomes a value for the engine, and what the engine decides becomes the response. The engine sees every request
// as it came, because it decides about addresses, methods and media types too.
import type { Admission } from '../engine/admission.js';
import type { JournaledResult } from '../engine/journal/compose-entry.js';
import type { ApiResponse } from '../engine/request/api-response.js';
import { noBody, type Request } from '../engine/request/request.js';
import type { Breakage, Result } from '../engine/request/result.js';
import type { UnusableSandbox } from '../engine/request/stage.js';
import { withoutSandbox } from '../engine/request/stages/routing.js';
import { runStages } from '../engine/request/stages/run-stages.js';
import { storeRefusal } from '../engine/request/store-refusal.js';
import { DEFAULT_SANDBOX } from '../engine/sandbox/state.js';
import type { Session } from '../engine/session/session.js';
import { StoreError } from '../engine/store.js';
import { isOfEveryAddress, sandboxIn } from '../operations/address.js';
import { isShownGap } from '../operations/provenance.js';
import { isLargeBody, parsedBody } from './body.js';
import { mayBeCrossSite } from './cors.js';
import type { Context, Middleware } from './incoming/context.js';
import { findPlace } from './incoming/find-endpoint.js';
import { nameProblem, requestFrom, sandboxNamed } from './incoming/request-from.js';
import { nextTurn } from './turn.js';

export interface FakeParts {
  readonly session: Session;
  readonly admission: Admission;
  /** Whether to serve the REST APIs of Confluence and Jira. */
  readonly restApi: boolean;
  /** Whether responses have headers that say what decided them. */
  readonly explain: boolean;
  /** Responses as another server may give them. Default: as the engine decides. */
  readonly vary?: ((decided: Result) => ApiResponse) | undefined;
}

export function fake({ session, admission, restApi, explain, vary }: FakeParts): Middleware {
  return async ctx => {
    const place = findPlace(ctx.path, restApi);
    const named = sandboxNamed(
      ctx.req.headers,
      place.address === undefined ? sandboxIn(ctx.path).sandbox : place.address.sandbox,
    );
    const sandbox = named ?? DEFAULT_SANDBOX;
    const isNamed = named !== undefined;
    ctx.state.sandbox = sandbox;
    ctx.state.path = place.address?.rest;

    const isLarge = isLargeBody(ctx); // parsing it is heavy itself
    const request = requestFrom(ctx.req, place, {
      id: ctx.state.id,
      url: ctx.originalUrl,
      query: ctx.querystring,
      body: isLarge ? noBody : parsedBody(ctx),
      sandbox,
      isNamed,
      arrived: ctx.state.began,
    });
    const problem = named === undefined ? undefined : nameProblem(named);
    if (problem !== undefined) return refuse(ctx, request, session, { code: 'sandbox-name', message: problem });
    const mayCreate = !isNamed || !mayBeCrossSite(ctx.req);
    try {
      const decided = await (isLarge || isHeavyRequest(request, session, sandbox)
        ? admission.run(() => {
            const whole = isLarge ? { ...request, body: parsedBody(ctx) } : request;
            return session.respond(sandbox, whole, isNamed, mayCreate);
          })
        : session.respond(sandbox, request, isNamed, mayCreate));
      if (decided === undefined) {
        const message = unknownSandbox(ctx, sandbox);
        return refuse(ctx, request, session, { code: 'sandbox-unknown', message });
      }
      const breakage = breakageOf(decided);
      if (breakage === undefined) await nextTurn(); // who sees the entry of a held response can release it at once
      ctx.state.id ??= `${sandbox}.${decided.entry}`;
      respondWith(ctx, vary === undefined ? decided : { ...decided, response: vary(decided) }, breakage);
      if (explain) explainBy(ctx, sandbox, decided);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      const { retryAfter, ...unusable } = storeRefusal(error);
      refuse(ctx, request, session, unusable);
      if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
    }
  };
}

/** Responds to a request whose sandbox cannot be used. */
function refuse(ctx: Context, request: Request, { serverReadings }: Session, unusable: UnusableSandbox): void {
  send(ctx, runStages({ ...request, body: noBody }, withoutSandbox(serverReadings, unusable)).response);
}

/** False if the sandbox does not exist, or is not in this process yet. */
function isHeavyRequest({ endpoint, method, params, query, body }: Request, session: Session, name: string): boolean {
  for (const { isHeavy, method: own } of endpoint?.operations ?? []) {
    if (own !== method || isHeavy === undefined) continue;
    const world = session.sandboxes.peek(name)?.state.world;
    const asked = { params, query: query.pairs, body: body.kind === 'json' ? body.value : undefined };
    if (world !== undefined && isHeavy(world, asked)) return true;
  }
  return false;
}

function unknownSandbox({ req }: Context, sandbox: string): string {
  const reason = mayBeCrossSite(req)
    ? "a browser request cannot create a sandbox by path, because it may come from another site's page"
    : 'this server does not create sandboxes automatically';
  return `Unknown sandbox ${JSON.stringify(sandbox)}: ${reason}. Create it with POST /_fake/v1/sandboxes.`;
}

/** The rules and readings that decided. Address rules are omitted for served addresses. */
function explainBy(ctx: Context, sandbox: string, result: Result): void {
  const { operation, rules, gaps, refused, injected, stub, product } = result;
  const { res } = ctx; // Koa's own function takes five times as long
  res.setHeader('X-Fake-Sandbox', sandbox);
  if (product !== undefined) res.setHeader('X-Fake-Source', product);
  if (operation !== undefined) res.setHeader('X-Fake-Operation', operation);
  const deciding = rules.filter(rule => !isOfEveryAddress(rule));
  let readings = '';
  for (const gap in gaps)
    if (isShownGap(gap, refused)) readings += `${readings === '' ? '' : ', '}${gap}=${gaps[gap as keyof typeof gaps]}`;
  res.setHeader('X-Fake-Rules', (deciding.length > 0 ? deciding : rules).join(', '));
  res.setHeader('X-Fake-Gaps', readings);
  if (stub !== undefined) res.setHeader('X-Fake-Stub', stub.name);
  if (injected !== undefined) res.setHeader('X-Fake-Fault', injected.name);
}

/** What faults do to the connection of a response. */
function breakageOf({ injected, stub }: Result): Breakage | undefined {
  const breakage = stub === undefined ? injected?.breakage : { ...stub.breakage, ...injected?.breakage };
  return breakage === undefined || Object.keys(breakage).length === 0 ? undefined : breakage;
}

/** A response that a fault breaks waits in breakage.ts: as the value of its body, because the bytes of many would take much memory. */
function respondWith(ctx: Context, decided: JournaledResult, breakage: Breakage | undefined): void {
  if (ctx.state.body?.kind === 'json') ctx.state.body = undefined; // as large as its bytes
  if (breakage === undefined) {
    ctx.state.result = decided;
    send(ctx, decided.response);
  } else {
    const { body, value, ...head } = decided.response;
    const response = { ...head, ...(value === undefined ? { body } : { value }) };
    ctx.state.broken = { breakage, response, entry: decided.entry };
    ctx.state.result = { ...decided, response };
  }
}

/** Sets a response as Koa sends it. */
export function send(ctx: Context, { status, headers, body, value }: ApiResponse): void {
  const text = body ?? (value === undefined ? undefined : JSON.stringify(value));
  ctx.status = status;
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? '');
  if (text !== undefined) ctx.body = text;
  else {
    ctx.remove('Content-Type');
    ctx.body = null;
    ctx.status = status; // Koa has made it a 204
  }
}
