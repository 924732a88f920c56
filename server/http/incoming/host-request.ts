// What a request to a resource of a host brings besides: the root of the links in its answer, and its session. A session is known by the hash of
// its cookie and its sandbox, so that no journal, store or other sandbox has anything that proves who somebody is.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Credentials } from '../../engine/request/request.js';
import type { HostAddress } from '../../operations/address.js';
import type { HostRequest } from '../../operations/hosts/resource.js';
import { askedRoot } from './asked-root.js';

/** `named`: the sandbox that a header names, which links then name in their paths. */
export function hostRequest(
  req: IncomingMessage,
  { family, sandbox, context }: HostAddress,
  name: string,
  isNamed: boolean,
): HostRequest {
  const own = sandbox !== undefined || isNamed ? `/~${name}` : '';
  const base = `${askedRoot(req)}${own}${context}`;
  if (family !== 'tracker-auth') return { base };
  const cookie = sessionCookie(req.headers.cookie);
  const value = randomBytes(16).toString('hex').toUpperCase();
  return {
    base,
    session: cookie && sessionKey(cookie, name),
    ...(req.method === 'POST' && { fresh: { value, key: sessionKey(value, name) } }),
  };
}

/** What a session cookie shows in a sandbox; `undefined` where there is none. */
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
