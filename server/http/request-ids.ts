// What each request is called, in its answer and in the log: as who sends it calls it, else by its entry in a journal, else by a new name.
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from './context.js';

/** Such a name can go into a header and into a line of a log as it is. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** Until it is written down, a request that brought no name goes by one that nobody else has. */
export const requestIds: Middleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  ctx.state.isNamed = typeof given === 'string' && VISIBLE.test(given);
  call(ctx, ctx.state.isNamed ? String(given) : randomUUID());
  return next();
};

/** Calls a request that brought no name by the entry that it became: the same requests in a sandbox that began the same have the same names. */
export function callByEntry(ctx: Context, sandbox: string, entry: number): void {
  if (!ctx.state.isNamed) call(ctx, `${sandbox}.${entry}`);
}

function call(ctx: Context, id: string): void {
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
}
