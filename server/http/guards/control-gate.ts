// The gate of the control API: refuses requests without a required token, and web pages of other origins.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ProblemDetails } from '../exchange/problem-details.js';
import type { Context } from '../incoming/context.js';
import { crossSiteProblem, type Sender } from './cross-site.js';

/** An alternative header for the token: a verifier's own headers replace those of the contract, whose Authorization must stay. */
const OWN = 'x-fake-token';

/** Content types that pages can send to other sites without a preflight. */
const formTypes: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** The refusal of a request that may not control this server, if any. */
export function strangerProblem(ctx: Context, token: string | undefined): ProblemDetails | undefined {
  const { headers, method } = ctx.req;
  const changes = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const foreign = changes ? foreignProblem(ctx.req) : undefined;
  if (foreign !== undefined) return foreign;
  if (token === undefined || shows(bearerIn(headers.authorization), token) || shows(headers[OWN], token))
    return undefined;
  return {
    status: 401,
    title: 'A control token is required',
    detail:
      'Send the control token in the header Authorization: Bearer, or in X-Fake-Token. The server prints it at startup, unless it was set with --control-token.',
    headers: { 'WWW-Authenticate': 'Bearer realm="cwx-fake control"' },
  };
}

/** The refusal of a change that another site's page could have sent. The content type shows that even for old browsers. */
function foreignProblem(request: Sender): ProblemDetails | undefined {
  const foreign = crossSiteProblem(request, 'only pages of this server can control it');
  if (foreign !== undefined) return foreign;
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!formTypes.includes(type)) return undefined;
  return {
    status: 415,
    title: 'Form content types are not accepted',
    detail: `Send Content-Type: application/json, or no Content-Type if there is no body. Any website could make a browser send ${type}, so such requests are refused.`,
  };
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
