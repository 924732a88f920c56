// A whole log as it is read, and what the verbs of a store do to it. Knows nothing of who asks, nor of what is in it.
import type { Batch, Forget, Head, Notes, Seen, SeenNotes, Tail } from '../../engine/store.js';

export interface Log<Base, Entry, Note> {
  base: Base;
  /** The id of the version of the base. */
  idAtBase: string;
  entries: Entry[];
  /** Of each entry, which it shares with those that came with it. */
  ids: string[];
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
  const notes = { run: 0, last: 0, cleared: 0, kept: [] };
  return { base, idAtBase: head.id, entries: [], ids: [], head, notes, ttl };
}

/** Whether a log of one head is as somebody saw it who knows the other. */
export function isSame(one: Head, other: Head): boolean {
  return (
    one === other ||
    (one.id === other.id && one.version === other.version && one.from === other.from && one.log === other.log)
  );
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
  for (const entry of entries) {
    log.entries.push(entry);
    log.ids.push(next.id);
  }
  for (const note of notes) log.notes.kept.push(note);
  log.notes.last += notes.length;
  log.head = next;
}

/** Whether entries up to a version can be forgotten. */
export function isCompactable({ from, version: last }: Head, version: number): boolean {
  return version > from && version <= last;
}

/** The same log without the entries up to a version, whose state is `base`. */
export function compacted<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  version: number,
  base: Base,
): Log<Base, Entry, Note> {
  const count = version - log.head.from;
  const head = { ...log.head, from: version };
  const idAtBase = idAt(log, version) ?? head.id; // there always is one, since the version can be forgotten
  return { ...log, base, idAtBase, entries: log.entries.slice(count), ids: log.ids.slice(count), head };
}

function idAt<Base, Entry, Note>({ head, idAtBase, ids }: Log<Base, Entry, Note>, version: number): string | undefined {
  return version === head.from ? idAtBase : ids[version - head.from - 1];
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

/** What there is of a log beyond what somebody has seen, who need not have seen anything. */
export function tailOf<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  seen: Seen | undefined,
): Tail<Base, Entry, Note> {
  const { head, base, entries, notes, ttl } = log;
  const known = seen?.log === head.log && seen.id === idAt(log, seen.version) ? seen : undefined;
  return {
    head,
    ...(known === undefined && { base: { version: head.from, value: base } }),
    entries: entries.slice((known?.version ?? head.from) - head.from),
    notes: notesOf(notes, seen === undefined || (seen.notes && seen.log !== head.log) ? NOTHING : seen.notes),
    ...(ttl !== undefined && { ttl }),
  };
}

/** What somebody has not seen who knows of a log's end, and of its notes what `seen` says. */
export function behind<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  { log: name, version, id }: Head,
  seen: SeenNotes | undefined,
): { readonly behind: Tail<Base, Entry, Note> } {
  return { behind: tailOf(log, { log: name, version, id, ...(seen && { notes: seen }) }) };
}

const NOTHING: SeenNotes = { run: -1, last: 0 };

/** `seen` undefined: they are not asked for. */
function notesOf<Note>({ run, last, cleared, kept }: KeptNotes<Note>, seen: SeenNotes | undefined): Notes<Note> {
  const forgotten = last - kept.length;
  if (seen === undefined) return { run, last, forgotten, cleared, latest: [] };
  const isKnown = seen.run === run && seen.last <= last;
  return { run, last, forgotten, cleared, latest: kept.slice(isKnown ? Math.max(0, seen.last - forgotten) : 0) };
}
