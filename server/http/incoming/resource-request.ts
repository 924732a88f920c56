// Parts of a request to a resource of Confluence or Jira: the base URL of links, and the path of a log-in's cookie.
import type { ResourceAddress } from '../../operations/address.js';
import type { ResourceRequest } from '../../operations/rest-api/resource.js';
import { type ArrivedHead, pathOf, requestRoot } from './base-url.js';

/** `named`: the sandbox from a header, which links then name in their paths. */
export function resourceRequest(
  req: ArrivedHead,
  { family, sandbox, context }: ResourceAddress,
  name: string,
  isNamed: boolean,
): ResourceRequest {
  const own = sandbox !== undefined || isNamed ? `/~${name}` : '';
  const root = requestRoot(req);
  const base = `${root}${own}${context}`;
  if (family !== 'jira-auth') return { base };
  const cookiePath = `${pathOf(root)}${sandbox === undefined ? '' : `/~${sandbox}`}${context}` || '/'; // a cookie of each
  return { base, cookiePath };
}
