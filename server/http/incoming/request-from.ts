// The request as a plain value for the engine, from its head as Node reads it.
import { type Body, parseQuery, type Request } from '../../engine/request/request.js';
import { isResourceFamily, type ResourceAddress } from '../../operations/address.js';
import { type ArrivedHead, isSuspect } from './base-url.js';
import { credentialsIn } from './credentials.js';
import type { EndpointPlace } from './find-endpoint.js';
import { traceparentIn } from './request-ids.js';
import { loginCookie, resourceRequest } from './resource-request.js';

/** What is known of a request besides its head. */
export interface RequestDetails {
  /** Its `X-Request-Id`, if it is usable. */
  readonly id?: string | undefined;
  /** The part of the target after the question mark. */
  readonly query: string;
  readonly body: Body;
  readonly sandbox: string;
  /** Whether it names the sandbox. */
  readonly isNamed: boolean;
}

export function requestFrom(
  head: ArrivedHead,
  { address, endpoint, params }: EndpointPlace,
  { id, query, body, sandbox, isNamed }: RequestDetails,
): Request {
  const { headers, method = '', url = '' } = head;
  const readings = headers['x-fake-reading'];
  return {
    id,
    ...(headers.traceparent !== undefined && { traceparent: traceparentIn(headers) }),
    address,
    endpoint,
    params,
    method,
    url,
    query: parseQuery(query),
    credentials: credentialsIn(headers.authorization),
    cookie: loginCookie(headers),
    contentType: headers['content-type'] ?? '',
    body,
    ...(isSuspect(head) && { isSuspect: true }),
    readings: readings === undefined ? undefined : String(readings),
    resource:
      address !== undefined && isResourceFamily(address.family)
        ? resourceRequest(head, address as ResourceAddress, sandbox, isNamed) // its family says so
        : undefined,
  };
}
