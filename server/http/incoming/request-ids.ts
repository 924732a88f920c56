// The id of a request in its answer and the log: the client's own, else that of its journal entry, else a new one.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from '../context.js';

/** Such an id is safe in a header and in a line of a log. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

/** The id that a request brought, if valid. */
export function requestIdIn(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VISIBLE.test(given) ? given : undefined;
}

/** A new id for a request without a journal entry. */
export const requestIds: Middleware = (ctx, next) => {
  const id = requestIdIn(ctx.req.headers) ?? randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
