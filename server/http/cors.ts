// Requests that web pages of other servers send or can send. The APIs refuse them, except from allowed origins (Fetch standard, "CORS protocol"); the
// control API refuses all.
import koaCors from '@koa/cors';
import { type ArrivedHead, isOwnOrigin, requestRoot } from './incoming/base-url.js';
import type { Middleware } from './incoming/context.js';
import { RefusedRequest } from './incoming/problem-details.js';

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
/** Refuses requests of pages whose origin is none of these. */
export function origin(origins: readonly string[]): Middleware {
  const allowed = new Set(origins);
  return (ctx, next) => {
    const { origin: own } = ctx.req.headers;
    const refusal = own !== undefined && allowed.has(own) ? undefined : crossSiteRefusal(ctx.req, REMEDY);
    if (refusal !== undefined) throw refusal;
    return next();
  };
}

/** Lets pages of these origins use the APIs. The headers are set first, so that a fault may replace them. */
export function cors(origins: readonly string[]): Middleware {
  return koaCors({
    origin: ctx => origins.find(own => own === ctx.get('Origin')) ?? '',
    credentials: true,
    allowMethods: METHODS,
    exposeHeaders: EXPOSED,
    maxAge: 600,
  }) as unknown as Middleware;
}

type Sender = Pick<ArrivedHead, 'headers' | 'root'>;

/**
 * The refusal of a request from another server's page, if any. Other ports of a host are other servers, though browsers call them same-site; so only
 * same-origin requests pass, and those that no page sent. A request without both headers is not from a browser.
 */
export function crossSiteRefusal(sender: Sender, remedy: string): RefusedRequest | undefined {
  const { origin, 'sec-fetch-site': site } = sender.headers;
  if (origin !== undefined && !isOwnOrigin(origin, sender)) {
    const detail = `The request comes from the origin ${JSON.stringify(origin.slice(0, 100))}; ${remedy}.`;
    return new RefusedRequest({ status: 403, title: 'Cross-origin request refused', detail });
  }
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  const shown = String(site).slice(0, 100);
  const detail = `A page of another server sent this request (Sec-Fetch-Site: ${shown}); ${remedy}.`;
  return new RefusedRequest({ status: 403, title: 'Sent by another site', detail });
}

/** Whether another site's page sent a request, or may have. */
export function isForeign(head: ArrivedHead): boolean {
  return crossSiteRefusal(head, '') !== undefined || mayBeCrossSite(head);
}

/**
 * Whether another site's page may have sent a request without either header. Browsers send Sec-Fetch-Site only to https and loopback addresses, and
 * omit Origin for images, scripts, frames and links; a page can set neither `User-Agent` nor `X-Fake-Sandbox`.
 */
export function mayBeCrossSite(head: ArrivedHead): boolean {
  const { 'user-agent': agent = '', 'sec-fetch-site': site, 'x-fake-sandbox': sandbox, origin } = head.headers;
  const isRead = head.method === 'GET' || head.method === 'HEAD';
  if (!isRead || !agent.startsWith('Mozilla/') || (origin ?? site ?? sandbox) !== undefined) return false;
  return !/^https:|^http:\/\/(?:(?:[^/]*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i.test(requestRoot(head));
}
