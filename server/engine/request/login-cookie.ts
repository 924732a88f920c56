// The cookie of a log-in contains its user and expiry, signed with the key of a sandbox, so a log-in leaves no state. The key is the id of the
// sandbox's log, which is random and known to all servers that share the sandbox.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { World } from '../../domain/world/world.js';
import type { Request } from './request.js';

/** Milliseconds by the sandbox's clock. */
const VALID_MS = 24 * 60 * 60 * 1000;

/** A request whose cookie has become the credentials of its user, or none, and whose log-in can be signed. */
export function identified(request: Request, key: string, at: string, { users }: World): Request {
  const { cookie, resource } = request;
  const isLogin = resource?.cookiePath !== undefined;
  if (cookie === undefined && !isLogin) return request;
  const now = Date.parse(at);
  const user = cookie === undefined ? undefined : userIn(cookie, key, now);
  const isKnown = user !== undefined && users.has(user);
  return {
    ...request,
    ...(isKnown && { credentials: { kind: 'proved', user, scheme: 'cookie' } }),
    ...(isLogin && { resource: { ...resource, sign: (name: string) => signed(name, now + VALID_MS, key) } }),
  };
}

function signed(user: string, expiry: number, key: string): string {
  const content = `${Buffer.from(user).toString('base64url')}.${expiry}`;
  return `${content}.${signature(content, key)}`;
}

/** The user of a valid cookie. */
function userIn(cookie: string, key: string, now: number): string | undefined {
  const [user = '', expiry = '', shown = ''] = cookie.split('.');
  const right = signature(`${user}.${expiry}`, key);
  const isRight = shown.length === right.length && timingSafeEqual(Buffer.from(shown), Buffer.from(right));
  return isRight && now < Number(expiry) ? Buffer.from(user, 'base64url').toString() : undefined;
}

function signature(content: string, key: string): string {
  return createHmac('sha256', key).update(content).digest('base64url');
}
