// The routes of the control API: one gate for the whole prefix, then the action. Nothing below `/_fake` is an operation.
// What acts in the sandbox that a request names stands below `/~name` too.
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
import { askedRoot } from '../incoming/asked-root.js';
import { sandboxNamed } from '../incoming/sandbox-named.js';
import type { Metrics } from '../metrics/metrics.js';
import { type StreamSettings, streamEvents } from './event-stream.js';
import { refuseStranger } from './gate.js';
import { write, writeProblem } from './writing.js';

const CONTROL_PREFIX = '/_fake/v1';
/** Answered before it comes to here, with or without a control API. */
const HEALTH = '/_fake/health';

/** The control API in one piece: whether a path is its affair, and what answers there. */
export interface ControlApi {
  concerns(path: string): boolean;
  readonly answer: Middleware;
}

/** What the routes use beside the actions. */
export interface ControlSettings {
  readonly context: ControlContext;
  /** What a request must show, where one is due. */
  readonly token: string | undefined;
  readonly streams: StreamSettings;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Answers everything below `/_fake`. */
export function controlApi(settings: ControlSettings): ControlApi {
  const known = [...METHODS]; // else the router answers 501 to those it has not heard of
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

/** Writes a problem, and to the log where nobody would see it otherwise. The query may hold passwords, so it is left out. */
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
  await stream(ctx, outcome as Feed, given.sandbox, settings); // what the action that streams gives
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
  ctx.respond = false; // Koa keeps out of it
  await streamEvents(ctx.res, feed, streams);
  if (!feed.isCutOff) return;
  metrics.cutOff += 1;
  log.info('a reader of events did not keep up and was cut off', { sandbox, requestId: ctx.state.requestId });
}

function givenTo(action: Action, ctx: Context, params: Readonly<Record<string, string>>): Given | ActionProblem {
  const { s, ...others } = params;
  const { pairs, undecodable } = parseQuery(ctx.querystring);
  if (undecodable !== undefined)
    return new ActionProblem(
      400,
      'The query does not decode',
      `${quoted(undecodable)} holds no percent-encoded UTF-8.`,
    );
  const sandbox = s ?? sandboxNamed(ctx, sandboxIn(ctx.path).sandbox) ?? DEFAULT_SANDBOX;
  const body = nameProblem(action, sandbox) ?? bodyOf(action, ctx);
  if (body instanceof ActionProblem) return body;
  const lastEventId = isStream(action) ? ctx.req.headers['last-event-id'] : undefined;
  return {
    root: askedRoot(ctx.req),
    sandbox,
    mustExist: ctx.req.headers['if-match'] === '*', // RFC 9110, 13.1.1
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
    return new ActionProblem(400, 'There is a body', 'Nothing would read it: send none here.');
  if (schema === undefined) return {};
  if (body.kind !== 'json') {
    const what = 'problem' in body ? `${body.problem}.` : `It is ${body.kind}: JSON is due here.`;
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
    `There is nothing at ${JSON.stringify(ctx.path.slice(0, 200))}${nearest(ctx.path, paths)}; ${CONTROL_PREFIX}/control-openapi.json lists what there is.`,
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
    'The method is not allowed here',
    `${ctx.method} is not served at ${JSON.stringify(ctx.path.slice(0, 200))}: it takes ${served}.`,
  );
}
