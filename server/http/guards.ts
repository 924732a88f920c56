// What stands before every route: no error's text leaves, and only who means this server is answered. Design 13 says why.
import type { Logger } from 'pino';
import type { Context, Middleware } from './context.js';

/** An exception is a bug: it is logged, and answered with 500 without its text. */
export function guardErrors(log: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      log.error({ err: error, method: ctx.method, path: ctx.url }, 'a bug of this server');
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
export const guardTarget: Middleware = async (ctx, next) => {
  if (hasPath(ctx)) return next();
  ctx.set('Content-Type', 'application/problem+json');
  ctx.body = JSON.stringify({
    status: 400,
    title: 'Bad Request',
    detail: `${JSON.stringify(ctx.url.slice(0, 100))} is no address: send a path that begins with a slash, or a whole http URL.`,
  });
  ctx.status = 400;
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
  return async (ctx, next) => {
    const host = ctx.req.headers.host ?? '';
    if (!accepted.has(host)) {
      const name = host.replace(/:\d*$/, '').toLowerCase();
      if (!known.has(name) && !isAddress(name, ctx.req.socket.localAddress)) {
        ctx.set('Content-Type', 'application/problem+json');
        ctx.body = JSON.stringify({
          status: 421,
          title: 'Misdirected Request',
          detail: `This server does not answer to the host ${JSON.stringify(name.slice(0, 100))}; start it with --allow-host to let it.`,
        });
        ctx.status = 421;
        return;
      }
      if (known.has(name)) accepted.add(host);
    }
    await next();
  };
}

function isAddress(name: string, served: string | undefined): boolean {
  if (served === undefined) return false;
  const plain = served.replace(/^::ffff:/, '');
  return name === plain || name === `[${served}]` || (plain.startsWith('127.') && /^127\.\d+\.\d+\.\d+$/.test(name));
}
