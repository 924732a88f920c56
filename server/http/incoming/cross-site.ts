// Detects requests that web pages of other servers can send; the control API and the operations refuse them.
import { type ArrivedHead, isOwnOrigin, requestRoot } from './base-url.js';
import { RefusedRequest } from './problem-details.js';

type Sender = Pick<ArrivedHead, 'headers' | 'root'>;

/**
 * The refusal of a request from another server's page, if any. Other ports of a host are other servers, though browsers call them same-site; so only
 * same-origin requests pass, and those that no page sent. A request without both headers is not from a browser.
 */
export function crossSiteRefusal(sender: Sender, remedy: string): RefusedRequest | undefined {
  const { origin, 'sec-fetch-site': site } = sender.headers;
  if (origin !== undefined && !isOwnOrigin(origin, sender)) {
    const detail = `The request comes from the origin ${JSON.stringify(origin.slice(0, 100))}; ${remedy}.`;
    return new RefusedRequest({ status: 403, title: 'Cross-origin request refused', detail });
  }
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  const shown = String(site).slice(0, 100);
  const detail = `A page of another server sent this request (Sec-Fetch-Site: ${shown}); ${remedy}.`;
  return new RefusedRequest({ status: 403, title: 'Sent by another site', detail });
}

/** Whether another site's page sent a request, or may have. */
export function isForeign(head: ArrivedHead): boolean {
  return crossSiteRefusal(head, '') !== undefined || mayBeCrossSite(head);
}

/**
 * Whether another site's page may have sent a request without either header. Browsers send Sec-Fetch-Site only to https and loopback addresses, and
 * omit Origin for images, scripts, frames and links; a page can set neither `User-Agent` nor `X-Fake-Sandbox`.
 */
export function mayBeCrossSite(head: ArrivedHead): boolean {
  const { 'user-agent': agent = '', 'sec-fetch-site': site, 'x-fake-sandbox': sandbox, origin } = head.headers;
  const isRead = head.method === 'GET' || head.method === 'HEAD';
  if (!isRead || !agent.startsWith('Mozilla/') || (origin ?? site ?? sandbox) !== undefined) return false;
  return !/^https:|^http:\/\/(?:(?:[^/]*\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i.test(requestRoot(head));
}
