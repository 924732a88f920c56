// The port behind which sandboxes are kept: for each an append-only log of entries, and beside it notes that come and go. Knows nothing of what is in a
// base, an entry or a note.

/** Where a log ends, and where it begins. A log is as somebody saw it as long as all of this is the same. */
export interface Head {
  readonly version: number;
  /** The id of the last entry, or of the creation; never given twice. */
  readonly id: string;
  /** Which log it is the end of, as 1 to 64 of a-z, 0-9 and hyphen: one that is made again under the same name is another. No other process gives the same. */
  readonly log: string;
  /** The version of its base: nothing before it can be told. */
  readonly from: number;
}

/** How far somebody has seen the notes of a log: the run, and the number of the last one. */
export interface SeenNotes {
  readonly run: number;
  readonly last: number;
}

/** How much of a log somebody has seen. */
export interface Seen {
  readonly log: string;
  readonly version: number;
  /** The id of the entry of that version, as heads tell it. Where the log has another there, or none, nothing of it counts as seen: an engine can lose what it had. */
  readonly id: string;
  /** Left out: notes are not asked for. */
  readonly notes?: SeenNotes;
}

/** The notes of a log. They count from 1 in each run, and the oldest are forgotten. */
export interface Notes<Note> {
  /** The version at which their count began: 0, or that of an append that began a new one. */
  readonly run: number;
  /** The number of the last one; 0: there was none. */
  readonly last: number;
  /** Up to this number they are forgotten. */
  readonly forgotten: number;
  /** How many of these were cleared away on purpose. */
  readonly cleared: number;
  /** Those after what was seen, as far as they are kept, up to the last one; none where they were not asked for. */
  readonly latest: readonly Note[];
}

/** What a verb answers: at once where the store can, else later. */
export type OrLater<T> = T | Promise<T>;

/** The state at a version of a log, which entries lead on from. */
export interface BaseAt<Base> {
  readonly version: number;
  readonly value: Base;
}

/** What there is of a log beyond what somebody has seen. */
export interface Tail<Base, Entry, Note> {
  readonly head: Head;
  /** Where nothing was seen of this log, or nothing as late as it begins: the state at `head.from`, or an earlier one. */
  readonly base?: BaseAt<Base>;
  /** What came after the version seen; with a base, what came after it. */
  readonly entries: readonly Entry[];
  readonly notes: Notes<Note>;
  /** Milliseconds for which it may be idle; absent: for ever. */
  readonly ttl?: number;
}

/** What is appended in one step: one version for each entry. */
export interface Batch<Entry, Note> {
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
  /** Forgets the notes so far, and begins to count anew at the version of this entry, by its place in the batch; the notes of the batch come after it. */
  readonly newRunAt?: number;
  /** Earlier notes that are not needed any more. */
  readonly forget?: Forget;
}

/** Notes of one run that may go: those up to a number because there are too many, then those up to another on purpose. */
export interface Forget {
  readonly run: number;
  readonly upTo: number;
  readonly cleared?: number;
}

/** Where it was appended, with the run and the number of the last note; or what who appends has not seen, since another was faster. */
export type Appended<Base, Entry, Note> =
  | { readonly head: Head; readonly run: number; readonly lastNote: number }
  | { readonly behind: Tail<Base, Entry, Note> }
  | 'gone';

