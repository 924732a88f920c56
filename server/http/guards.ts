// What stands before every route: no error's text leaves, and only who means this server is answered. Design 13 says why.

import type { Context, Middleware } from './context.js';
import type { Log } from './log.js';

/** Host headers that are remembered as good: a known name may come with any port. */
const MOST_HOSTS = 1000;

/** An exception is a bug: it is logged, and answered with 500 without its text. */
export function guardErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      log.error('a bug of this server', {
        err: error,
        requestId: ctx.state.requestId,
        method: ctx.method,
        path: ctx.url,
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

/** Refuses a request whose target has no path to route by: HTTP lets through more than can be read as an address. */
export const guardTarget: Middleware = (ctx, next) => {
  if (hasPath(ctx)) return next();
  const target = JSON.stringify(ctx.url.slice(0, 100));
  return refuse(
    ctx,
    400,
    'Bad Request',
    `${target} is no address: send a path that begins with a slash, or a whole http URL.`,
  );
};

function hasPath(ctx: Context): boolean {
  if (!ctx.url.startsWith('/') && ctx.url !== '*' && !URL.canParse(ctx.url)) return false;
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false; // what Koa reads addresses with is older than the standard
  }
}

/**
 * Answers 421 to a `Host` that is not the address served, a loopback name or in `allowed`, so that a web page cannot bind its own
 * name to this server. Ports are not compared: a forwarded one is as good.
 */
export function guardHost(allowed: readonly string[]): Middleware {
  const known = new Set(['localhost', '127.0.0.1', '[::1]', ...allowed.map(name => name.toLowerCase())]);
  const accepted = new Set<string>();
  return (ctx, next) => {
    const host = ctx.req.headers.host ?? '';
    if (accepted.has(host)) return next();
    const name = host.replace(/:\d*$/, '').toLowerCase();
    if (!known.has(name) && !isAddress(name, ctx.req.socket.localAddress)) {
      const shown = JSON.stringify(name.slice(0, 100));
      return refuse(
        ctx,
        421,
        'Misdirected Request',
        `This server does not answer to the host ${shown}; start it with --allow-host to let it.`,
      );
    }
    if (known.has(name) && accepted.size < MOST_HOSTS) accepted.add(host);
    return next();
  };
}

function refuse(ctx: Context, status: number, title: string, detail: string): void {
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = JSON.stringify({ status, title, detail });
  ctx.status = status;
}

function isAddress(name: string, served: string | undefined): boolean {
  if (served === undefined) return false;
  const plain = served.replace(/^::ffff:/, '');
  return name === plain || name === `[${served}]` || (plain.startsWith('127.') && /^127\.\d+\.\d+\.\d+$/.test(name));
}
