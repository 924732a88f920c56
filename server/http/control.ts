// The control API: one route for each action. Actions on the sandbox of the request are also below `/~name`.
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import { type Action, ActionProblem, JsonParts, type UncheckedCall } from '../control/actions/action.js';
import type { ControlContext } from '../control/actions/control-context.js';
import { actions } from '../control/actions.js';
import { type ActionInput, invoke } from '../control/invoke.js';
import { isObject } from '../domain/form/patch.js';
import type { Admission } from '../engine/admission.js';
import type { Feed } from '../engine/events/feed.js';
import type { StreamSettings } from '../engine/events/stream-settings.js';
import type { Log } from '../engine/log.js';
import { expectedOf, nearest } from '../engine/nearest.js';
import { nestingProblem } from '../engine/request/nesting.js';
import { type Body, excessOf, parseQuery } from '../engine/request/request.js';
import { DEFAULT_SANDBOX } from '../engine/sandbox/state.js';
import { Turn } from '../engine/time-slicing.js';
import { sandboxIn } from '../operations/address.js';
import { quoted } from '../operations/lookups.js';
import { isLargeBody, parsedBody } from './body.js';
import { isForeign } from './cors.js';
import { EVENT_STREAM, sendEvents } from './events.js';
import { send } from './faked-apis.js';
import { requestRoot } from './incoming/base-url.js';
import type { Context, Middleware } from './incoming/context.js';
import { RefusedRequest } from './incoming/problem-details.js';
import { sandboxNamed } from './incoming/request-from.js';

const PREFIX = '/_fake/v1';
/** A page, with or without a control API. */
export const HEALTH = '/_fake/health';

export interface ControlParts {
  readonly context: ControlContext;
  readonly admission: Admission;
  readonly streams: StreamSettings;
  readonly log: Log;
}

export function control(parts: ControlParts): Middleware {
  const router = new Router({ sensitive: true, strict: true });
  for (const action of actions) {
    const path = `${PREFIX}${action.path.replace(/\{(\w+)\}/g, ':$1')}`;
    router.register(path, [action.method], ctx => perform(action, ctx as unknown as RoutedContext, parts));
  }
  const routes = router.routes() as unknown as Middleware;
  return ctx => routes(Object.assign(ctx, { newRouterPath: sandboxIn(ctx.path).path }), () => otherwise(ctx));
}

/** Whether a path belongs to the control API. Nothing below `/_fake` is an operation. */
export function isControlPath(path: string): boolean {
  if (path.startsWith('/~')) return sandboxPaths.has(sandboxIn(path).path);
  return path.startsWith('/_fake/') || path === '/_fake';
}

/** Whether the client of a path does not show refusals. */
export function isUnwatched(path: string): boolean {
  return unwatchedPaths.has(sandboxIn(path).path);
}

const pathsOf = (some: readonly Action[]): ReadonlySet<string> => new Set(some.map(({ path }) => `${PREFIX}${path}`));
const sandboxPaths = pathsOf(actions.filter(({ inSandbox }) => inSandbox));
const unwatchedPaths = pathsOf(actions.filter(({ isUnwatched }) => isUnwatched));

/** The context after @koa/router has found a route. */
type RoutedContext = Context & {
  readonly params: Readonly<Record<string, string>>;
  /** The routes of the path, whatever their method. */
  readonly matched?: ReadonlyArray<{ readonly methods: readonly string[] }>;
};

async function perform(action: Action, ctx: RoutedContext, parts: ControlParts): Promise<void> {
  const { context, admission } = parts;
  if (isStream(action) && !(ctx.req.socket instanceof Socket)) throw new RefusedRequest(noSocket);
  const small = isLargeBody(ctx) ? undefined : inputOf(action, ctx); // parsing a large body is heavy itself
  const isHeavy =
    small === undefined
      ? action.id !== 'play' // playing asks this server itself, so it would wait for its own requests
      : action.isHeavy?.(uncheckedCall(small, context), context) === true;
  const run = async () => invoke(action, small ?? inputOf(action, ctx), context);
  const outcome = await (isHeavy ? admission.run(run) : run());
  if (outcome instanceof ActionProblem) throw new RefusedRequest(outcome);
  if (isStream(action))
    streamTo(ctx, outcome as Feed, parts); // the result of the streaming action
  else respond(ctx, action, outcome);
}

function uncheckedCall({ sandbox, pairs = [], body }: ActionInput, { session }: ControlContext): UncheckedCall {
  const members = isObject(body) ? body : {};
  return { sandbox: session.sandboxes.peek(sandbox), query: Object.fromEntries(pairs), body: members };
}

