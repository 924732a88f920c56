// The routes of the control API: one gate for the whole prefix, then validation, then the endpoint. Nothing below `/_fake` is an operation.
// What acts in the sandbox that a request names stands below `/~name` too.

import { METHODS } from 'node:http';
import { Socket } from 'node:net';
import Router from '@koa/router';
import { isObject } from '../../domain/patch.js';
import { redactText } from '../../engine/journal/secrets.js';
import { nearest } from '../../engine/nearest.js';
import { nestingProblem } from '../../engine/request/nesting.js';
import { parseQuery } from '../../engine/request/request.js';
import { type Misfit, misfits } from '../../engine/request/validate.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/session.js';
import { SANDBOX_NAME, sandboxIn } from '../../operations/address.js';
import { quoted } from '../../operations/lookups.js';
import { valueAt } from '../../scenario/play/captures.js';
import { askedRoot } from '../asked-root.js';
import type { Context, Middleware, RequestState } from '../context.js';
import { nameProblem, sandboxNamed } from '../sandbox-named.js';
import { type Call, type ControlAnswer, type ControlEndpoint, type Controlled, problem } from './endpoint.js';
import { refuseStranger } from './gate.js';
import { write } from './writing.js';

const CONTROL_PREFIX = '/_fake/v1';
/** Answered before it comes to here, with or without a control API. */
const HEALTH = '/_fake/health';

/** The control API in one piece: whether a path is its affair, and what answers there. */
export interface ControlApi {
  concerns(path: string): boolean;
  readonly answer: Middleware;
}

/** Answers everything below `/_fake`. `token`: what a request must show, where one is due. */
export function controlApi(controlled: Controlled, token: string | undefined): ControlApi {
  const known = [...METHODS]; // else the router answers 501 to those it has not heard of
  const router = new Router<RequestState>({ sensitive: true, strict: true, prefix: CONTROL_PREFIX, methods: known });
  const answer = answering(controlled);
  for (const endpoint of controlled.endpoints) {
    router.register(endpoint.path.replace(/\{(\w+)\}/g, ':$1'), [endpoint.method], async ctx => {
      ctx.state.endpoint = endpoint.id;
      await answer(ctx as unknown as Context, await run(endpoint, ctx as unknown as Context, ctx.params, controlled));
    });
  }
  const route = router.routes() as unknown as Middleware; // the router adds its own members to Koa's context
  const methods = router.allowedMethods() as unknown as Middleware;
  const inSandboxes = pathsOf(controlled.endpoints.filter(({ inSandbox }) => inSandbox));
  const isInSandbox = (path: string) => path.startsWith('/~') && inSandboxes.has(sandboxIn(path).path);
  const concerns = (path: string) => path.startsWith('/_fake/') || path === '/_fake' || isInSandbox(path);
  const serve: Middleware = async ctx => {
    if (isInSandbox(ctx.path)) Object.assign(ctx, { newRouterPath: sandboxIn(ctx.path).path });
    ctx.state.endpoint = 'none';
    const stranger = refuseStranger(ctx, token);
    if (stranger !== undefined) return answer(ctx, stranger);
    await route(ctx, async () => {
      await methods(ctx, async () =>
        answer(ctx, ctx.path === HEALTH ? notToHealth(ctx) : unknownPath(ctx, controlled)),
      );
      if (ctx.status === 405) answer(ctx, wrongMethod(ctx));
    });
  };
  return { concerns, answer: serve };
}

function pathsOf(endpoints: readonly ControlEndpoint[]): ReadonlySet<string> {
  return new Set(endpoints.map(({ path }) => `${CONTROL_PREFIX}${path}`));
}

/** Writes answers, and those refusals to the log that nobody would see otherwise. The query may hold passwords, so it is left out. */
function answering({ endpoints, log }: Controlled): (ctx: Context, answer: ControlAnswer) => Promise<void> {
  const unwatched = pathsOf(endpoints.filter(({ isUnwatched }) => isUnwatched));
  return async (ctx, answer) => {
    if (answer.status >= 400 && unwatched.has(sandboxIn(ctx.path).path))
      log.warn(redactText(`${ctx.method} ${ctx.path} was answered ${answer.status}: ${answer.detail}`));
    return write(ctx, answer);
  };
}

