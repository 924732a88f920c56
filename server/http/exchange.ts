// One exchange with an operation: the HTTP request as the engine's value, and the engine's answer as an HTTP response.
// Decides nothing.
import { withoutSandbox } from '../engine/request/conditions.js';
import { perform, type Result } from '../engine/request/perform.js';
import { parseQuery, type Request } from '../engine/request/request.js';
import type { UnusableSandbox } from '../engine/request/stage.js';
import { DEFAULT_SANDBOX, type Session } from '../engine/session.js';
import { StoreError } from '../engine/store.js';
import { type Address, sandboxIn } from '../operations/address.js';
import type { Endpoint } from '../operations/bindings.js';
import { breakAnswer } from './breakage.js';
import type { Context } from './context.js';
import { credentialsIn } from './credentials.js';
import { retryLater } from './refuse.js';
import { callByEntry } from './request-ids.js';
import { nameProblem, sandboxNamed } from './sandbox-named.js';

export interface Place {
  readonly address?: Address | undefined;
  readonly endpoint?: Endpoint | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** How operations are answered. */
export interface Answering {
  /** Whether answers carry the headers that say what decided them. */
  readonly explain: boolean;
  /** Aborts when the server stops: answers that a fault keeps back are then sent at once. */
  readonly ending: AbortSignal;
}

/** Answers one request to an operation, or to a path that is none. */
export async function exchange(
  session: Session,
  ctx: Context,
  place: Place,
  { explain, ending }: Answering,
): Promise<void> {
  const request = requestFrom(ctx, place);
  const named = sandboxNamed(ctx, place.address === undefined ? sandboxIn(ctx.path).sandbox : place.address.sandbox);
  const name = named ?? DEFAULT_SANDBOX;
  const problem = nameProblem(name);
  if (problem !== undefined) return refuse(session, ctx, request, 'sandbox-name', problem);
  const performance = await performed(session, name, request, named !== undefined);
  if (performance instanceof StoreError) {
    refuse(session, ctx, request, 'store-unavailable', `${performance.message}.`);
    return retryLater(ctx, performance);
  }
  if (performance === undefined) {
    return refuse(
      session,
      ctx,
      request,
      'sandbox-unknown',
      `There is no sandbox ${JSON.stringify(name)}, and none is made by itself here: make it with POST /_fake/v1/sandboxes.`,
    );
  }
  ctx.state.performance = performance;
  callByEntry(ctx, name, performance.entry);
  respond(ctx, performance.answer);
  if (explain) explainIn(ctx, name, performance);
  const { answer, injected } = performance;
  if (injected !== undefined) await breakAnswer(ctx, answer, injected.breakage, ending);
}

/** What came of a request, or why the store of its sandbox did not take it. */
async function performed(session: Session, name: string, request: Request, isNamed: boolean) {
  try {
    return await session.perform(name, request, isNamed);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

function requestFrom(ctx: Context, place: Place): Request {
  const { headers, method = '', url = '' } = ctx.req;
  const readings = headers['x-fake-reading'];
  return {
    id: ctx.state.isNamed ? ctx.state.requestId : undefined,
    address: place.address,
    endpoint: place.endpoint,
    params: place.params,
    method,
    url,
    query: parseQuery(ctx.querystring),
    credentials: credentialsIn(headers.authorization),
    contentType: headers['content-type'] ?? '',
    body: ctx.state.body ?? { kind: 'absent' },
    readings: readings === undefined ? undefined : String(readings),
  };
}

function refuse(
  session: Session,
  ctx: Context,
  request: Request,
  code: UnusableSandbox['code'],
  message: string,
): void {
  respond(ctx, perform(request, withoutSandbox(session.serverReadings, { code, message })).answer);
}

function respond(ctx: Context, { status, headers, body }: Result['answer']): void {
  for (const name in headers) ctx.res.setHeader(name, headers[name] ?? ''); // first, so that Koa need not guess a type
  ctx.body = body ?? null;
  ctx.status = status;
}

/** Which rules and readings decided. Where an address was served as it should be, only what came after it is of interest. */
function explainIn(ctx: Context, sandbox: string, { operation, rules, gaps, injected }: Result): void {
  const { res } = ctx;
  const deciding = rules.filter(rule => !rule.startsWith('address.'));
  res.setHeader('X-Fake-Sandbox', sandbox);
  if (operation !== undefined) res.setHeader('X-Fake-Operation', operation);
  res.setHeader('X-Fake-Rules', (deciding.length > 0 ? deciding : rules).join(', '));
  let readings = '';
  for (const gap in gaps) readings += `${readings === '' ? '' : ', '}${gap}=${gaps[gap as keyof typeof gaps]}`;
  res.setHeader('X-Fake-Gaps', readings);
  if (injected !== undefined) res.setHeader('X-Fake-Fault', injected.name);
}
