// What each request is called, in its answer and in the log: as who sends it calls it, else by its entry in a journal, else by a new name.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from '../context.js';

/** Such a name can go into a header and into a line of a log as it is. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** The name that a request brought, if it is one. */
export function requestIdIn(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VISIBLE.test(given) ? given : undefined;
}

/** Names a request that becomes no entry of a journal. */
export const requestIds: Middleware = (ctx, next) => {
  const id = requestIdIn(ctx.req.headers) ?? randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
