// A log as the lines of a file that holds all of it, and a batch as the lines that are added. Knows nothing of files.
import type { Batch, Forget, Format, Head } from '../../engine/store.js';
import { FILE_VERSION, type Opening, writeLine, writeOpening } from './lines.js';
import { forgetting, type Log, type NoteCounts } from './log.js';
import { type Amount, NONE, type Waste } from './waste.js';

/** What stands in one line at most. */
const MOST_IN_LINE = 256;

/** What is told of a log in its first line and stays as it is. */
export interface Birth {
  readonly sandbox: string;
  /** ISO 8601. */
  readonly created: string;
}

/** The base as text, with the digests of the parts that it refers to. */
export interface TextOfBase {
  readonly text: string;
  readonly parts: Readonly<Record<string, string>>;
}

/** A log of which everything is text. */
export type TextLog = Log<TextOfBase, string, string>;

/** All of it; `waste` is told what is in it. `format`: the version of the texts. */
export function* linesOfLog(
  { base, head, entries, notes, ttl }: TextLog,
  { sandbox, created }: Birth,
  format: number,
  waste: Waste,
): Generator<string, void> {
  const { log, id, from } = head;
  const opening: Opening = { file: FILE_VERSION, format, log, sandbox, created, from };
  yield writeOpening(ttl === undefined ? opening : { ...opening, ttl });
  const { run, last, cleared, kept } = notes;
  const before = { run, last: last - kept.length, cleared };
  yield writeLine({ kind: 'base', version: from, id, notes: before, ...base });
  for (let at = 0; at < entries.length; at += MOST_IN_LINE) {
    const texts = entries.slice(at, at + MOST_IN_LINE);
    const line = writeLine({ kind: 'append', at: from + at, id, entries: texts });
    waste.added({ count: texts.length, bytes: line.length }, NONE);
    yield line;
  }
  for (let at = 0; at < kept.length; at += MOST_IN_LINE) {
    const texts = kept.slice(at, at + MOST_IN_LINE);
    const line = writeLine({ kind: 'append', at: head.version, notes: texts });
    waste.added(NONE, { count: texts.length, bytes: line.length });
    yield line;
  }
}

/** What a batch adds to a file: the text, and how much of it is what. */
export interface Addition {
  readonly text: string;
  readonly entries: Amount;
  readonly notes: Amount;
  /** Bytes of the lines that say what is forgotten. */
  readonly forgetting: number;
}

/** The lines for a batch that is appended to a log of this end, with `id` for its entries; no text where it changes nothing. */
export function linesOfBatch<Base, Entry, Note>(
  batch: Batch<Entry, Note>,
  { head, notes: counts }: { readonly head: Head; readonly notes: NoteCounts },
  id: string,
  format: Format<Base, Entry, Note>,
): Addition {
  const forgotten = forgetLines(counts, batch.forget);
  const notes = batch.notes.map(note => format.writeNote(note));
  const count = batch.entries.length;
  if (count + notes.length === 0) return { text: forgotten, entries: NONE, notes: NONE, forgetting: forgotten.length };
  const line = writeLine({
    kind: 'append',
    at: head.version,
    ...(count > 0 && { id, entries: batch.entries.map(entry => format.writeEntry(entry)) }),
    ...(notes.length > 0 && { notes }),
    ...(batch.newRunAt !== undefined && { newRunAt: batch.newRunAt }),
  });
  const ofNotes = count === 0 ? line.length : notes.reduce((sum, text) => sum + text.length, 0);
  return {
    text: forgotten + line,
    entries: { count, bytes: line.length - ofNotes },
    notes: { count: notes.length, bytes: ofNotes },
    forgetting: forgotten.length,
  };
}

function forgetLines(counts: NoteCounts, forget: Forget | undefined): string {
  if (forget === undefined) return '';
  const { run, upTo, cleared = 0 } = forget;
  const tooMany = forgetting(counts, { run, upTo });
  const all = forgetting(counts, forget);
  const line = (last: number, isCleared: boolean) =>
    writeLine({ kind: 'forget', run, upTo: Math.min(last, counts.last), isCleared });
  return [
    tooMany.forgotten > counts.forgotten ? line(upTo, false) : '',
    all.forgotten > tooMany.forgotten ? line(cleared, true) : '',
  ].join('');
}
