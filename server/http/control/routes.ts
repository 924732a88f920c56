// The routes of the control API: one gate for the whole prefix, then the action. Nothing below `/_fake` is an operation. Actions on the sandbox of
// the request are also below `/~name`.
import { METHODS } from 'node:http';
import { Socket } from 'node:net';
import Router from '@koa/router';
import { type Action, ActionProblem } from '../../control/action.js';
import { actions } from '../../control/actions.js';
import type { ControlContext } from '../../control/control-context.js';
import { type Given, invoke, nameProblem } from '../../control/invoke.js';
import { isObject } from '../../domain/form/patch.js';
import type { Feed } from '../../engine/events/feed.js';
import { redactText } from '../../engine/journal/secrets.js';
import type { Log } from '../../engine/log.js';
import { nearest } from '../../engine/nearest.js';
import { nestingProblem } from '../../engine/request/nesting.js';
import { parseQuery } from '../../engine/request/request.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/session.js';
import { sandboxIn } from '../../operations/address.js';
import { quoted } from '../../operations/lookups.js';
import type { Context, Middleware, RequestState } from '../context.js';
import { isForeign } from '../guards/cross-site.js';
import { requestRoot } from '../incoming/asked-root.js';
import { sandboxNamed } from '../incoming/sandbox-named.js';
import type { Metrics } from '../metrics/metrics.js';
import { type StreamSettings, streamEvents } from './event-stream.js';
import { refuseStranger } from './gate.js';
import { write, writeProblem } from './writing.js';

const CONTROL_PREFIX = '/_fake/v1';
/** Answered earlier, with or without a control API. */
const HEALTH = '/_fake/health';

/** The control API as a page: whether a path belongs to it, and its middleware. */
export interface ControlApi {
  concerns(path: string): boolean;
  readonly answer: Middleware;
}

