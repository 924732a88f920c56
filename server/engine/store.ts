// The port of the stores: an append-only log of entries for each sandbox, and notes that are discarded with time. Stores do not know the content of
// bases, entries and notes.

/** The ends of a log. Equal heads mean an unchanged log. */
export interface Head {
  readonly version: number;
  /** Id of the last entry, or of the creation; never reused. */
  readonly id: string;
  /** Id of the log, 1 to 64 of a-z, 0-9 and hyphen: a log created again under the same name has another one. Unique across processes. */
  readonly log: string;
  /** The version of its base: earlier ones are unknown. */
  readonly from: number;
}

/** The known notes of a log: the run, and the number of the last one. */
export interface SeenNotes {
  readonly run: number;
  readonly last: number;
}

/** How much of a log is known. */
export interface Seen {
  readonly log: string;
  readonly version: number;
  /** The id of the entry of that version, as in heads. If the log has another or none there, nothing counts as known: a store can lose data. */
  readonly id: string;
  /** Default: notes are not requested. */
  readonly notes?: SeenNotes;
}

/** The notes of a log. They are numbered from 1 in each run, and the oldest are forgotten. */
export interface Notes<Note> {
  /** The version at which their run began: 0, or that of an append that began a new one. */
  readonly run: number;
  /** Number of the last one; 0: none. */
  readonly last: number;
  /** They are forgotten up to this number. */
  readonly forgotten: number;
  /** Number of those that were cleared on purpose. */
  readonly cleared: number;
  /** The kept notes after the known ones; empty if they were not requested. */
  readonly latest: readonly Note[];
}

/** The answer of a verb: synchronous if the store can, else a promise. */
export type OrLater<T> = T | Promise<T>;

/** The state at a version of a log, before the later entries. */
export interface BaseAt<Base> {
  readonly version: number;
  readonly value: Base;
}

/** The part of a log that is not known yet. */
export interface Tail<Base, Entry, Note> {
  readonly head: Head;
  /** Present if nothing of the log was known, or nothing as late as its beginning: the state at `head.from`, or an earlier one. */
  readonly base?: BaseAt<Base>;
  /** The entries after the known version; with a base, those after the base. */
  readonly entries: readonly Entry[];
  readonly notes: Notes<Note>;
  /** Idle time in milliseconds after which it expires; absent: never. */
  readonly ttl?: number;
}

/** One atomic append: one version for each entry. */
export interface Batch<Entry, Note> {
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
  /** Forgets all notes and begins a new run at the version of this entry (its index in the batch); the notes of the batch belong to the new run. */
  readonly newRunAt?: number;
  /** Earlier notes that are no longer needed. */
  readonly forget?: Forget;
}

/** Notes of one run to forget: up to one number because there are too many, then up to another on purpose. */
export interface Forget {
  readonly run: number;
  readonly upTo: number;
  readonly cleared?: number;
}

/** The new head, with run and number of the last note; or the unknown part of the log, because another process was faster. */
export type Appended<Base, Entry, Note> =
  | { readonly head: Head; readonly run: number; readonly lastNote: number }
  | { readonly behind: Tail<Base, Entry, Note> }
  | 'gone';

/** A store of sandboxes. Every verb except `watch` fails with a `StoreError`. */
export interface Store<Base, Entry, Note> {
  /** For `/_fake/health`; without credentials. */
  readonly name: string;
  /** Whether other processes use the same logs. Then the store expires idle logs itself. */
  readonly isShared: boolean;
  /** Whether `append` and `compact` are synchronous. Then a log has one writer. */
  readonly isImmediate: boolean;
  /** Why it is unavailable at present; `undefined`: it is available. */
  readonly trouble: string | undefined;
  /** Resolves when it is available. */
  ready(): Promise<void>;
  /** Milliseconds since 1970 by the clock that all users of the store share. */
  now(): number;
  /** Creates a log; `undefined` if the name is in use. `ttl` as in `isTtl`. Default: it never expires. */
  create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined>;
  /** Appends if the log still has this `head`; otherwise `seen` says which notes are known. Appended data is durable when this resolves. */
  append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen?: SeenNotes,
  ): OrLater<Appended<Base, Entry, Note>>;
  /** The unknown part of a log, or all of it; `undefined` if it does not exist. Counts as use, unless `isOnlyLook`. */
  since(sandbox: string, seen?: Seen, isOnlyLook?: boolean): Promise<Tail<Base, Entry, Note> | undefined>;
  /**
   * Makes a log begin at a later version with the state `base`, if it still has this `head`; returns the new head. Earlier data may be kept for a
   * while.
   */
  compact(sandbox: string, head: Head, version: number, base: Base): OrLater<Head | 'behind' | 'gone'>;
  /** Whether there was such a log. */
  drop(sandbox: string): Promise<boolean>;
  /** The names of all logs. */
  list(): Promise<readonly string[]>;
  /**
   * Calls `listener` after each creation, append and drop of a log, even if it does not exist now; returns a function that stops it. It may be called
   * once too often.
   */
  watch(sandbox: string, listener: () => void): () => void;
  /** Releases its resources. */
  close(): Promise<void>;
}

/**
 * Why a store failed. `away`: unreachable or timed out. `full`: the Redis has no space for changes. `disk`: the disk of this server has no space. `busy`: lost too
 * many races. `format`: written by another version of this program. `lost`: data is missing or damaged. `refused`: its configuration forbids it.
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

/** Whether a store accepts this time to live, in milliseconds. */
export function isTtl(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_TTL_S * 1000;
}

/** Throws if a store does not accept a time to live. */
export function requireTtl(ttl: number | undefined): void {
  if (ttl !== undefined && !isTtl(ttl))
    throw new StoreError(
      'refused',
      `a ttl takes whole milliseconds from 1 to ${LONGEST_TTL_S * 1000}, and it is ${ttl}`,
    );
}

/** Converts seconds to a time to live in milliseconds, at least 1. */
export function ttlOf(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

/** Stores a large text under a name made of its hash: 1 to 80 of a-z, 0-9 and hyphen. */
export type PutPart = (name: string, text: string) => void;

/** Returns the text of a stored part. */
export type PartText = (name: string) => string;

/** The encoding of stored data: one line of text each, and large texts as parts that are stored once. */
export interface Format<Base, Entry, Note> {
  /** Version of the format. Programs leave data of a later version alone. */
  readonly version: number;
  /** The oldest version that can be read. */
  readonly oldest: number;
  writeBase(base: Base): WrittenBase;
  /** `part` returns the text of a part; it rejects with a `StoreError` if there is none. */
  readBase(text: string, part: (name: string) => Promise<string>): OrLater<Base>;
  writeEntry(entry: Entry, put: PutPart): string;
  readEntry(text: string, part: PartText): Entry;
  writeNote(note: Note, put: PutPart): string;
  readNote(text: string, part: PartText): Note;
}

/** An encoded base, and the large parts it refers to, which many bases share: named by a hash, 1 to 80 of a-z, 0-9 and hyphen. */
export interface WrittenBase {
  readonly text: string;
  readonly parts: ReadonlyMap<string, () => string>;
}
