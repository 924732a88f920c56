// Checks the Host header, so that no web page can reach this server by DNS rebinding.
import { isIPv4, isIPv6 } from 'node:net';
import type { Middleware } from './incoming/context.js';
import { badRequest, RefusedRequest } from './incoming/problem-details.js';

/** Allows every host. */
export const ANY_HOST = 'any';

/** The name under which a container reaches its machine. */
const MACHINE_OF_CONTAINERS = 'host.docker.internal';
/**
 * A name without a dot, such as a service in compose or in a namespace. A page can rebind only its own public name, which has a dot; names begin with
 * a letter, because browsers take `2130706433` for an address.
 */
const WITHOUT_DOT = /^[a-z][a-z0-9_-]{0,62}$/;
/** Number of cached Host headers: a name may come with any port. */
const MAX_HOSTS = 1000;

/**
 * Refuses a host with 421 unless it is an IP address, which no DNS can rebind, a loopback name, a name without a dot, or in `allowed`. Ports are not
 * compared, because of port forwarding. An ambiguous host gets 400.
 */
export function host(allowed: readonly string[]): Middleware {
  const known = new Set(['localhost', MACHINE_OF_CONTAINERS, ...allowed.map(name => absolute(name.toLowerCase()))]);
  const isKnown = (name: string) => known.has(absolute(name)) || WITHOUT_DOT.test(name) || isAddress(name);
  const isOpen = allowed.includes(ANY_HOST);
  const accepted = new Set<string>();
  return ({ req, originalUrl: url }, next) => {
    const { rawHeaders } = req;
    if (isDoubled(rawHeaders)) throw badRequest('The request has more than one Host header: send one.');
    const { host: sent = '' } = req.headers;
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      throw badRequest('The request has no Host header, which HTTP/1.1 requires: send one.');
    const isPath = url.startsWith('/') || url === '*';
    if (!isOpen && !(isPath && accepted.has(sent))) {
      const unknown = (isPath ? [sent] : [sent, new URL(url).host]).map(nameIn).find(name => !isKnown(name));
      if (unknown !== undefined) throw misdirected(unknown);
      if (accepted.size < MAX_HOSTS) accepted.add(sent);
    }
    return next();
  };
}

function misdirected(name: string): RefusedRequest {
  const shown = JSON.stringify(name.slice(0, 100));
  const detail =
    name === ''
      ? 'The request names no host: send the header Host, such as "Host: localhost".'
      : `Requests for the host ${shown} are not allowed. Use the server's IP address, or start it with --allow-host ${isName(name) ? absolute(name) : 'and a name'}.`;
  return new RefusedRequest({ status: 421, title: 'Misdirected Request', detail });
}

function nameIn(text: string): string {
  return text.replace(/:\d*$/, '').toLowerCase();
}

/** A name in full may end with a dot, as some clients in Kubernetes write it. */
function absolute(name: string): string {
  return name.replace(/\.$/, '');
}

function isName(text: string): boolean {
  return /^[a-z0-9._-]{1,253}$/.test(text);
}

/** Names and values alternate; Node shows only the first of two Host headers, and a proxy in front may have used the second. */
function isDoubled(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** IPv6 addresses stand in brackets, possibly with a zone. */
function isAddress(name: string): boolean {
  return isIPv4(name) || (name.startsWith('[') && name.endsWith(']') && isIPv6(name.slice(1, -1)));
}
