// The proxy that HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY name.
import { isIP } from 'node:net';
import { parsedUrl } from './parsed-url.js';

const LOOPBACK = /^127\.[\d.]+$|(^|\.)localhost$|^\[::1\]$/;

/** The URL of the proxy for requests to a URL, as the variables give it. Loopback has none. */
export function proxyFor(target: URL): string | undefined {
  const variable = (name: string) => process.env[name] || process.env[name.toUpperCase()] || undefined;
  if (LOOPBACK.test(target.hostname) || isExcepted(target, variable('no_proxy') ?? '')) return undefined;
  const given = variable(`${target.protocol.slice(0, -1)}_proxy`) ?? variable('all_proxy');
  return given === undefined || given.includes('://') ? given : `http://${given}`;
}

/** Whether a value of NO_PROXY names a host or a domain above it, and no other port. */
export function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some(given => {
    const entry = given.toLowerCase().replace(/^\*?\./, '');
    const [name = '', onlyPort = ownPort] = isIP(entry) === 6 ? [`[${entry}]`] : entry.split(/:(?=\d+$)/);
    return name === '*' || (name !== '' && onlyPort === ownPort && `.${hostname}`.endsWith(`.${name}`));
  });
}

/** How errors call a proxy: by its URL without credentials. */
export function proxyName(url: string): string {
  return `the proxy ${url.replace(/^([^/]*\/\/)[^@]*@/, '$1').replace(/\/$/, '')}`;
}

/** Throws if a proxy does not speak HTTP. */
export function checkedProxy(url: string): string {
  if (/^https?:$/.test(parsedUrl(url)?.protocol ?? '')) return url;
  throw new Error('it is not supported: use an http(s) URL, or name the server in NO_PROXY');
}
