// A correct server in this process, without HTTP, that a fault may change. Requests change its world.
import { isUtf8 } from 'node:buffer';
import type { HttpRequest } from '../../server/derive/sending/call.js';
import { evolveAll } from '../../server/domain/facts.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import type { World } from '../../server/domain/world/world.js';
import type { Body } from '../../server/engine/request/request.js';
import { bodyFrom } from '../../server/engine/request/request.js';
import type { DecisionContext } from '../../server/engine/request/stage.js';
import { runStages } from '../../server/engine/request/stages/run-stages.js';
import { DEFAULT_SANDBOX } from '../../server/engine/sandbox/state.js';
import { findPlace } from '../../server/http/incoming/find-endpoint.js';
import { requestFrom } from '../../server/http/incoming/request-from.js';
import type { Received, Target } from '../../server/scenario/play/target.js';
import type { Asked, Change } from '../conform/faults/server-fault.js';

export class FaultyServer implements Target {
  readonly url = 'http://127.0.0.1:8080';
  world: World;
  /** Called with each request that is served. */
  onServed: (served: ServedRequest) => void = () => {};

  /** `change`: its fault. Default: none. `context`: its context path. */
  constructor(
    private readonly begun: DecisionContext,
    private readonly change: Change = {},
    readonly context = '',
  ) {
    this.world = begun.world;
  }

  async send(request: HttpRequest): Promise<Received> {
    const { change, begun, world: before } = this;
    const context = { ...begun, world: before };
    const asked = askedOnce(request, context);
    const { json, ...changed } = change.request?.(asked) ?? {};
    const other = { ...request, ...changed, ...(json !== undefined && { body: JSON.stringify(json) }) };
    const { response: right, after } = respondOn(context, other);
    this.world = change.world?.(after, before, asked) ?? after;
    const { json: sent, ...replaced } = change.response?.(right, asked) ?? {};
    const response = { ...right, ...replaced, ...(sent !== undefined && { text: JSON.stringify(sent) }) };
    this.onServed({ asked, response, after: this.world });
    return response;
  }

  async close(): Promise<void> {}
}

/** A request to a correct server, its response, and the world after it. */
export interface ServedRequest {
  readonly asked: Asked;
  readonly response: Received;
  readonly after: World;
}

/** Whether a fault changes nothing of what a correct server has served. */
export function isIdle({ request, response, world }: Change, served: ServedRequest): boolean {
  const { asked, response: right, after } = served;
  return (
    isEmpty(request?.(asked)) &&
    isEmpty(response?.(right, asked)) &&
    (world?.(after, asked.world, asked) ?? after) === after
  );
}

function isEmpty(parts: object | undefined): boolean {
  return parts === undefined || Object.keys(parts).length === 0;
}

/** `groups/add-users`, `push`; empty for other paths. */
function placeOf(path: string): string {
  const [, wiki] = /\/cwxapiextension(\/.*)/s.exec(path) ?? [];
  if (wiki !== undefined) return /^.*\/((?:groups|spaces|permissions)\/[^/]+)/s.exec(wiki)?.[1] ?? '';
  return path.includes('/cwx-ppf/') ? (/\/(push|pull)$/.exec(path)?.[1] ?? '') : '';
}

/** What faults seldom look at is found out when they do, once. */
function askedOnce(request: HttpRequest, context: DecisionContext): Asked {
  const query = once(() => new URLSearchParams(request.path.split('?')[1]));
  const json = once(() => jsonOf(request.body));
  const caller = once(() => callerOf(request.headers, context.world));
  const response = once(() => respondOn(context, request).response);
  return {
    ...request,
    place: placeOf(request.path.split('?', 1)[0] ?? ''),
    world: context.world,
    get query() {
      return query();
    },
    get json() {
      return json();
    },
    get caller() {
      return caller();
    },
    get response() {
      return response();
    },
  };
}

function once<T>(get: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: get() };
    return found.value;
  };
}

function jsonOf(body: HttpRequest['body']): unknown {
  if (body === undefined || body.length === 0) return undefined;
  const bytes = Buffer.from(body);
  return isUtf8(bytes) ? parsedJson(bytes.toString()) : undefined;
}

function callerOf(headers: HttpRequest['headers'], world: World): Asked['caller'] {
  const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  const [scheme = '', value = ''] = authorization.split(' ');
  const basic = () => Buffer.from(value, 'base64').toString().split(':', 1)[0] ?? '';
  const name = scheme.toLowerCase() === 'bearer' ? world.tokens.get(value) : basic();
  const user = name === undefined ? undefined : world.users.get(name);
  return user === undefined || name === undefined ? { isAdmin: false } : { name, isAdmin: user.admin };
}

/** A response, and the world after it. */
export interface ResponseOn {
  readonly response: Received;
  readonly after: World;
}

/** The path has to be as it is sent; the body, if there is one, in no content coding. */
export function respondOn(context: DecisionContext, asked: HttpRequest): ResponseOn {
  const [path = '', query = ''] = asked.path.split(/\?(.*)/s, 2);
  const headers: Record<string, string> = { host: 'localhost' };
  for (const [name, value] of Object.entries(asked.headers)) headers[name.toLowerCase()] = value.trim();
  const head = { method: asked.method, url: asked.path, headers, socket: {} };
  const arrived = { url: asked.path, query, body: bodyOf(asked), sandbox: DEFAULT_SANDBOX, isNamed: false };
  const result = runStages(requestFrom(head, findPlace(path), arrived), context, false);
  const { status, headers: given, body = '' } = result.response;
  const fields: Record<string, string> = {};
  for (const name in given) fields[name.toLowerCase()] = given[name] ?? '';
  const text = asked.method === 'HEAD' ? '' : body;
  return { response: { status, headers: fields, text }, after: evolveAll(context.world, result.facts) };
}

function bodyOf(asked: HttpRequest): Body {
  return asked.body === undefined ? { kind: 'absent' } : bodyFrom(Buffer.from(asked.body));
}
