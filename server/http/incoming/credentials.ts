// Parses the credentials of an Authorization header; does not check them.
import { isUtf8 } from 'node:buffer';
import type { Credentials } from '../../engine/request/request.js';

const none: Credentials = Object.freeze({ kind: 'none' });

/** The last result, by header: clients repeat it with every request. */
const known = new Map<string, Credentials>();
const MAX_KNOWN = 1000;

/** Parses Basic (RFC 7617, UTF-8; the password may contain colons) and Bearer (RFC 6750). */
export function credentialsIn(header: string | undefined): Credentials {
  if (header === undefined) return none;
  const before = known.get(header);
  if (before !== undefined) return before;
  const credentials = read(header);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(header, credentials);
  return credentials;
}

function read(header: string): Credentials {
  if (header === '') return unreadable('The Authorization header is empty.', '');
  const blank = header.indexOf(' ');
  const scheme = (blank === -1 ? header : header.slice(0, blank)).toLowerCase();
  const rest = blank === -1 ? '' : header.slice(blank + 1).trim();
  if (scheme === 'basic') return basic(rest);
  if (scheme === 'bearer')
    return rest === ''
      ? unreadable('The Authorization header has the scheme Bearer but no token.', 'Bearer')
      : { kind: 'bearer', token: rest };
  return unreadable('The Authorization header has a scheme that is neither Basic nor Bearer.', 'Digest none');
}

function basic(encoded: string): Credentials {
  if (encoded === '')
    return unreadable('The Authorization header has the scheme Basic but no user and password.', 'Basic');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return unreadable('The Basic credentials are not base64.', 'Basic *');
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return unreadable('The Basic credentials are not UTF-8.', 'Basic /zo=');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return unreadable('The Basic credentials have no colon between user and password.', 'Basic YQ==');
  return { kind: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) };
}

function unreadable(problem: string, like: string): Credentials {
  return { kind: 'unreadable', problem, like };
}
