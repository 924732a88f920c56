// Cross-origin requests to the APIs (Fetch standard, "CORS protocol"): refused, except from allowed origins. Never for the control API.
import type { IncomingMessage } from 'node:http';
import type { Middleware } from './incoming/context.js';
import { crossSiteRefusal } from './incoming/cross-site.js';

const REMEDY = 'to allow it, start the server with --cors and that origin';

const METHODS = 'DELETE, GET, HEAD, PATCH, POST, PUT';
const EXPOSED = [
  'X-Fake-Sandbox',
  'X-Fake-Operation',
  'X-Fake-Rules',
  'X-Fake-Gaps',
  'X-Fake-Fault',
  'X-Fake-Stub',
  'X-Request-Id',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-FillRate',
  'X-RateLimit-Interval-Seconds',
  'Allow',
  'WWW-Authenticate',
].join(', ');
/** Seconds that a browser may cache a preflight. */
const MAX_AGE = '600';

/** `origins`: their pages may use the APIs. The headers are set first, so that a fault may replace them. */
export function cors(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    const { origin } = ctx.req.headers;
    const isAllowed = origin !== undefined && allowed.has(origin);
    if (isAllowed && isPreflight(ctx.req)) {
      ctx.status = 204;
      ctx.set(preflightHeaders(ctx.req, origin));
      return;
    }
    const refusal = isAllowed ? undefined : crossSiteRefusal(ctx.req, REMEDY);
    if (refusal !== undefined) throw refusal;
    if (isAllowed) {
      ctx.set('Access-Control-Allow-Origin', origin);
      ctx.set('Access-Control-Allow-Credentials', 'true');
      ctx.set('Access-Control-Expose-Headers', EXPOSED);
    }
    if (allowed.size > 0) ctx.set('Vary', 'Origin');
    await next();
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function preflightHeaders({ headers }: IncomingMessage, origin: string): Record<string, string> {
  const asked = headers['access-control-request-headers'];
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': METHODS,
    ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
    'Access-Control-Max-Age': MAX_AGE,
    Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}
