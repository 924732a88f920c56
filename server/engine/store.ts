// The port of the stores: an append-only log of records for each sandbox. Stores do not know the content of bases and records.

/** The ends of a log. Equal heads mean an unchanged log. */
export interface Head {
  /** Number of the last record, from 1; 0: none. */
  readonly last: number;
  /** Id of the append that wrote it, or of the creation; never reused. */
  readonly id: string;
  /** Id of the log, 1 to 64 of a-z, 0-9 and hyphen: a log created again under the same name has another one. Unique across processes. */
  readonly log: string;
  /** Records up to this one are forgotten. */
  readonly from: number;
  /** The base includes the records up to this one. */
  readonly base: number;
}

/** How much of a log is known. If its record `last` has another id or does not exist, nothing counts as known: a store can lose data. */
export type Seen = Pick<Head, 'log' | 'last' | 'id'>;

/** The part of a log that is not known yet. */
export interface Tail<Base, Entry> {
  readonly head: Head;
  /** The state at `head.base`. Present if nothing of the log was known, or nothing as late as its beginning. */
  readonly base?: Base;
  /** The records after the known one; with a base, all that are kept. */
  readonly records: readonly Entry[];
  /** Idle time in milliseconds after which it expires; absent: never. */
  readonly ttl?: number;
}

/** The new beginning of a log. */
export interface Cut<Base> {
  /** Records up to this one are forgotten. */
  readonly from: number;
  /** A new state that includes the records up to one. */
  readonly base?: { readonly at: number; readonly value: Base };
}

/** The new head; or the unknown part of the log, because another process was faster. */
export type Appended<Base, Entry> = { readonly head: Head } | { readonly behind: Tail<Base, Entry> } | 'gone';

/** A store of sandboxes. Every verb except `watch` fails with a `StoreError`. */
export interface Store<Base, Entry> {
  /** For `/_fake/health`; without credentials. */
  readonly name: string;
  /** Whether other processes use the same logs. Then the store expires idle logs itself. */
  readonly isShared: boolean;
  /** Why it is unavailable at present; `undefined`: it is available. */
  readonly trouble: string | undefined;
  /** Resolves when it is available. */
  ready(): Promise<void>;
  /** Milliseconds since 1970 by the clock that all users of the store share. */
  now(): number;
  /** Creates a log; `undefined` if the name is in use. `ttl`: milliseconds without use, at least 1. Default: it never expires. */
  create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined>;
  /** Appends if the log still has this `head`. Appended data is durable when this resolves. */
  append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>>;
  /** The unknown part of a log, or all of it; `undefined` if it does not exist. Counts as use, unless `isOnlyLook`. */
  since(sandbox: string, seen?: Seen, isOnlyLook?: boolean): Promise<Tail<Base, Entry> | undefined>;
  /** Forgets records, and replaces the base if there is a new one, if the log still has this `head`; returns the new head. */
  compact(sandbox: string, head: Head, cut: Cut<Base>): Promise<Head | 'behind' | 'gone'>;
  /** Whether there was such a log. */
  drop(sandbox: string): Promise<boolean>;
  list(): Promise<readonly string[]>;
  /**
   * On a shared store, calls `listener` after each creation, append and drop of a log by any process, even if it does not exist now. It may be called once
   * too often. Returns a function that stops it.
   */
  watch(sandbox: string, listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Why a store failed. `away`: unreachable or timed out. `full`: the Redis has no space for changes. `disk`: the disk of this server has no space. `busy`: not connected
 * yet, or lost too many races. `format`: written by another version of this program. `lost`: data is missing or damaged. `refused`: its configuration forbids it.
 * `limit`: beyond the limits of this server.
 */
export type StoreFailure = 'away' | 'full' | 'disk' | 'busy' | 'format' | 'lost' | 'refused' | 'limit';

/** Nothing was done, except possibly with `away`: a store may go away after it has done its work. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  /** Compared by name: stores are loaded on demand, and some loaders, such as those of test runners, then load this module twice. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'StoreError';
  }

  constructor(
    readonly failure: StoreFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Whether there is no space for a change: 507, not 503. */
  get isNoRoom(): boolean {
    return this.failure === 'limit' || this.failure === 'disk' || this.failure === 'full';
  }

  /** Retry-After in seconds; `undefined` if time does not help. */
  get retryAfter(): number | undefined {
    const { failure } = this;
    return failure === 'away' || failure === 'full' || failure === 'disk' || failure === 'busy' ? 1 : undefined;
  }
}

/** The longest time to live: a hundred years, in seconds. */
export const LONGEST_TTL_S = 3_155_760_000;

/** Converts seconds to a time to live in milliseconds, at least 1. */
export function ttlOf(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

/** The encoding of stored data: one line of text for each base and record. */
export interface LogFormat<Base, Entry> {
  /** Version of the format. Data of any other version is left alone. */
  readonly version: number;
  writeBase(base: Base): WrittenBase;
  /** `part` returns the text of a part; it rejects with a `StoreError` if there is none. */
  readBase(text: string, part: (name: string) => Promise<string>): Promise<Base>;
  writeRecord(record: Entry): string;
  readRecord(text: string): Entry;
}

/** An encoded base. All bases of a log refer to the same part. */
export interface WrittenBase {
  readonly text: string;
  readonly part?: SharedPart | undefined;
}

/** A large text that many logs share, named by its hash: 1 to 80 of a-z, 0-9 and hyphen. */
export interface SharedPart {
  readonly name: string;
  text(): string;
}
