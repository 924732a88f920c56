// Parts of a request to a host's resource: the base URL of links, and the session. A session is identified by a hash of its cookie and sandbox, so
// that journals, stores and other sandboxes contain no credential.
import { createHash, randomBytes } from 'node:crypto';
import type { Credentials } from '../../engine/request/request.js';
import type { HostAddress } from '../../operations/address.js';
import type { HostRequest } from '../../operations/rest-api/resource.js';
import { type ArrivedHead, requestRoot } from './asked-root.js';

/** `named`: the sandbox from a header, which links then name in their paths. */
export function hostRequest(
  req: ArrivedHead,
  { family, sandbox, context }: HostAddress,
  name: string,
  isNamed: boolean,
): HostRequest {
  const own = sandbox !== undefined || isNamed ? `/~${name}` : '';
  const root = requestRoot(req);
  const base = `${root}${own}${context}`;
  if (family !== 'tracker-auth') return { base };
  const cookie = sessionCookie(req.headers.cookie);
  const path =
    `${new URL(root).pathname.replace(/\/$/, '')}${sandbox === undefined ? '' : `/~${sandbox}`}${context}` || '/'; // a cookie of each
  const value = randomBytes(16).toString('hex').toUpperCase();
  return {
    base,
    session: cookie && sessionKey(cookie, name),
    ...(req.method === 'POST' && { fresh: { value, path, key: sessionKey(value, name) } }),
  };
}

/** The session of a cookie in a sandbox; `undefined` without one. */
export function sessionCredentials(cookies: string, sandbox: string): Credentials | undefined {
  const cookie = sessionCookie(cookies);
  return cookie === undefined ? undefined : { kind: 'session', key: sessionKey(cookie, sandbox) };
}

function sessionCookie(cookies: string | undefined): string | undefined {
  return cookies && /(?:^|;\s*)JSESSIONID="?([\w.-]{1,128})"?(?:;|$)/.exec(cookies)?.[1];
}

function sessionKey(value: string, sandbox: string): string {
  return createHash('sha256').update(`${sandbox}\n${value}`).digest('hex').slice(0, 32);
}
