// Guards before every route: no exception's text leaves the server, and malformed targets are refused. Design 13 gives the reasons.

import { METHODS } from 'node:http';
import { storeProblem } from '../../control/invoke.js';
import { redactUrl } from '../../engine/journal/secrets.js';
import type { Log } from '../../engine/log.js';
import { StoreError } from '../../engine/store.js';
import type { Context, Middleware } from '../context.js';
import { writeProblem } from '../control/writing.js';
import { isPlain } from '../incoming/request-target.js';
import { badRequest, type Problem, refuse } from './refuse.js';

/** The body of an answer after a bug. */
export const BUG = {
  status: 500,
  title: 'Internal Server Error',
  detail: 'This is a bug of cwx-fake; its log says more.',
} as const;

/** Logs an exception that clients must not see. */
export function logBug(log: Log, ctx: Context, error: unknown, requestId: string | undefined): void {
  log.error('a bug of this server', { err: error, requestId, method: ctx.method, path: redactUrl(ctx.url) });
}

/**
 * A store that is unavailable is answered with 503, a change without room with 507. Any other exception is a bug: it is logged, and answered with 500
 * without its text.
 */
export function guardErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof StoreError) {
        writeProblem(ctx, storeProblem(error));
        return;
      }
      logBug(log, ctx, error, ctx.state.requestId);
      ctx.body = BUG;
      ctx.status = 500;
    }
  };
}

/** Refuses requests with a problem. */
export function refusing(problemIn: (ctx: Context) => Problem | undefined): Middleware {
  return (ctx, next) => {
    const problem = problemIn(ctx);
    if (problem === undefined) return next();
    if (problem.isLast) ctx.set('Connection', 'close');
    refuse(ctx, problem.status, problem.title, problem.detail);
  };
}

const methods = new Set(METHODS);

/** The refusal of a request that cannot be routed: HTTP allows targets that are no URLs, and methods of other protocols. */
export function targetProblem(ctx: Context): Problem | undefined {
  const { method = '' } = ctx.req;
  if (!methods.has(method)) return badRequest(`${method} is not an HTTP method.`);
  if (hasPath(ctx)) return undefined;
  const target = JSON.stringify(redactUrl(ctx.url).slice(0, 100));
  return badRequest(`${target} is not a request target: send a path that begins with a slash, or a complete http URL.`);
}

/** The refusal of a body's framing: chunks are supported, other transfer codings are not (RFC 9112, 6.1). */
export function framingProblem({ req }: Context): Problem | undefined {
  const coding = req.headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined;
  const shown = JSON.stringify(coding.slice(0, 100));
  const detail = `Transfer-Encoding: ${shown} is not supported, only chunked; compress the body with Content-Encoding instead.`;
  return { ...badRequest(detail), isLast: true };
}

function hasPath(ctx: Context): boolean {
  const { url = '' } = ctx.req;
  if (isPlain(url)) return true;
  if (!url.startsWith('/') && url !== '*' && !isHttp(url)) return false;
  if (url.includes('\\') && (url.includes('#') || !url.startsWith('/'))) return false; // what Koa reads would contain slashes instead
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false; // the parser that Koa uses is older than the standard
  }
}

function isHttp(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}
