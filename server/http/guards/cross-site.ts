// What web pages of other servers can send: the control API and the operations refuse it alike (design 13).
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from './refuse.js';

/**
 * What is wrong with a request that a page of another server could have sent. Other ports of the same host are other servers, whose pages a browser calls
 * same-site, so that only what it calls same-origin, or what no page began, passes. A request without both headers is not from a browser.
 */
export function crossSiteProblem(
  { origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders,
  remedy: string,
): Problem | undefined {
  if (origin !== undefined && !isOwn(origin, host)) {
    const detail = `The request comes from the origin ${JSON.stringify(origin.slice(0, 100))}; ${remedy}.`;
    return { status: 403, title: 'Sent by another origin', detail };
  }
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  const shown = String(site).slice(0, 100);
  const detail = `A browser says that a page of another server sent this request (Sec-Fetch-Site: ${shown}); ${remedy}.`;
  return { status: 403, title: 'Sent by another site', detail };
}

function isOwn(origin: string, host: string | undefined): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
