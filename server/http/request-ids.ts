// What each request is called, in its answer, in the journal and in the log: as who sends it calls it, or by a new name.
import { randomUUID } from 'node:crypto';
import type { Middleware } from './context.js';

/** Such a name can go into a header and into a line of a log as it is. */
const VISIBLE = /^[\x21-\x7e]{1,128}$/;

export const requestIds: Middleware = (ctx, next) => {
  const given = ctx.req.headers['x-request-id'];
  const id = typeof given === 'string' && VISIBLE.test(given) ? given : randomUUID();
  ctx.state.requestId = id;
  ctx.res.setHeader('X-Request-Id', id);
  return next();
};