/** The success of an action is its first reply. */
function respond(ctx: Context, { replies }: Action, outcome: unknown): void {
  const [{ status, contentType = 'application/json' } = { status: 204 }] = replies;
  if (outcome === undefined) {
    send(ctx, { status, headers: {} });
    return;
  }
  ctx.status = status;
  ctx.set('Content-Type', contentType);
  if (outcome instanceof JsonParts) ctx.body = Readable.from(inPieces(outcome.parts), { objectMode: false });
  else ctx.body = typeof outcome === 'string' ? outcome : JSON.stringify(outcome);
}

/** Characters of a piece, at least. */
const PIECE = 65_536;

/** A long text in pieces, made while it is read and without blocking other requests. */
async function* inPieces(parts: Iterable<string>): AsyncGenerator<string> {
  const turn = new Turn();
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
    if (turn.isOver) await turn.next();
  }
  yield text;
}

function streamTo(ctx: RoutedContext, feed: Feed, { streams, log }: ControlParts): void {
  const { s: sandbox } = ctx.params;
  sendEvents(ctx, feed, streams);
  feed.whenOver(() => {
    if (feed.isCutOff)
      log.info('an event stream was cut off because its reader was too slow', { sandbox, requestId: ctx.state.id });
  });
}

function isStream({ replies }: Action): boolean {
  return replies[0]?.contentType === EVENT_STREAM;
}

const noSocket = new ActionProblem(
  501,
  'Streaming requires a socket',
  'A fake without a socket cannot stream a response: read the events with sandbox.events().',
);

function inputOf(action: Action, ctx: RoutedContext): ActionInput {
  const { s, ...params } = ctx.params;
  const { pairs, undecodable } = parseQuery(ctx.querystring);
  if (undecodable !== undefined) {
    const detail = `${quoted(undecodable)} is not valid percent-encoded UTF-8.`;
    throw new RefusedRequest({ status: 400, title: 'Invalid percent-encoding', detail });
  }
  const lastEventId = isStream(action) ? ctx.req.headers['last-event-id'] : undefined;
  return {
    root: requestRoot(ctx.req),
    sandbox: s ?? sandboxNamed(ctx.req.headers, sandboxIn(ctx.path).sandbox) ?? DEFAULT_SANDBOX,
    mustExist: ctx.req.headers['if-match'] === '*' || isForeign(ctx.req), // RFC 9110, 13.1.1
    isStreamed: true,
    params,
    pairs: lastEventId === undefined ? pairs : [['lastEventId', String(lastEventId)]],
    ...inputBody(action, parsedBody(ctx)),
  };
}

function inputBody({ body: spec }: Action, body: Body): Pick<ActionInput, 'body' | 'length'> {
  if (body.kind === 'absent' && (spec === undefined || spec.isOptional)) return {};
  if (body.kind === 'too-large')
    return { body: new ActionProblem(413, 'The body is too large', `It ${excessOf(body)}.`) };
  if (spec === undefined && !(body.kind === 'json' && isEmptyObject(body.value)))
    return { body: new ActionProblem(400, 'Unexpected body', 'This action takes no body.') };
  if (spec === undefined) return {};
  if (body.kind !== 'json') {
    const what = 'problem' in body ? `${body.problem}.` : `It is ${body.kind}: send JSON.`;
    return { body: new ActionProblem(400, 'The body is not JSON', what) };
  }
  const tooDeep = nestingProblem(body.text);
  return tooDeep === undefined
    ? { body: body.value, length: body.text.length }
    : { body: new ActionProblem(400, 'The body is nested too deep', `${tooDeep}.`) };
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

/** The response to an unknown path, to another method, and to OPTIONS. */
async function otherwise(ctx: Context): Promise<void> {
  const { method, path } = ctx;
  const shown = JSON.stringify(path.slice(0, 200));
  const { matched = [] } = ctx as RoutedContext;
  const allowed = path === HEALTH ? ['HEAD', 'GET'] : [...new Set(matched.flatMap(({ methods }) => methods))];
  if (allowed.length === 0) {
    const near = nearest(path, [...pathsOf(actions), HEALTH]);
    const detail = `Unknown path ${shown}${near}: ${PREFIX}/control-openapi.json lists all paths.`;
    throw new RefusedRequest({ status: 404, title: 'No such path', detail });
  }
  const headers = { Allow: allowed.join(', ') };
  if (method !== 'OPTIONS' || path === HEALTH) {
    const detail = `${method} is not allowed at ${shown}: ${expectedOf(allowed)}.`;
    throw new RefusedRequest({ status: 405, title: 'Method not allowed', detail, headers });
  }
  send(ctx, { status: 200, headers });
}
