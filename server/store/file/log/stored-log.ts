// A whole log as it is read from a file, and what is appended to it. Knows nothing of files, nor of what is in it.
import type { Batch, Forget, Head, Tail } from '../../../engine/store.js';

export interface Log<Base, Entry, Note> {
  readonly base: Base;
  readonly entries: Entry[];
  head: Head;
  notes: KeptNotes<Note>;
  readonly ttl: number | undefined;
}

export interface KeptNotes<Note> {
  run: number;
  last: number;
  cleared: number;
  /** The latest ones. */
  kept: Note[];
}

export function newLog<Base, Entry, Note>(head: Head, base: Base, ttl: number | undefined): Log<Base, Entry, Note> {
  return { base, entries: [], head, notes: { run: 0, last: 0, cleared: 0, kept: [] }, ttl };
}

/** Where a log ends after a batch; `id` is only taken where there are entries. */
export function headAfter<Entry, Note>(head: Head, { entries }: Batch<Entry, Note>, id: () => string): Head {
  if (entries.length === 0) return head;
  return { version: head.version + entries.length, id: id(), log: head.log, from: head.from }; // a spread is felt here
}

/** Adds a batch after which the log ends at `next`. */
export function extend<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  { entries, notes, newRunAt, forget }: Batch<Entry, Note>,
  next: Head,
): void {
  if (forget !== undefined) forgetNotes(log.notes, forget);
  if (newRunAt !== undefined) log.notes = { run: log.head.version + newRunAt + 1, last: 0, cleared: 0, kept: [] };
  for (const entry of entries) log.entries.push(entry);
  for (const note of notes) log.notes.kept.push(note);
  log.notes.last += notes.length;
  log.head = next;
}

/** The same log from a version on, whose state is `base`. */
export function compacted<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  version: number,
  base: Base,
): Log<Base, Entry, Note> {
  const { head, entries } = log;
  return { ...log, base, entries: entries.slice(version - head.from), head: { ...head, from: version } };
}

/** What is known of notes without having them. */
export interface NoteCounts {
  readonly run: number;
  readonly last: number;
  readonly forgotten: number;
  readonly cleared: number;
}

export function countsOf({ run, last, cleared, kept }: KeptNotes<unknown>): NoteCounts {
  return { run, last, forgotten: last - kept.length, cleared };
}

/** The counts after notes have been forgotten: those of another run, or that are forgotten already, change nothing. */
export function forgetting(counts: NoteCounts, { run, upTo, cleared = 0 }: Forget): NoteCounts {
  if (counts.run !== run) return counts;
  const tooMany = Math.max(counts.forgotten, Math.min(upTo, counts.last));
  const forgotten = Math.max(tooMany, Math.min(cleared, counts.last));
  return { ...counts, forgotten, cleared: counts.cleared + forgotten - tooMany };
}

/** The counts after a batch that was appended to a log of this head. */
export function countsAfter(
  counts: NoteCounts,
  head: Head,
  { notes, newRunAt, forget }: Batch<unknown, unknown>,
): NoteCounts {
  const left = forget === undefined ? counts : forgetting(counts, forget);
  return newRunAt === undefined
    ? { ...left, last: left.last + notes.length }
    : { run: head.version + newRunAt + 1, last: notes.length, forgotten: 0, cleared: 0 };
}

export function forgetNotes(notes: KeptNotes<unknown>, forget: Forget): void {
  const before = countsOf(notes);
  const { forgotten, cleared } = forgetting(before, forget);
  notes.kept = notes.kept.slice(forgotten - before.forgotten);
  notes.cleared = cleared;
}

/** All that there is of a log, which now begins at `head.from`. */
export function tailOf<Base, Entry, Note>(
  { head: read, base, entries, notes, ttl }: Log<Base, Entry, Note>,
  head: Head,
): Tail<Base, Entry, Note> {
  return {
    head,
    base: { version: read.from, value: base },
    entries,
    notes: { ...countsOf(notes), latest: notes.kept },
    ...(ttl !== undefined && { ttl }),
  };
}
