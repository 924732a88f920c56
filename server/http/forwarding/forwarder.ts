// Decides which requests go to another server, forwards them, and writes their journal entries. Nothing below /_fake and no control token is ever
// forwarded.

import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '../../engine/log.js';
import { bodyFrom } from '../../engine/request/body-bytes.js';
import { type Body, noQuery, parseQuery, type Request } from '../../engine/request/request.js';
import type { Result } from '../../engine/request/result.js';
import { callerOf } from '../../engine/request/stages/caller.js';
import { DEFAULT_SANDBOX } from '../../engine/sandbox/state.js';
import { redactHeader } from '../../engine/secrets.js';
import type { Session } from '../../engine/session/session.js';
import { isResourceFamily, type ResourceAddress, sandboxIn } from '../../operations/address.js';
import { nothingThere } from '../../operations/catalog/bindings.js';
import { defaultReadings } from '../../operations/gaps/gaps.js';
import type { Caller } from '../../operations/operation-context.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import { ABSENT } from '../exchange/exchange.js';
import type { Cors } from '../guards/cors.js';
import { mayBeCrossSite } from '../guards/cross-site.js';
import { isSuspect, requestRoot } from '../incoming/base-url.js';
import type { Context } from '../incoming/context.js';
import { credentialsIn } from '../incoming/credentials.js';
import type { EndpointPlace } from '../incoming/find-endpoint.js';
import { requestFrom } from '../incoming/request-from.js';
import { requestIdIn, traceparentIn } from '../incoming/request-ids.js';
import { targetOf } from '../incoming/request-target.js';
import { resourceRequest } from '../incoming/resource-request.js';
import { nameProblem, sandboxNamed } from '../incoming/sandbox-named.js';
import type { Metrics } from '../metrics/metrics.js';
import type { ForwarderSettings } from './forwarder-settings.js';
import { Rewriting } from './rewriting.js';
import { type ForwardedExchange, type Passing, type SeenMessage, Upstream } from './upstream.js';
import { upstreamText } from './upstream-text.js';

export interface ForwarderParts {
  readonly session: Session;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly cors: Cors;
  /** Whether responses have headers that say where they come from. */
  readonly explain: boolean;
  /** The control token, which the other server must not see. */
  readonly token: string | undefined;
}

/** A forwarded request, where it led, and how its response was rewritten. */
interface Forwarding {
  readonly place: EndpointPlace;
  readonly exchange: ForwardedExchange;
  readonly rewriting: Rewriting | undefined;
}

/** Bytes of a body that are kept for examination. */
const MAX_BYTES = 1024 * 1024;
/** Bytes of a response that are kept otherwise: a recorded scenario answers with them. */
const MAX_RESPONSE = 64 * 1024;

export class Forwarder {
  readonly #upstream: Upstream;

  constructor(
    private readonly settings: ForwarderSettings,
    private readonly parts: ForwarderParts,
  ) {
    this.#upstream = new Upstream(settings);
  }

  /** Whether to refuse cross-site requests. For unchanged requests the other server decides. */
  get isGuarded(): boolean {
    return this.settings.what === 'rest';
  }

  /** Whether to forward a request that leads to a place. `path`: as sent. */
  concerns(path: string, { address, endpoint, params }: EndpointPlace): boolean {
    if (isOwnPath(path)) return false;
    if (this.settings.what === 'all') return true;
    const isNothing =
      address !== undefined && isResourceFamily(address.family) && endpoint === nothingThere(address.family);
    return params !== undefined && (endpoint === undefined || isNothing);
  }

  /** Whether the other server answers: the sandbox can be used, and has no stub for the request. It is created if needed. */
  async responses(ctx: Context, place: EndpointPlace): Promise<boolean> {
    const name = this.#sandboxOf(ctx);
    if (!(await this.#canUse(ctx, name))) return false;
    if (this.settings.what === 'all') return true;
    const { query } = targetOf(ctx);
    const request = requestFrom(ctx.req, place, { id: undefined, query, body: ABSENT, sandbox: name, isNamed: true });
    return !this.parts.session.hasStubFor(name, request);
  }

  async #canUse(ctx: Context, name: string): Promise<boolean> {
    const { session } = this.parts;
    if (nameProblem(name) !== undefined) return false;
    if (session.find(name) !== undefined) return true;
    const opened = mayBeCrossSite(ctx.req) ? session.latest(name) : session.open(name);
    return (await opened.catch(() => undefined)) !== undefined; // its refusal meets the same error
  }

  close(): void {
    this.#upstream.close();
  }

  #sandboxOf(ctx: Context): string {
    if (this.settings.what === 'all') return DEFAULT_SANDBOX;
    return sandboxNamed(ctx, sandboxIn(targetOf(ctx).path).sandbox) ?? DEFAULT_SANDBOX;
  }

