// The end of a log after a batch: its head, and the counts of its notes.
import type { Batch, Forget, Head } from '../../engine/store.js';

/** Counts of notes without the notes themselves, as in `Notes`. */
export interface NoteCounts {
  readonly run: number;
  readonly last: number;
  readonly forgotten: number;
  readonly cleared: number;
}

export const NO_NOTES: NoteCounts = { run: 0, last: 0, forgotten: 0, cleared: 0 };

/** The head after a batch; `id` is used only if there are entries. */
export function headAfter<Entry, Note>(head: Head, { entries }: Batch<Entry, Note>, id: () => string): Head {
  if (entries.length === 0) return head;
  return { version: head.version + entries.length, id: id(), log: head.log, from: head.from };
}

/** The counts after forgetting notes; nothing changes for another run or for forgotten notes. */
export function forgetting(counts: NoteCounts, { run, upTo, cleared = 0 }: Forget): NoteCounts {
  if (counts.run !== run) return counts;
  const tooMany = Math.max(counts.forgotten, Math.min(upTo, counts.last));
  const forgotten = Math.max(tooMany, Math.min(cleared, counts.last));
  return { ...counts, forgotten, cleared: counts.cleared + forgotten - tooMany };
}

/** The counts after a batch on a log with this head. */
export function countsAfter(
  counts: NoteCounts,
  head: Head,
  { notes, newRunAt, forget }: Batch<unknown, unknown>,
): NoteCounts {
  if (newRunAt !== undefined) return { run: head.version + newRunAt + 1, last: notes.length, forgotten: 0, cleared: 0 };
  const left = forget === undefined ? counts : forgetting(counts, forget);
  return notes.length === 0 ? left : { ...left, last: left.last + notes.length };
}
