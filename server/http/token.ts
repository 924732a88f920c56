// The gate of the control API: refuses requests without a required token, and web pages of other origins. Its responses are not cached.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { crossSiteRefusal } from './cors.js';
import type { Middleware } from './incoming/context.js';
import { RefusedRequest } from './incoming/problem-details.js';

/** An alternative header for the token: a verifier's own headers replace those of the contract, whose Authorization must stay. */
const OWN = 'x-fake-token';

/** Content types that pages can send to other sites without a preflight. */
const formTypes: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** `wanted`: the token; absent: none is required. */
export function token(wanted: string | undefined): Middleware {
  return async (ctx, next) => {
    const { headers, method } = ctx.req;
    ctx.set('Cache-Control', 'no-store');
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') refuseForeignChange(ctx.req);
    if (wanted !== undefined && !shows(bearerIn(headers.authorization), wanted) && !shows(headers[OWN], wanted))
      throw new RefusedRequest({
        status: 401,
        title: 'A control token is required',
        detail:
          'Commands take it from --control-token or CWX_FAKE_CONTROL_TOKEN, connectFake() from its option token; over HTTP, send it in the header Authorization: Bearer, or in X-Fake-Token. The server prints it at startup, unless it was set with --control-token.',
        headers: { 'WWW-Authenticate': 'Bearer realm="cwx-fake control"' },
      });
    await next();
  };
}

/** Refuses a change that another site's page could have sent. The content type shows that even for old browsers. */
function refuseForeignChange(request: IncomingMessage): void {
  const refusal = crossSiteRefusal(request, 'only pages of this server can control it');
  if (refusal !== undefined) throw refusal;
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!formTypes.includes(type)) return;
  throw new RefusedRequest({
    status: 415,
    title: 'Form content types are not accepted',
    detail: `Send Content-Type: application/json, or no Content-Type if there is no body. Any website could make a browser send ${type}, so such requests are refused.`,
  });
}

function bearerIn(header: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** Compares in constant time, whatever the length. */
function shows(header: string | string[] | undefined, wanted: string): boolean {
  return header !== undefined && timingSafeEqual(digest(String(header)), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
