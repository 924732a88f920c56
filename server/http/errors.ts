// The one place where an error becomes a response: a refusal by this server itself, a failure of the store, or a bug.
import { storeProblem } from '../control/invoke.js';
import type { Log } from '../engine/log.js';
import { redactText, redactUrl } from '../engine/secrets.js';
import { StoreError } from '../engine/store.js';
import type { Context, Middleware } from './incoming/context.js';
import { PROBLEM, type ProblemDetails, problemText, RefusedRequest } from './incoming/problem-details.js';

/** Clients do not see the exception, the log does. */
const BUG: ProblemDetails = {
  status: 500,
  title: 'Internal Server Error',
  detail: 'This is a bug in cwx-fake. See its log for details.',
};

/** `isUnwatched`: whether the client of a path does not show refusals, so that they are logged. */
export function errors(log: Log, isUnwatched: (path: string) => boolean): Middleware {
  const problemOf = (ctx: Context, error: unknown): ProblemDetails => {
    if (error instanceof RefusedRequest) return error.problem;
    if (error instanceof StoreError) return storeProblem(error);
    const { method, originalUrl: url } = ctx;
    log.error('a bug in cwx-fake', { err: error, requestId: ctx.state.id, method, path: redactUrl(url) });
    return BUG;
  };
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = problemOf(ctx, error);
      const { status, detail, headers = {}, retryAfter } = problem;
      const [path = ''] = ctx.originalUrl.split('?', 1); // the query may contain passwords
      if (isUnwatched(path)) log.warn(redactText(`${ctx.method} ${path} returned ${status}: ${detail}`));
      ctx.status = status;
      ctx.set({ ...headers, 'Content-Type': PROBLEM });
      if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
      ctx.body = problemText(problem);
    }
  };
}
