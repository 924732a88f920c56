// What the value of a flag has to look like: each check tells what is wrong with a value, if anything. Knows no flag.
import { isIPv6 } from 'node:net';
import { isFolder } from '../scenario/load/folders.js';
import { checkRedisUrl } from '../store/redis/url.js';

export function wholeNumber(least: number, most: number): (value: string) => string | undefined {
  return value =>
    /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `it takes a whole number from ${least} to ${most}`;
}

export function oneOf(...allowed: readonly string[]): (value: string) => string | undefined {
  return value => (allowed.includes(value) ? undefined : `it takes ${allowed.join(' or ')}`);
}

export function token(value: string): string | undefined {
  return /^[\x21-\x7e]{1,200}$/.test(value) ? undefined : 'it takes 1 to 200 visible ASCII characters without blanks';
}

/** An empty one would have Node listen on every address there is. */
export function address(value: string): string | undefined {
  return /^[^\s/]+$/.test(value) ? undefined : 'it takes a host name or an IP address';
}

/** Ports are not compared, and a name with one would never be met. */
export function hostName(value: string): string | undefined {
  const name = value.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(name) || /^[^\s/:@?#[\]]+$/.test(value)
    ? undefined
    : 'it takes a host name or an IP address without a scheme and without a port, or any';
}

/** A browser sends it without a path, and without the port that goes with the scheme. */
export function origin(value: string): string | undefined {
  if (value === '*' || value === 'any')
    return 'it takes one origin, as http://localhost:3000: all would let every page in';
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s?#]+$/i.test(value) || !URL.canParse(value))
    return 'it takes an origin as a browser sends it, as http://localhost:3000';
  const sent = /^https?:/i.test(value)
    ? new URL(value).origin
    : value.toLowerCase().replace(/(?<=:\/\/[^/]+)\/.*$/, '');
  return sent === value ? undefined : `a browser sends it as ${sent}`;
}

/** `instead`: what to do with credentials, for the end of a sentence. */
export function baseUrl(value: string, instead = ''): string | undefined {
  if (!URL.canParse(value)) return 'it takes a URL such as http://127.0.0.1:8080';
  const { protocol, search, hash, username, password } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') return 'it takes a URL that begins with http:// or https://';
  if (username !== '' || password !== '') return `it takes a URL without credentials${instead}`;
  return search !== '' || hash !== '' ? 'it takes a URL without a query and without a fragment' : undefined;
}

/** Where sandboxes are kept. */
export function store(value: string): string | undefined {
  if (value === 'memory') return undefined;
  if (value.startsWith('file:')) return value === 'file:' ? 'it takes a folder, as in file:./sandboxes' : undefined;
  return value.includes('://')
    ? checkRedisUrl(value)
    : 'it takes memory, file:<dir>, or the URL of a Redis, redis://host:port';
}

export function folder(value: string): string | undefined {
  return isFolder(value) ? undefined : 'there is no such folder';
}