/** What is kept of a sandbox, apart from everything that one process remembers of it for speed. Every verb but `watch` fails with a `StoreError`. */
export interface Store<Base, Entry, Note> {
  /** For `/_fake/health`; without credentials. */
  readonly name: string;
  /** Whether other processes use the same logs at the same time. Then logs that are idle for too long go by themselves. */
  readonly isShared: boolean;
  /** Whether `append` and `compact` answer at once. Then a log has one writer, and nothing happens to it in between. */
  readonly isImmediate: boolean;
  /** Why it cannot be used at present, in words; `undefined`: it can. */
  readonly trouble: string | undefined;
  /** Resolves when it can be used. */
  ready(): Promise<void>;
  /** Milliseconds since 1970, by the clock that all who use it go by. */
  now(): number;
  /** A new log; `undefined` where there is one of that name. `ttl` as `isTtl` says; left out: it stays for ever. */
  create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined>;
  /** Adds to a log if it still is as `head` says; `seen` tells how much of its notes is known where it is not. What has been appended is kept before this resolves. */
  append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen?: SeenNotes,
  ): OrLater<Appended<Base, Entry, Note>>;
  /** What there is beyond what was seen, or all of it; `undefined` where there is no such log. Counts as use, unless it is only looked at. */
  since(sandbox: string, seen?: Seen, isOnlyLook?: boolean): Promise<Tail<Base, Entry, Note> | undefined>;
  /** Lets a log begin at a later version, whose state is `base`, if it still is as `head` says; and what it is afterwards. What was before may be kept longer. */
  compact(sandbox: string, head: Head, version: number, base: Base): OrLater<Head | 'behind' | 'gone'>;
  /** Whether there was such a log. */
  drop(sandbox: string): Promise<boolean>;
  /** The names of all logs. */
  list(): Promise<readonly string[]>;
  /** Calls `listener` after each creation, append and drop, whether or not there is such a log now; returns what ends that. It may be called once too often. */
  watch(sandbox: string, listener: () => void): () => void;
  /** Lets go of what it holds on to. */
  close(): Promise<void>;
}

/**
 * Why a store did not do what was asked. `away`: it cannot be reached, or did not answer in time. `full`: it has no room. `busy`: others were faster too often.
 * `format`: another version of this program wrote what is there. `lost`: a part of what it should have is not there. `refused`: it does not do what it
 * is asked as it is set up. `limit`: it would take more than this server allows.
 */
export type StoreFailure = 'away' | 'full' | 'busy' | 'format' | 'lost' | 'refused' | 'limit';

/** Nothing was done, unless it is `away`: what was asked of a store that goes away may have been done. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  /** By its name: a store is loaded when it is asked for, and there are loaders, of test runners above all, that load what it stands on a second time then. */
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

  /** Whether it would take more than this server allows. */
  get isOverLimit(): boolean {
    return this.failure === 'limit';
  }

  /** Seconds after which it may be worth while to ask again; `undefined` where time does not help. */
  get retryAfter(): number | undefined {
    return this.failure === 'away' || this.failure === 'full' || this.failure === 'busy' ? 1 : undefined;
  }
}

/** The longest time to live: a hundred years, in seconds. */
export const LONGEST_TTL_S = 3_155_760_000;

/** Whether a store takes this as the milliseconds for which a log may be idle. */
export function isTtl(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= LONGEST_TTL_S * 1000;
}

/** Throws where a store does not take a time to live. */
export function requireTtl(ttl: number | undefined): void {
  if (ttl !== undefined && !isTtl(ttl))
    throw new StoreError(
      'refused',
      `a ttl takes whole milliseconds from 1 to ${LONGEST_TTL_S * 1000}, and it is ${ttl}`,
    );
}

/** Seconds from above 0 to the longest as the milliseconds that stores take: rounded, but never to none. */
export function ttlOf(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

/** Keeps a large text beside what is written, under a name by its contents: 1 to 80 of a-z, 0-9 and hyphen. */
export type PutPart = (name: string, text: string) => void;

/** Gives the text of a part that was kept. */
export type PartText = (name: string) => string;

/** How what is kept crosses the edge of the process: as text, in one line each, and with large texts beside it that are kept once. */
export interface Format<Base, Entry, Note> {
  /** Of the format. Who finds a later one leaves what is there alone. */
  readonly version: number;
  /** The oldest version that is read. */
  readonly oldest: number;
  writeBase(base: Base): WrittenBase;
  /** `part`: gives the text of a part; rejects with a `StoreError` where there is none. */
  readBase(text: string, part: (name: string) => Promise<string>): OrLater<Base>;
  writeEntry(entry: Entry, put: PutPart): string;
  readEntry(text: string, part: PartText): Entry;
  writeNote(note: Note, put: PutPart): string;
  readNote(text: string, part: PartText): Note;
}

/** A base as text, and what it refers to: large parts that many bases share, named by their contents as 1 to 80 of a-z, 0-9 and hyphen. */
export interface WrittenBase {
  readonly text: string;
  readonly parts: ReadonlyMap<string, () => string>;
}
