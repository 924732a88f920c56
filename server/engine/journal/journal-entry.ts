// One journal entry: a request and its answer, with what decided it. It never contains secrets.
import type { Fact } from '../../domain/facts.js';
import type { RefusalCode } from '../../domain/refusals.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Body } from '../request/request.js';

/** What a body is, if it has no text or is not JSON. */
export type Unread =
  | Exclude<Body, { readonly kind: 'absent' | 'json' | 'not-json' }>
  | { readonly kind: 'not-json'; readonly problem: string };

/** The answer of another server. */
export interface Forwarded {
  /** URL of that server. */
  readonly to: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Why its answer is incomplete. */
  readonly problem?: string | undefined;
  /** In a proxy: violations of the document in the request or answer, one sentence each. */
  readonly departs?: readonly string[] | undefined;
  /** In a proxy: the readings that the answer agrees with, for each gap that it says something about. */
  readonly agrees?: Readonly<Partial<Record<GapId, readonly string[]>>> | undefined;
}

export interface JournalEntry {
  /** From 1 in each sandbox; continues after evictions. */
  readonly id: number;
  /** The sandbox's time. */
  readonly at: string;
  /** The `X-Request-Id` of the request. Without one, the answer's id is made of the sandbox and the entry: `default.17`. */
  readonly requestId?: string | undefined;
  /** The `traceparent` header of the request (W3C Trace Context), if valid. */
  readonly traceparent?: string | undefined;
  readonly method: string;
  /** Path and query as sent, with possible secrets hidden: `os_password=x` becomes `os_password=hidden`. */
  readonly url: string;
  /** Absent if there is no such operation. */
  readonly operation?: string | undefined;
  /** The path of its endpoint, below the prefix, and its parameters. Absent if the path does not exist. */
  readonly endpoint?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** For a resource of a host: the base of the links in its answer. */
  readonly base?: string | undefined;
  /** A user name, or `anonymous`; absent if the caller was never needed. */
  readonly caller?: string | undefined;
  /** How the credentials were sent; absent: by Basic authentication, or not at all. */
  readonly scheme?: 'bearer' | 'cookie' | undefined;
  /** User whose credentials were sent and did not count: the operation requires none, or `auth-scheme=basic`. */
  readonly unasked?: string | undefined;
  /** Reason why the credentials were rejected. */
  readonly unproved?: string | undefined;
  /** The user of these rejected credentials; or an Authorization header without secrets that is rejected for the same reason. Neither: a token. */
  readonly claimed?: { readonly user: string } | { readonly header: string } | undefined;
  /** The readings that this request chose, as written. */
  readonly readings?: string | undefined;
  /** Query parameters that the operation does not have, and repeated ones, of which the first counts. */
  readonly unknownQuery?: readonly string[] | undefined;
  readonly repeatedQuery?: readonly string[] | undefined;
  /** The names in `expand`. */
  readonly expand?: readonly string[] | undefined;
  readonly request: {
    readonly contentType: string;
    readonly body?: string | undefined;
    readonly unread?: Unread | undefined;
  };
  /** If a fault broke the connection: the answer that would have been sent. */
  readonly answer: { readonly status: number; readonly body?: string | undefined };
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly facts: readonly Fact[];
  /** The fault that replaced the answer: its number among the armed ones, from 1, and its effect. */
  readonly fault?: string | undefined;
  /** The version before the request. */
  readonly before: number;
  /** The version after the request. */
  readonly version: number;
  /** It named no sandbox while others than `default` were in use. */
  readonly leaked?: true | undefined;
  /** Another server answered, so the entry is no evidence. */
  readonly forwarded?: Forwarded | undefined;
}

/** Approximate memory of an entry without its texts and facts, in bytes. */
const ENTRY_BYTES = 600;

/** Approximate memory of an entry in bytes. */
export function weighEntry(entry: JournalEntry): number {
  const texts = entry.url.length + (entry.request.body?.length ?? 0) + (entry.answer.body?.length ?? 0);
  const further = entry.forwarded === undefined ? 0 : JSON.stringify(entry.forwarded).length;
  return ENTRY_BYTES + texts + further + weighFacts(entry.facts);
}

/** Their texts, and a word for each list element. */
function weighFacts(facts: readonly object[]): number {
  let bytes = 0;
  for (const fact of facts) {
    for (const key in fact) {
      const value = fact[key as keyof typeof fact] as unknown;
      bytes += typeof value === 'string' ? value.length : Array.isArray(value) ? value.length * 24 : 8;
    }
  }
  return bytes;
}