  /** Forwards a request, passes the response on, and writes its journal entry. */
  pass(ctx: Context, place: EndpointPlace): void {
    const sandbox = this.#sandboxOf(ctx);
    const { path, query } = targetOf(ctx);
    const { what, rewrite, target, examine } = this.settings;
    const below = what === 'all' ? path : sandboxIn(path).path;
    const prefix = what === 'all' || below === path ? '' : `/~${sandbox}`;
    const url = query === '' ? below : `${below}?${query}`;
    const rewriting = rewrite ? new Rewriting(target, `${requestRoot(ctx.req)}${prefix}`) : undefined;
    this.#upstream.pass(ctx.req, ctx.res, {
      url: what === 'all' && ctx.req.url?.startsWith('/') ? ctx.req.url : url,
      ...(what === 'all' ? this.#asItIs() : this.#asOurs(ctx, sandbox)),
      rewriting,
      kept:
        examine === undefined ? { request: 0, response: MAX_RESPONSE } : { request: MAX_BYTES, response: MAX_BYTES },
      ended: exchange => void this.#written(ctx, sandbox, { place, exchange, rewriting }),
    });
  }

  #asItIs(): Pick<Passing, 'isOwn'> {
    return { isOwn: (name, value) => name === 'x-fake-token' || this.#showsToken(name, value) };
  }

  /** The other server gets no headers about sandboxes and readings, and its response is marked as not ours. */
  #asOurs(ctx: Context, sandbox: string): Pick<Passing, 'isOwn' | 'isHidden' | 'further'> {
    const { cors, explain } = this.parts;
    const marks = explain ? ['X-Fake-Sandbox', sandbox, 'X-Fake-Source', 'fallback'] : [];
    const granted = cors.headersFor(ctx.req.headers.origin);
    return {
      isOwn: (name, value) => name.startsWith('x-fake-') || this.#showsToken(name, value),
      isHidden: name =>
        name.startsWith('x-fake-') || granted.some((one, i) => i % 2 === 0 && one.toLowerCase() === name),
      further: [...marks, ...granted],
    };
  }

  #showsToken(name: string, value: string): boolean {
    const { token } = this.parts;
    return token !== undefined && name === 'authorization' && value.includes(token);
  }

  async #written(ctx: Context, sandbox: string, { place, exchange, rewriting }: Forwarding): Promise<void> {
    const { session, metrics, log } = this.parts;
    const { status, duration, problem } = exchange;
    const { target, examine } = this.settings;
    const { operation, violations, agrees } = examine?.(exchange) ?? {};
    const headers = exchange.response && keptHeaders(exchange.response.headers, rewriting);
    const forwarded = { to: target, duration: Math.round(duration), problem, headers, violations, agrees };
    const request = this.#requestFrom(ctx, place, exchange, operation);
    const text = exchange.response?.isWhole ? receivedText(exchange.response, rewriting) : undefined;
    const response = { status, headers: {}, ...(text !== undefined && { body: text }) };
    const caller = callerIn(request, session, sandbox);
    let result: Result | undefined;
    try {
      result = await session.addForwarded(sandbox, request, { response, operation, forwarded, caller });
    } catch (error) {
      log.warn('a forwarded request could not be added to the journal', { err: error });
    }
    metrics.count({ result }, status, duration / 1000);
    const { method, url } = request;
    log.request?.({ sandbox, method, url, status, duration, traceparent: request.traceparent, result });
  }

  /** In a proxy with all findings; else without its readings headers. */
  #requestFrom(
    ctx: Context,
    { endpoint, address, params }: EndpointPlace,
    { request }: ForwardedExchange,
    operation?: string,
  ): Request {
    const { headers, method = '', url = '' } = ctx.req;
    const base = {
      id: requestIdIn(headers),
      traceparent: traceparentIn(headers),
      method,
      url,
      contentType: headers['content-type'] ?? '',
      ...(isSuspect(ctx.req) && { isSuspect: true as const }),
    };
    const nothing = { ...base, query: noQuery, credentials: { kind: 'none' }, body: ABSENT } as const;
    if (this.settings.examine === undefined) return nothing;
    const { bytes, isWhole } = request;
    const isPlain = headers['content-encoding'] === undefined;
    const isSent = bytes.length > 0 || !isWhole;
    const body: Body = !isSent
      ? ABSENT
      : isWhole && isPlain
        ? bodyFrom(bytes)
        : { kind: 'too-large', limit: MAX_BYTES };
    const resource =
      address !== undefined && isResourceFamily(address.family) ? (address as ResourceAddress) : undefined;
    const isKnown = operation !== undefined || (resource !== undefined && endpoint !== nothingThere(resource.family));
    return {
      ...nothing,
      ...(isKnown && { endpoint, address, params, query: parseQuery(targetOf(ctx).query) }),
      ...(isKnown && resource && { resource: resourceRequest(ctx.req, resource, DEFAULT_SANDBOX, false) }),
      credentials: credentialsIn(headers.authorization),
      body,
    };
  }
}

/** The text of a response as the client received it. */
function receivedText(response: SeenMessage, rewriting: Rewriting | undefined): string | undefined {
  const text = upstreamText(response);
  return text === undefined ? undefined : (rewriting?.wholeBody(text, response.headers) ?? text);
}

/** The headers of a response that a stub repeats, without secrets. A redirect to this server is a path, so that it also leads there elsewhere. */
function keptHeaders(headers: IncomingHttpHeaders, rewriting: Rewriting | undefined): Readonly<Record<string, string>> {
  const { 'content-type': type, location: sent } = headers;
  const location = sent === undefined ? undefined : (rewriting?.destination(sent) ?? sent);
  return {
    ...(type !== undefined && { 'Content-Type': redactHeader('Content-Type', type) }),
    ...(location !== undefined && { Location: redactHeader('Location', location) }),
  };
}

/** A user of the world with these credentials. The other server may know others. */
function callerIn({ credentials, endpoint }: Request, session: Session, sandbox: string): Caller | undefined {
  const world = session.peek(sandbox)?.state.world;
  if (endpoint === undefined || world === undefined) return undefined;
  const caller = callerOf(credentials, world, new Provenance(defaultReadings));
  return isRefused(caller) ? undefined : caller;
}

/** Whether some segment of a path, in any encoding, is that of the control API. */
function isOwnPath(path: string): boolean {
  const segments = decoded(path).toLowerCase().split(/[/\\]/);
  return segments.includes('_fake');
}

function decoded(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
