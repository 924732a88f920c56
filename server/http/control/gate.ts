// The one gate of the control API: who has no token where one is due, and web pages of other origins, do not pass (design 13).
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ActionProblem } from '../../control/action.js';
import type { Context } from '../context.js';
import { crossSiteProblem } from '../guards/cross-site.js';

/** Also takes the token: a verifier puts the headers it is given over those of the contract, whose Authorization has to stay. */
const OWN = 'x-fake-token';

/** What pages can send to other sites without having asked for leave. */
const formTypes: readonly string[] = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/** The refusal of a request that may not steer this server, if it is one. */
export function refuseStranger(ctx: Context, token: string | undefined): ActionProblem | undefined {
  const { headers, method } = ctx.req;
  const changes = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const foreign = changes ? refuseForeign(headers) : undefined;
  if (foreign !== undefined) return foreign;
  if (token === undefined || shows(bearerIn(headers.authorization), token) || shows(headers[OWN], token))
    return undefined;
  ctx.set('WWW-Authenticate', 'Bearer realm="cwx-fake control"');
  return new ActionProblem(
    401,
    'A token is due',
    'Send the control token as Authorization: Bearer, or as X-Fake-Token; the server printed it when it started, unless it was given with --control-token.',
  );
}

/** A change that a page of somebody else could have sent. The type tells where a browser is too old to say. */
function refuseForeign(headers: IncomingHttpHeaders): ActionProblem | undefined {
  const foreign = crossSiteProblem(headers, 'only a page of this server may steer it');
  if (foreign !== undefined) return new ActionProblem(foreign.status, foreign.title, foreign.detail);
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!formTypes.includes(type)) return undefined;
  return new ActionProblem(
    415,
    'The content type is that of a form',
    `A page of any site could send ${type}: send Content-Type: application/json, or none where there is no body.`,
  );
}

function bearerIn(header: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/** In a time that says nothing of the token, its length neither. */
function shows(header: string | string[] | undefined, wanted: string): boolean {
  return header !== undefined && timingSafeEqual(digest(String(header)), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
