// The one gate of the control API: who has no token where one is due, and web pages of other origins, do not pass (design 13).
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.js';
import { type ControlAnswer, problem } from './endpoint.js';

/** Also takes the token: a verifier puts the headers it is given over those of the contract, whose Authorization has to stay. */
const OWN = 'x-fake-token';

/** The refusal of a request that may not steer this server, if it is one. */
export function refuseStranger(ctx: Context, token: string | undefined): ControlAnswer | undefined {
  const { headers } = ctx.req;
  const changes = ctx.method !== 'GET' && ctx.method !== 'HEAD' && ctx.method !== 'OPTIONS';
  if (changes && headers['sec-fetch-site'] === 'cross-site') {
    return problem(
      403,
      'Sent by another site',
      'A browser says that another site sent this request (Sec-Fetch-Site: cross-site); only a page of this server may steer it.',
    );
  }
  if (changes && headers.origin !== undefined && !isOwn(headers.origin, headers.host)) {
    return problem(
      403,
      'Sent by another origin',
      `The request comes from the origin ${JSON.stringify(headers.origin.slice(0, 100))}; only a page of this server may steer it.`,
    );
  }
  if (token === undefined || shows(headers.authorization, `Bearer ${token}`) || shows(headers[OWN], token))
    return undefined;
  ctx.set('WWW-Authenticate', 'Bearer realm="cwx-fake control"');
  return problem(
    401,
    'A token is due',
    'Send the control token as Authorization: Bearer, or as X-Fake-Token; the server printed it when it started, unless it was given with --control-token.',
  );
}

function isOwn(origin: string, host: string | undefined): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

function shows(header: string | string[] | undefined, wanted: string): boolean {
  const shown = Buffer.from(String(header ?? ''));
  const due = Buffer.from(wanted);
  return shown.length === due.length && timingSafeEqual(shown, due);
}