/** What the routes need besides the actions. */
export interface ControlSettings {
  readonly context: ControlContext;
  /** The required token, if any. */
  readonly token: string | undefined;
  readonly streams: StreamSettings;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Answers everything below `/_fake`. */
export function controlApi(settings: ControlSettings): ControlApi {
  const known = [...METHODS]; // otherwise the router answers unknown methods with 501
  const router = new Router<RequestState>({ sensitive: true, strict: true, prefix: CONTROL_PREFIX, methods: known });
  for (const action of actions) {
    router.register(action.path.replace(/\{(\w+)\}/g, ':$1'), [action.method], async koaContext => {
      const ctx = koaContext as unknown as Context;
      ctx.state.endpoint = action.id;
      await answer(action, ctx, koaContext.params, settings);
    });
  }
  const route = router.routes() as unknown as Middleware; // the router adds its own members to Koa's context
  const methods = router.allowedMethods() as unknown as Middleware;
  const inSandboxes = pathsOf(actions.filter(({ inSandbox }) => inSandbox));
  const isInSandbox = (path: string) => path.startsWith('/~') && inSandboxes.has(sandboxIn(path).path);
  const concerns = (path: string) => path.startsWith('/_fake/') || path === '/_fake' || isInSandbox(path);
  const refuse = refusing(settings.log);
  const serve: Middleware = async ctx => {
    if (isInSandbox(ctx.path)) Object.assign(ctx, { newRouterPath: sandboxIn(ctx.path).path });
    ctx.state.endpoint = 'none';
    const stranger = refuseStranger(ctx, settings.token);
    if (stranger !== undefined) return refuse(ctx, stranger);
    await route(ctx, async () => {
      await methods(ctx, async () => refuse(ctx, ctx.path === HEALTH ? notToHealth(ctx) : unknownPath(ctx)));
      if (ctx.status === 405) refuse(ctx, wrongMethod(ctx));
    });
  };
  return { concerns, answer: serve };
}

function pathsOf(some: readonly Action[]): ReadonlySet<string> {
  return new Set(some.map(({ path }) => `${CONTROL_PREFIX}${path}`));
}

const unwatched = pathsOf(actions.filter(({ isUnwatched }) => isUnwatched));

/** Writes a problem, and logs it if the client would not show it. The query may contain passwords, so it is left out. */
function refusing(log: Log): (ctx: Context, problem: ActionProblem) => void {
  return (ctx, problem) => {
    if (unwatched.has(sandboxIn(ctx.path).path))
      log.warn(redactText(`${ctx.method} ${ctx.path} was answered ${problem.status}: ${problem.detail}`));
    writeProblem(ctx, problem);
  };
}

async function answer(
  action: Action,
  ctx: Context,
  params: Readonly<Record<string, string>>,
  settings: ControlSettings,
): Promise<void> {
  const refuse = refusing(settings.log);
  const given = givenTo(action, ctx, params);
  if (given instanceof ActionProblem) return refuse(ctx, given);
  if (isStream(action) && !(ctx.req.socket instanceof Socket)) return refuse(ctx, noSocket);
  const outcome = await invoke(action, given, settings.context);
  if (outcome instanceof ActionProblem) return refuse(ctx, outcome);
  const [[status, reply] = ['204', undefined]] = Object.entries(action.replies);
  if (!isStream(action)) return write(ctx, Number(status), outcome, reply?.contentType);
  await stream(ctx, outcome as Feed, given.sandbox, settings); // the result of the streaming action
}

function isStream({ replies }: Action): boolean {
  return replies[200]?.contentType === 'text/event-stream';
}

const noSocket = new ActionProblem(
  501,
  'A stream needs a socket',
  'Within a process an answer must come to an end: read the events with the method events() of the sandbox.',
);

async function stream(ctx: Context, feed: Feed, sandbox: string, { streams, metrics, log }: ControlSettings) {
  ctx.status = 200;
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  ctx.respond = false; // Koa must not answer
  await streamEvents(ctx.res, feed, streams);
  if (!feed.isCutOff) return;
  metrics.cutOff += 1;
  log.info('a reader of events did not keep up and was cut off', { sandbox, requestId: ctx.state.requestId });
}

function givenTo(action: Action, ctx: Context, params: Readonly<Record<string, string>>): Given | ActionProblem {
  const { s, ...others } = params;
  const { pairs, undecodable } = parseQuery(ctx.querystring);
  if (undecodable !== undefined)
    return new ActionProblem(400, 'Invalid percent-encoding', `${quoted(undecodable)} is not percent-encoded UTF-8.`);
  const sandbox = s ?? sandboxNamed(ctx, sandboxIn(ctx.path).sandbox) ?? DEFAULT_SANDBOX;
  const body = nameProblem(action, sandbox) ?? bodyOf(action, ctx);
  if (body instanceof ActionProblem) return body;
  const lastEventId = isStream(action) ? ctx.req.headers['last-event-id'] : undefined;
  return {
    root: requestRoot(ctx.req),
    sandbox,
    mustExist: ctx.req.headers['if-match'] === '*' || isForeign(ctx.req), // RFC 9110, 13.1.1
    params: others,
    pairs: lastEventId === undefined ? pairs : [['lastEventId', String(lastEventId)]],
    ...body,
  };
}

function bodyOf({ body: schema, bodyOptional }: Action, ctx: Context): Pick<Given, 'body' | 'length'> | ActionProblem {
  const body = ctx.state.body ?? { kind: 'absent' };
  const isNone = body.kind === 'absent' || body.kind === 'empty';
  if (isNone && (bodyOptional || schema === undefined)) return {};
  if (body.kind === 'too-large')
    return new ActionProblem(413, 'The body is too large', `It is larger than ${body.limit} bytes.`);
  if (schema === undefined && !(body.kind === 'json' && isEmptyObject(body.value)))
    return new ActionProblem(400, 'Unexpected body', 'This action takes no body.');
  if (schema === undefined) return {};
  if (body.kind !== 'json') {
    const what = 'problem' in body ? `${body.problem}.` : `It is ${body.kind}: send JSON.`;
    return new ActionProblem(400, 'The body is not JSON', what);
  }
  const tooDeep = nestingProblem(body.text);
  return tooDeep === undefined
    ? { body: body.value, length: body.text.length }
    : new ActionProblem(400, 'The body is nested too deep', `${tooDeep}.`);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function unknownPath(ctx: Context): ActionProblem {
  const paths = [...pathsOf(actions), HEALTH];
  return new ActionProblem(
    404,
    'No such path',
    `There is nothing at ${JSON.stringify(ctx.path.slice(0, 200))}${nearest(ctx.path, paths)}; ${CONTROL_PREFIX}/control-openapi.json lists all paths.`,
  );
}

function notToHealth(ctx: Context): ActionProblem {
  ctx.set('Allow', 'HEAD, GET');
  return wrongMethod(ctx);
}

function wrongMethod(ctx: Context): ActionProblem {
  const served = String(ctx.res.getHeader('allow'));
  return new ActionProblem(
    405,
    'Method not allowed',
    `${ctx.method} is not served at ${JSON.stringify(ctx.path.slice(0, 200))}: allowed are ${served}.`,
  );
}
