// The port behind which sandboxes are kept: an append-only log for each, and six verbs. Knows nothing of what is in an entry or in a base.

/** Where a log ends. Compare both: a sandbox made again under the same name counts from zero once more. */
export interface Head {
  readonly version: number;
  /** The id of the last entry, or of the creation; never given twice. */
  readonly id: string;
  /** Which log it is the end of, as 1 to 64 of a-z, 0-9 and hyphen: one that is made again under the same name is another. No other process gives the same. */
  readonly log: string;
}

/** The end of a log. */
export interface Tail<Base, Entry> {
  /** The state from which the log can still be told: that at version `from`. */
  readonly base: Base;
  readonly from: number;
  /** What came after the version asked for, or after `from` where that is later. */
  readonly entries: readonly Entry[];
  readonly head: Head;
}

export type Appended = { readonly head: Head } | 'conflict' | 'gone';

/** What is kept of a sandbox, apart from everything that one process remembers of it for speed. */
export interface Store<Base, Entry> {
  /** For `/_fake/health`. */
  readonly name: string;
  /** A new log; `undefined` where there is one of that name. */
  create(sandbox: string, base: Base): Promise<Head | undefined>;
  /** Adds an entry if the log still ends at `after`. */
  append(sandbox: string, after: Head, entry: Entry): Promise<Appended>;
  /** What came after a version; `undefined` where there is no such log. */
  since(sandbox: string, version: number): Promise<Tail<Base, Entry> | undefined>;
  /** Forgets the entries up to a version, whose state is `base`. */
  compact(sandbox: string, version: number, base: Base): Promise<void>;
  /** Whether there was such a log. */
  drop(sandbox: string): Promise<boolean>;
  /** Calls `listener` after each creation, append and drop, whether or not there is such a log now; returns what ends that. */
  watch(sandbox: string, listener: () => void): () => void;
}
