// Which hosts are answered, so that no web page can bind a name of its own to this server (design 13). Knows no path and no caller.
import { isIPv6 } from 'node:net';
import type { Context } from '../context.js';
import { badRequest, type Problem } from './refuse.js';

/** In the place of a name: every host is answered. */
export const ANY_HOST = 'any';

/** Under which a container finds the machine that it runs on. */
const MACHINE_OF_CONTAINERS = 'host.docker.internal';
/**
 * A name without a dot, such as that of a service in compose or in a namespace. A page can rebind only a name at which it was loaded, and no public
 * name is without a dot; numbers begin with a digit, since browsers take `2130706433` for an address.
 */
const WITHOUT_DOT = /^[a-z][a-z0-9_-]{0,62}$/;
/** Host headers that are remembered as good: a known name may come with any port. */
const MOST_HOSTS = 1000;
/** More than any client or chain of proxies sends; of more than a thousand Node would drop some in silence, this guard's own among them. */
const MOST_HEADERS = 200;

/**
 * What is wrong with the host of a request: 421 where it is not the address served, a loopback name, a name without a dot or in `allowed`. Ports are not compared: a
 * forwarded one is as good. A request of which two readers could take two hosts gets 400.
 */
export function hostGuard(allowed: readonly string[]): (ctx: Context) => Problem | undefined {
  const known = new Set(['127.0.0.1', '[::1]', MACHINE_OF_CONTAINERS, ...allowed.map(asHost)]);
  const isKnown = (name: string) => known.has(name) || WITHOUT_DOT.test(name);
  const isOpen = allowed.includes(ANY_HOST);
  const accepted = new Set<string>();
  return ({ req }) => {
    const { rawHeaders, socket, url = '' } = req;
    if (rawHeaders.length > 2 * MOST_HEADERS)
      return {
        status: 431,
        title: 'Request Header Fields Too Large',
        detail: `A request has at most ${MOST_HEADERS} headers.`,
      };
    if (isDoubled(rawHeaders)) return badRequest('The request has more than one Host header: send one.');
    const { host = '' } = req.headers;
    if (req.headers.host === undefined && req.httpVersion === '1.1')
      return badRequest('The request has no Host header, which HTTP/1.1 asks for: send one.');
    const isPath = url.startsWith('/') || url === '*';
    if (isOpen || (isPath && accepted.has(host))) return undefined;
    const served = socket.localAddress;
    for (const named of isPath ? [host] : [host, new URL(url).host]) {
      const name = nameIn(named);
      if (!isKnown(name) && !isAddress(name, served)) return misdirected(name);
    }
    if (isKnown(nameIn(host)) && accepted.size < MOST_HOSTS) accepted.add(host);
    return undefined;
  };
}

function misdirected(name: string): Problem {
  const shown = JSON.stringify(name.slice(0, 100));
  const detail = `This server does not answer to the host ${shown}; start it with --allow-host to let it.`;
  return { status: 421, title: 'Misdirected Request', detail };
}

function nameIn(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/** As it stands in a Host header. */
function asHost(name: string): string {
  return isIPv6(name) ? `[${name.toLowerCase()}]` : name.toLowerCase();
}

/** Names and values in turn; of two Host headers Node shows the first, and a proxy in front may have gone by the second. */
function isDoubled(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

function isAddress(name: string, served: string | undefined): boolean {
  if (served === undefined) return false;
  const plain = served.replace(/^::ffff:/, '');
  return name === plain || name === `[${served}]` || (plain.startsWith('127.') && /^127\.\d+\.\d+\.\d+$/.test(name));
}
