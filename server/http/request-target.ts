// Refuses requests that cannot be routed or read: HTTP allows targets that are no URLs, methods of other protocols, and more headers than Node reads.
import { METHODS } from 'node:http';
import { redactUrl } from '../engine/secrets.js';
import { parsedUrl } from '../outgoing/parsed-url.js';
import type { Context, Middleware } from './incoming/context.js';
import { badRequest, RefusedRequest } from './incoming/problem-details.js';

const methods = new Set(METHODS);

/** More than any client or chain of proxies sends; Node silently drops headers beyond a thousand, possibly one that a guard needs. */
const MAX_HEADERS = 200;

/** Characters that Koa leaves to `url.parse`; `\s` includes Unicode blanks and marks. */
const SPECIAL = /[#\s]/;

export const target: Middleware = (ctx, next) => {
  const { method = '', headers, rawHeaders } = ctx.req;
  if (!methods.has(method)) throw badRequest(`${method} is not an HTTP method.`);
  const isUsual = ctx.url.startsWith('/') && !SPECIAL.test(ctx.url);
  if (!isUsual && !hasPath(ctx)) {
    const shown = JSON.stringify(redactUrl(ctx.url).slice(0, 100));
    throw badRequest(`${shown} is not a request target: send a path that begins with a slash, or a complete http URL.`);
  }
  if (rawHeaders.length > 2 * MAX_HEADERS)
    throw new RefusedRequest({
      status: 431,
      title: 'Request Header Fields Too Large',
      detail: `The request has too many headers: at most ${MAX_HEADERS} are allowed.`,
    });
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw unknownCoding(coding);
  return next();
};

/** Chunks are supported, other transfer codings are not (RFC 9112, 6.1). The next bytes cannot be interpreted, so the connection closes. */
function unknownCoding(coding: string): RefusedRequest {
  const shown = JSON.stringify(coding.slice(0, 100));
  return badRequest(
    `Transfer-Encoding: ${shown} is not supported: only chunked is. To compress the body, use Content-Encoding.`,
    { Connection: 'close' },
  );
}

/** Whether a target leads to a path; one of another form is brought into the usual one, which Koa parses without a deprecated function of Node. */
function hasPath(ctx: Context): boolean {
  const { url } = ctx;
  if (url.startsWith('/')) {
    if (url.includes('\\') && url.includes('#')) return false; // browsers and Node disagree about it
    ctx.url = plain(url);
    return true;
  }
  if (url !== '*' && (!/^https?:/i.test(url) || !parsedUrl(url) || url.includes('\\'))) return false;
  const rest = url.replace(/^https?:\/*[^/?#]*/i, '');
  ctx.url = url === '*' ? '/*' : plain(rest.startsWith('/') ? rest : `/${rest}`);
  return true;
}

/** Without a fragment, which no client should send, and with blanks encoded. */
function plain(url: string): string {
  const [withoutFragment = ''] = url.split('#', 1);
  return withoutFragment.replace(/\s/g, encodeURIComponent);
}
