// Names each response: by the id that the client sent, else by that of its journal entry, else by a new one.
import { randomUUID } from 'node:crypto';
import type { Middleware } from './incoming/context.js';
import { requestIdIn } from './incoming/request-from.js';

export const requestId: Middleware = async (ctx, next) => {
  const id = requestIdIn(ctx.req.headers);
  if (id !== undefined) ctx.state.id = id;
  await next();
  if (ctx.state.isForwarded) return;
  ctx.state.id ??= randomUUID();
  ctx.res.setHeader('X-Request-Id', ctx.state.id);
};
