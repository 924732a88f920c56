// Guards against requests that cannot be routed or read.
import { METHODS } from 'node:http';
import { redactUrl } from '../../engine/secrets.js';
import { badRequest, type ProblemDetails } from '../exchange/problem-details.js';
import type { Context } from '../incoming/context.js';
import { isPlain } from '../incoming/request-target.js';

const methods = new Set(METHODS);

/** The refusal of a request that cannot be routed: HTTP allows targets that are no URLs, and methods of other protocols. */
export function targetProblem(ctx: Context): ProblemDetails | undefined {
  const { method = '' } = ctx.req;
  if (!methods.has(method)) return badRequest(`${method} is not an HTTP method.`);
  if (hasPath(ctx)) return undefined;
  const target = JSON.stringify(redactUrl(ctx.url).slice(0, 100));
  return badRequest(`${target} is not a request target: send a path that begins with a slash, or a complete http URL.`);
}

/** The refusal of a body's framing: chunks are supported, other transfer codings are not (RFC 9112, 6.1). */
export function framingProblem({ req }: Context): ProblemDetails | undefined {
  const coding = req.headers['transfer-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'chunked') return undefined;
  const shown = JSON.stringify(coding.slice(0, 100));
  const detail = `Transfer-Encoding: ${shown} is not supported: only chunked is. To compress the body, use Content-Encoding.`;
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
