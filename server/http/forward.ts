// Passes requests to another server: those that nothing here answers (`--fallback`), or all (`cwx-fake proxy`). Nothing below /_fake and no control
// token is ever passed on.
import { randomBytes } from 'node:crypto';
import { noBody } from '../engine/request/request.js';
import { DEFAULT_SANDBOX } from '../engine/sandbox/state.js';
import { sandboxIn } from '../operations/address.js';
import { Outgoing } from '../outgoing/outgoing.js';
import { mayBeCrossSite } from './cors.js';
import type { ForwardSettings } from './forwarding/forward-settings.js';
import { addEntry, type EntryParts } from './forwarding/forwarded-entry.js';
import { Forwarding } from './forwarding/forwarded-exchange.js';
import { Rewriting } from './forwarding/rewriting.js';
import { requestRoot } from './incoming/base-url.js';
import type { Context, Middleware } from './incoming/context.js';
import { type EndpointPlace, findPlace, isServed } from './incoming/find-endpoint.js';
import { nameProblem, requestFrom, sandboxNamed } from './incoming/request-from.js';

export interface ForwardParts extends EntryParts {
  /** Whether responses have headers that say where they come from. */
  readonly explain: boolean;
  /** The control token, which the other server must not see. */
  readonly token: string | undefined;
  /** Whether the REST APIs of Confluence and Jira are served here. */
  readonly restApi: boolean;
}

/** Headers that are set before, such as those of CORS, stay. */
export interface Forward {
  readonly middleware: Middleware;
  /** Whether to refuse cross-site requests first. For unchanged requests the other server decides. */
  readonly isGuarded: boolean;
  /** Ends all connections to the other server. */
  close(): void;
}

/** Maximum duration of an exchange, in timeouts; an event stream may last longer. */
const MAX_TIMEOUTS = 20;

export function createForward(settings: ForwardSettings, parts: ForwardParts): Forward {
  const { what, target, rewrite, timeout, maxConnections, insecure = false, tls } = settings;
  const { explain, token, restApi, log } = parts;
  const outgoing = new Outgoing(new URL(target), {
    ...(maxConnections > 0 && { maxSockets: maxConnections }),
    insecure,
    tls,
    patience: timeout,
    deadline: timeout * MAX_TIMEOUTS,
    mayStream: true,
  });
  const via = `1.1 cwx-fake-${randomBytes(4).toString('hex')}`; // RFC 9110, 7.6.3: to detect loops
  const isAll = what === 'all';
  const isOurs = (name: string) => (isAll ? name === 'x-fake-token' : name.startsWith('x-fake-'));
  const showsToken = (name: string, value: string) =>
    token !== undefined && name === 'authorization' && value.includes(token);
  const middleware: Middleware = async (ctx, next) => {
    const { path, querystring: query } = ctx;
    const place = findPlace(path, restApi);
    const sandbox = isAll
      ? DEFAULT_SANDBOX
      : (sandboxNamed(ctx.req.headers, sandboxIn(path).sandbox) ?? DEFAULT_SANDBOX);
    const isPath = ctx.originalUrl !== '*'; // that asks about the server itself
    if (!isPath || !concerns(path, place, settings) || !(await isAnsweredThere(ctx, place, sandbox, settings, parts)))
      return next();
    ctx.state.isForwarded = true;
    const below = isAll ? path : sandboxIn(path).path;
    const { originalUrl: url } = ctx;
    const prefix = below === path ? '' : `/~${sandbox}`;
    const rewriting = rewrite ? new Rewriting(target, `${requestRoot(ctx.req)}${prefix}`) : undefined;
    if (!isAll && explain) ctx.set({ 'X-Fake-Sandbox': sandbox, 'X-Fake-Source': 'fallback' });
    return new Forwarding(ctx, settings, {
      url: isAll && url.startsWith('/') ? url : `${below}${query === '' ? '' : `?${query}`}`,
      isOwn: (name, value) => isOurs(name) || showsToken(name, value),
      isHidden: name => !isAll && isOurs(name),
      rewriting,
      ended: exchange =>
        addEntry(ctx, { sandbox, place, rewriting }, exchange, settings, parts).catch(error =>
          log.error('a bug in cwx-fake', { err: error }),
        ),
    }).pass(outgoing, via);
  };
  return { middleware, isGuarded: !isAll, close: () => outgoing.close() };
}

/** Whether a request that leads to a place is for the other server, unless this one has a stub for it. */
function concerns(path: string, { endpoint, params }: EndpointPlace, { what }: ForwardSettings): boolean {
  if (isOwnPath(path)) return false;
  if (what === 'all') return true;
  return params !== undefined && !isServed(endpoint);
}

/** Whether some segment of a path, in any encoding, is that of the control API. */
function isOwnPath(path: string): boolean {
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded.toLowerCase().split(/[/\\]/).includes('_fake');
}

/** Whether the sandbox can be used, and has no stub for the request. It is created if needed. */
async function isAnsweredThere(
  ctx: Context,
  place: EndpointPlace,
  sandbox: string,
  { what }: ForwardSettings,
  { session }: ForwardParts,
): Promise<boolean> {
  if (nameProblem(sandbox) !== undefined) return false;
  if (session.sandboxes.find(sandbox) === undefined) {
    const opened = mayBeCrossSite(ctx.req) ? session.sandboxes.latest(sandbox) : session.open(sandbox);
    if ((await opened.catch(() => undefined)) === undefined) return false; // its refusal meets the same error
  }
  if (what === 'all') return true;
  const request = requestFrom(ctx.req, place, {
    id: undefined,
    url: ctx.originalUrl,
    query: ctx.querystring,
    body: noBody,
    sandbox,
    isNamed: true,
  });
  return !session.hasStubFor(sandbox, request);
}