async function run(
  endpoint: ControlEndpoint,
  ctx: Context,
  params: Readonly<Record<string, string>>,
  controlled: Controlled,
): Promise<ControlAnswer> {
  const sandbox = sandboxNamed(ctx, sandboxIn(ctx.path).sandbox) ?? DEFAULT_SANDBOX;
  const misnamed = endpoint.inSandbox ? nameProblem(sandbox) : undefined;
  if (misnamed !== undefined) return problem(400, 'No name of a sandbox', misnamed);
  if (params.s !== undefined && !SANDBOX_NAME.test(params.s)) {
    return problem(
      400,
      'No name of a sandbox',
      `${JSON.stringify(params.s.slice(0, 80))} is none: it takes 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen.`,
    );
  }
  const query = queryOf(endpoint, ctx.querystring);
  if ('status' in query) return query;
  const body = bodyOf(endpoint, ctx);
  if ('status' in body) return body;
  const { headers, socket } = ctx.req;
  const from = {
    root: askedRoot(ctx.req),
    headers,
    requestId: ctx.state.requestId ?? '',
    isOverSocket: socket instanceof Socket,
  };
  return endpoint.handle({ params, sandbox, ...query, body: body.value, ...from }, controlled);
}

function queryOf(
  { query = {}, anyQuery }: ControlEndpoint,
  text: string,
): Pick<Call, 'query' | 'pairs'> | ControlAnswer {
  const { pairs, undecodable } = parseQuery(text);
  if (undecodable !== undefined)
    return problem(400, 'The query does not decode', `${quoted(undecodable)} holds no percent-encoded UTF-8.`);
  const names = pairs.map(([name]) => name);
  for (const [i, [name, value]] of pairs.entries()) {
    const schema = Object.hasOwn(query, name) ? query[name] : undefined;
    if (schema === undefined && anyQuery) continue;
    if (schema === undefined) {
      return problem(
        400,
        'Unknown query parameter',
        `There is no query parameter ${JSON.stringify(name)}${nearest(name, Object.keys(query))}; there ${listed(Object.keys(query))}.`,
      );
    }
    if (names.indexOf(name) !== i && !anyQuery) return problem(400, 'The query does not fit', repeated(name, names));
    const [wrong] = misfits(schema, schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value);
    if (wrong !== undefined)
      return problem(
        400,
        'The query does not fit',
        `${name} ${wrong.problem}${nearest(value, wrong.allowed)}, and it is ${wrong.found}.`,
      );
  }
  return { query: Object.fromEntries(pairs), pairs };
}

function bodyOf(
  { body: schema, bodyOptional }: ControlEndpoint,
  ctx: Context,
): { readonly value: unknown } | ControlAnswer {
  const body = ctx.state.body ?? { kind: 'absent' };
  const isNone = body.kind === 'absent' || body.kind === 'empty';
  if (isNone && (bodyOptional || schema === undefined)) return { value: {} };
  if (body.kind === 'too-large') return problem(413, 'The body is too large', `It is larger than ${body.limit} bytes.`);
  if (schema === undefined && !(body.kind === 'json' && isEmptyObject(body.value)))
    return problem(400, 'There is a body', 'Nothing would read it: send none here.');
  if (schema === undefined) return { value: {} };
  if (body.kind !== 'json')
    return problem(
      400,
      'The body is not JSON',
      'problem' in body ? `${body.problem}.` : `It is ${body.kind}: JSON is due here.`,
    );
  const tooDeep = nestingProblem(body.text);
  if (tooDeep !== undefined) return problem(400, 'The body is nested too deep', `${tooDeep}.`);
  const wrong = misfits(schema, body.value, body.text.length);
  return wrong.length === 0
    ? { value: body.value }
    : problem(400, 'The body does not fit', wrong.map(misfit => told(misfit, body.value)).join('\n'), wrong);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function told({ pointer, problem: what, found, property, allowed }: Misfit, body: unknown): string {
  const wrong = property ?? valueAt(body, pointer);
  const hint = typeof wrong === 'string' ? nearest(wrong, allowed) : '';
  return `${pointer === '' ? 'The body' : pointer} ${what}${hint}${property === undefined ? `, and it is ${found}` : ''}.`;
}

function unknownPath(ctx: Context, { endpoints }: Controlled): ControlAnswer {
  const paths = [...new Set(endpoints.map(({ path }) => `${CONTROL_PREFIX}${path}`)), HEALTH];
  return problem(
    404,
    'No such path',
    `There is nothing at ${JSON.stringify(ctx.path.slice(0, 200))}${nearest(ctx.path, paths)}; ${CONTROL_PREFIX}/control-openapi.json lists what there is.`,
  );
}

function notToHealth(ctx: Context): ControlAnswer {
  ctx.set('Allow', 'HEAD, GET');
  return wrongMethod(ctx);
}

function wrongMethod(ctx: Context): ControlAnswer {
  const served = String(ctx.res.getHeader('allow'));
  return problem(
    405,
    'The method is not allowed here',
    `${ctx.method} is not served at ${JSON.stringify(ctx.path.slice(0, 200))}: it takes ${served}.`,
  );
}

function repeated(name: string, names: readonly string[]): string {
  const times = names.filter(other => other === name).length;
  return `${name} comes ${times} times in the query: give it once.`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'are none here' : `are ${names.join(', ')}`;
}
