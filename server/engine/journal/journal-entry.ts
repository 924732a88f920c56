// One entry of a journal: what was asked and answered, with what decided it. No secret ever enters it.
import type { Fact } from '../../domain/facts.js';
import type { RefusalCode } from '../../domain/refusals.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Body } from '../request/request.js';
import { weighFacts } from '../sandbox/weight.js';

/** A body of which there is no text, or whose text is no JSON: what it is instead. */
export type Unread =
  | Exclude<Body, { readonly kind: 'absent' | 'json' | 'not-json' }>
  | { readonly kind: 'not-json'; readonly problem: string };

/** A request that another server has answered. */
export interface Forwarded {
  /** The URL of that server. */
  readonly to: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Why that server gave no whole answer. */
  readonly problem?: string | undefined;
  /** In a proxy: where the request or the answer is not as the document has it, a sentence each. */
  readonly departs?: readonly string[] | undefined;
  /** In a proxy: the readings that the answer agrees with, for each gap that it tells something about. */
  readonly agrees?: Readonly<Partial<Record<GapId, readonly string[]>>> | undefined;
}

export interface JournalEntry {
  /** Counts from 1 in each sandbox and goes on over evictions. */
  readonly id: number;
  /** The sandbox's time. */
  readonly at: string;
  /** The `X-Request-Id` that the request brought. Where it brought none, its answer is named after the sandbox and the entry: `default.17`. */
  readonly requestId?: string | undefined;
  readonly method: string;
  /** Path and query as they were sent, but for values that may be secret: of `os_password=x` it has `os_password=hidden`. */
  readonly url: string;
  /** Absent where the request meant none. */
  readonly operation?: string | undefined;
  /** The path of the endpoint that it led to, below its prefix, and the parameters in it. Absent where there is nothing at the path. */
  readonly endpoint?: string | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Of a resource of a host: where the links of its answer begin. */
  readonly base?: string | undefined;
  /** A user name, or `anonymous`; absent where that was never asked. */
  readonly caller?: string | undefined;
  /** User whose credentials were sent and did not count: the operation requires none, or `auth-scheme=basic`. */
  readonly unasked?: string | undefined;
  /** Why credentials that were shown proved nothing. */
  readonly unproved?: string | undefined;
  /** The readings chosen for this request alone, as they were written. */
  readonly readings?: string | undefined;
  /** Query parameters that the operation does not have, and those that came more than once: of these the first counted. */
  readonly unknownQuery?: readonly string[] | undefined;
  readonly repeatedQuery?: readonly string[] | undefined;
  /** What `expand` asked for. */
  readonly expand?: readonly string[] | undefined;
  readonly request: {
    readonly contentType: string;
    readonly body?: string | undefined;
    readonly unread?: Unread | undefined;
  };
  /** Where a fault broke the connection: what would have been sent. */
  readonly answer: { readonly status: number; readonly body?: string | undefined };
  readonly refused?: RefusalCode | undefined;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly facts: readonly Fact[];
  /** The fault that was put in the place of the answer: its place among the armed ones, from 1, and what it does. */
  readonly fault?: string | undefined;
  /** The version of the sandbox on which the answer was decided. */
  readonly before: number;
  /** The version of the sandbox afterwards. */
  readonly version: number;
  /** It named no sandbox while another than `default` was in use. */
  readonly leaked?: true | undefined;
  /** The request was passed on, and the answer is that of another server: no evidence of anything. */
  readonly forwarded?: Forwarded | undefined;
}

/** An entry before it has its number: a note of the sandbox's log. */
export type NewJournalEntry = Omit<JournalEntry, 'id'>;

/** What an entry costs besides its texts and facts, roughly. */
const ENTRY_BYTES = 600;

/** Roughly the bytes that an entry keeps in memory. */
export function weighEntry(entry: NewJournalEntry): number {
  const texts = entry.url.length + (entry.request.body?.length ?? 0) + (entry.answer.body?.length ?? 0);
  const further = entry.forwarded === undefined ? 0 : JSON.stringify(entry.forwarded).length;
  return ENTRY_BYTES + texts + further + weighFacts(entry.facts);
}
