// One request as a value, as the engine sees it. Says nothing of how it came: HTTP, a scenario and a unit test make the same.
import type { AnyAddress } from '../../operations/address.js';
import type { AnyEndpoint } from '../../operations/bindings.js';
import type { HostRequest } from '../../operations/hosts/resource.js';
import { redactPair } from '../journal/secrets.js';
import { decodedInQuery } from './percent.js';

/** What a caller showed to prove who it is. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  /** The key of a session: its cookie is known to nobody else. One that is not known proves nothing, and nothing wrong either. */
  | { readonly kind: 'session'; readonly key: string }
  /** Who has been found out before, without what proved it: a request that is performed again. `isTokenOrCookie`: a token or a cookie proved it. */
  | { readonly kind: 'proved'; readonly user: string; readonly isTokenOrCookie?: boolean }
  /** Credentials that were wrong before, with the reason. */
  | { readonly kind: 'unproved'; readonly problem: string; readonly isTokenOrCookie?: boolean }
  /** An Authorization that cannot be read, with the reason. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/** What came as a body. `text` is what was sent, for the journal. */
export type Body =
  | { readonly kind: 'absent' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown; readonly text: string }
  | { readonly kind: 'not-json'; readonly text: string; readonly problem: string }
  | { readonly kind: 'not-utf8' }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'encoding'; readonly problem: string }
  | { readonly kind: 'cut-short'; readonly problem: string };

/** The query, in the order sent. `undecodable` is the first pair whose percent-encoding is no text, as it may be shown. */
export interface Query {
  readonly pairs: ReadonlyArray<readonly [name: string, value: string]>;
  readonly undecodable?: string;
}

export interface Request {
  /** The `X-Request-Id` that it brought. */
  readonly id?: string | undefined;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** Absent: the path is no address of this API. */
  readonly address?: AnyAddress | undefined;
  /** Absent: there is nothing at that address. */
  readonly endpoint?: AnyEndpoint | undefined;
  /** The path parameters, decoded; absent where the path does not decode. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query: Query;
  readonly credentials: Credentials;
  readonly contentType: string;
  readonly body: Body;
  /** Readings for this request alone, as written: `gap=value, gap=value`. */
  readonly readings?: string | undefined;
  /** Of a request to a resource of a host. */
  readonly host?: HostRequest | undefined;
}

export const noQuery: Query = Object.freeze({ pairs: [] });

/** Parses what stands behind the question mark. `+` is a blank. */
export function parseQuery(text: string): Query {
  if (text === '') return noQuery;
  const pairs: Array<readonly [string, string]> = [];
  let undecodable: string | undefined;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodedInQuery(at === -1 ? pair : pair.slice(0, at));
    const value = decodedInQuery(at === -1 ? '' : pair.slice(at + 1));
    if (name === undefined || value === undefined) undecodable ??= redactPair(pair);
    else pairs.push([name, value]);
  }
  return { pairs, ...(undecodable !== undefined && { undecodable }) };
}
