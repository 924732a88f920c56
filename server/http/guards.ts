// What stands before every route: no error's text leaves, and what has no address is not answered. Design 13 says why.

import { METHODS } from 'node:http';
import { shownUrl } from '../engine/shown-url.js';
import { StoreError } from '../engine/store.js';
import type { Context, Middleware } from './context.js';
import type { Log } from './log.js';
import { refuse, retryLater } from './refuse.js';

/** A store that cannot be used is answered with 503. Any other exception is a bug: it is logged, and answered with 500 without its text. */
export function guardErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof StoreError) {
        refuse(ctx, 503, 'Service Unavailable', `${error.message}.`);
        return retryLater(ctx, error);
      }
      log.error('a bug of this server', {
        err: error,
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: shownUrl(ctx.url),
      });
      ctx.body = {
        status: 500,
        title: 'Internal Server Error',
        detail: 'This is a bug of cwx-fake; its log says more.',
      };
      ctx.status = 500;
    }
  };
}

const methods = new Set(METHODS);

/** Refuses a request that cannot be routed: HTTP lets through more than can be read as an address, and methods of other protocols. */
export const guardTarget: Middleware = (ctx, next) => {
  if (!methods.has(ctx.method)) return refuse(ctx, 400, 'Bad Request', `${ctx.method} is no method of HTTP.`);
  if (hasPath(ctx)) return next();
  const target = JSON.stringify(shownUrl(ctx.url).slice(0, 100));
  return refuse(
    ctx,
    400,
    'Bad Request',
    `${target} is no address: send a path that begins with a slash, or a whole http URL.`,
  );
};

function hasPath(ctx: Context): boolean {
  const { url } = ctx;
  if (!url.startsWith('/') && url !== '*' && !isHttp(url)) return false;
  if (url.includes('\\') && (url.includes('#') || !url.startsWith('/'))) return false; // what Koa reads would have slashes in their place
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false; // what Koa reads addresses with is older than the standard
  }
}

function isHttp(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}
