// Checks of flag values: each returns the error, if any.
import { accessSync, constants, existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { quotedIfDue } from '../derive/sending/curl.js';
import { parsedUrl } from '../outgoing/parsed-url.js';
import { isFolder } from '../scenario/files/folders.js';
import { checkRedisUrl } from '../store/redis/url.js';

/** A value that a parser cannot read. */
export interface Wrong {
  readonly problem: string;
}

/** A check by the parser of the value. */
export function checkedBy(parse: (value: string) => object): (value: string) => string | undefined {
  return value => {
    const parsed = parse(value);
    return 'problem' in parsed ? String(parsed.problem) : undefined;
  };
}

export function checkWholeNumber(least: number, most: number): (value: string) => string | undefined {
  return value =>
    /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `it must be a whole number from ${least} to ${most}`;
}

/** A flag with a whole number. */
export function wholeNumber(least: number, most: number) {
  return { isNumber: true, check: checkWholeNumber(least, most) } as const;
}

/** A flag with one of these values, each with its setting. */
export function choice<const Choices extends Readonly<Record<string, string | boolean>>>(choices: Choices) {
  const names = Object.keys(choices);
  return { value: names.join('|'), choices, check: checkOneOf(...names) };
}

export function checkOneOf(...allowed: readonly string[]): (value: string) => string | undefined {
  return value =>
    allowed.includes(value) ? undefined : `it must be ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`;
}

export function checkToken(value: string): string | undefined {
  return /^[\x21-\x7e]{1,200}$/.test(value) ? undefined : 'it must be 1 to 200 visible ASCII characters without spaces';
}

/** With an empty one, Node would listen on every address. */
export function checkListenAddress(value: string): string | undefined {
  const isFine = isIPv6(value) || /^[^\s/:[\]]+$/.test(value);
  return isFine ? undefined : 'it must be a host name or an IP address, without scheme, brackets and port';
}

/** Ports are not compared, so a name with a port would never match. */
export function checkHostName(value: string): string | undefined {
  const name = value.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(name) || /^[^\s/:@?#[\]]+$/.test(value)
    ? undefined
    : 'it must be any, or a host name or IP address without scheme and port';
}

/** Browsers send it without a path and without a default port. */
export function checkOrigin(value: string): string | undefined {
  if (value === '*' || value === 'any')
    return 'it must be one origin, such as http://localhost:3000; * would let the pages of any website read responses';
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s?#]+$/i.test(value) || !parsedUrl(value))
    return 'it must be an origin in the form that browsers send, such as http://localhost:3000';
  const sent = /^https?:/i.test(value) ? new URL(value).origin : /^[^/]*\/\/[^/]*/.exec(value.toLowerCase())?.[0];
  return sent === value ? undefined : `browsers send this origin as ${sent}`;
}

export function checkHttpUrl(value: string): string | undefined {
  return /^https?:$/.test(parsedUrl(value)?.protocol ?? '')
    ? undefined
    : 'it must be a URL that begins with http:// or https://';
}

/** `instead`: what to do with credentials, as the end of a sentence. */
export function checkBaseUrl(value: string, instead = ''): string | undefined {
  if (!parsedUrl(value)) return 'it must be a URL such as http://127.0.0.1:8080';
  const wrong = checkHttpUrl(value);
  if (wrong !== undefined) return wrong;
  const { search, hash, username, password } = new URL(value);
  if (username !== '' || password !== '') return `it must be a URL without credentials${instead}`;
  return search !== '' || hash !== '' ? 'it must be a URL without query or fragment' : undefined;
}

/** With a fraction, up to an hour. */
export function checkSeconds(least: number): (value: string) => string | undefined {
  return value =>
    /^\d+(\.\d+)?$/.test(value) && Number(value) >= least && Number(value) <= 3600
      ? undefined
      : `it must be a number of seconds from ${least} to 3600, such as 1.5`;
}

/** A user with a password. */
export interface Account {
  readonly user: string;
  readonly password: string;
}

/** Parses `user:password`. */
export function accountIn(text: string): Account | Wrong {
  const at = text.indexOf(':');
  return at <= 0 ? { problem: 'it must be user:password' } : { user: text.slice(0, at), password: text.slice(at + 1) };
}

/** A store of sandboxes. */
export function checkStore(value: string): string | undefined {
  if (value === 'memory') return undefined;
  if (value.startsWith('file:'))
    return /^file:(?:$|\/\/[^/])/.test(value)
      ? 'it must name a folder, as in file:./sandboxes or file:~/sandboxes'
      : undefined;
  const [scheme = ''] = /^[\w+]*(?=:\/\/)/.exec(value) ?? [];
  return /redis/i.test(scheme)
    ? checkRedisUrl(value)
    : 'it must be memory, file:<dir>, or a Redis URL such as redis://127.0.0.1:6379';
}

/** A store with the home folder in place of `~`, which shells leave after `file:`. */
export function withHome(store: string): string {
  return store.replace(/^file:~(?=[/\\])/, () => `file:${homedir()}`);
}

export function checkFolder(value: string): string | undefined {
  return isFolder(value) ? undefined : 'the folder does not exist';
}

/** A folder for files of the fake, which never creates it: a misspelled one would go unnoticed. */
export function checkOutputFolder(value: string): string | undefined {
  if (!existsSync(value))
    return `there is no folder ${JSON.stringify(value)}: create it with mkdir -p ${quotedIfDue(value)}`;
  if (!isFolder(value)) return `${JSON.stringify(value)} is not a folder`;
  try {
    accessSync(value, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `this user may not write into the folder ${JSON.stringify(value)}`;
  }
}
