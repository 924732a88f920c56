// A log as the lines of a file that holds all of it, and a batch as the lines that are added. Knows nothing of files.
import type { Batch, Forget, Format, Head } from '../../engine/store.js';
import { FILE_VERSION, type Line, type Opening, writeLine, writeOpening } from './lines.js';
import { forgetting, type Log, type NoteCounts } from './log.js';
import type { Seals } from './seals.js';
import { type Amount, NONE, type Waste } from './waste.js';

/** Entries or notes in one line at most. */
const MOST_IN_LINE = 256;
/** Characters after which a line is long enough: all of a log in one text would be longer than a text can be. */
const LONG_LINE = 2 ** 20;

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

/** All of it; `waste` is told what is in it, and `seals` begins anew. `format`: the version of the texts. */
export function* linesOfLog(
  { base, head, entries, notes, ttl }: TextLog,
  { sandbox, created }: Birth,
  format: number,
  waste: Waste,
  seals: Seals,
): Generator<Buffer, void> {
  const { log, id, from } = head;
  const opening: Opening = { file: FILE_VERSION, format, log, sandbox, created, from };
  yield seals.seal(writeOpening(ttl === undefined ? opening : { ...opening, ttl }));
  const { run, last, cleared, kept } = notes;
  const before = { run, last: last - kept.length, cleared };
  yield seals.seal(writeLine({ kind: 'base', version: from, id, notes: before, ...base }));
  let at = from;
  for (const texts of linefuls(entries)) {
    const line = seals.seal(writeLine({ kind: 'append', at, id, entries: texts }));
    waste.added({ count: texts.length, bytes: line.length }, NONE);
    at += texts.length;
    yield line;
  }
  for (const texts of linefuls(kept)) {
    const line = seals.seal(writeLine({ kind: 'append', at, notes: texts }));
    waste.added(NONE, { count: texts.length, bytes: line.length });
    yield line;
  }
}

/** As many as go into one line, again and again. */
function* linefuls(texts: readonly string[]): Generator<readonly string[], void> {
  for (let from = 0, to = 0; from < texts.length; from = to) {
    let length = 0;
    for (to = from; to < texts.length && to - from < MOST_IN_LINE && length < LONG_LINE; to += 1)
      length += texts[to]?.length ?? 0;
    yield texts.slice(from, to);
  }
}

/** What a batch adds to a file: the bytes, and how many of them are what. */
export interface Addition {
  readonly bytes: Buffer;
  readonly entries: Amount;
  readonly notes: Amount;
  /** Bytes of the lines that say what is forgotten. */
  readonly forgetting: number;
}

/** The lines for a batch that is appended to a log of this end, with `id` for its entries; no bytes where it changes nothing. */
export function linesOfBatch<Base, Entry, Note>(
  batch: Batch<Entry, Note>,
  { head, notes: counts }: { readonly head: Head; readonly notes: NoteCounts },
  id: string,
  format: Format<Base, Entry, Note>,
  seals: Seals,
): Addition {
  const forgotten = forgetLines(counts, batch.forget).map(line => seals.seal(writeLine(line)));
  const forgetting = forgotten.reduce((sum, { length }) => sum + length, 0);
  const notes = batch.notes.map(note => format.writeNote(note));
  const count = batch.entries.length;
  if (count + notes.length === 0) return { bytes: Buffer.concat(forgotten), entries: NONE, notes: NONE, forgetting };
  const line = seals.seal(
    writeLine({
      kind: 'append',
      at: head.version,
      ...(count > 0 && { id, entries: batch.entries.map(entry => format.writeEntry(entry)) }),
      ...(notes.length > 0 && { notes }),
      ...(batch.newRunAt !== undefined && { newRunAt: batch.newRunAt }),
    }),
  );
  const ofNotes = count === 0 ? line.length : notes.reduce((sum, text) => sum + text.length, 0);
  return {
    bytes: forgotten.length === 0 ? line : Buffer.concat([...forgotten, line]),
    entries: { count, bytes: line.length - ofNotes },
    notes: { count: notes.length, bytes: ofNotes },
    forgetting,
  };
}

function forgetLines(counts: NoteCounts, forget: Forget | undefined): readonly Line[] {
  if (forget === undefined) return [];
  const { run, upTo, cleared = 0 } = forget;
  const tooMany = forgetting(counts, { run, upTo });
  const all = forgetting(counts, forget);
  const line = (last: number, isCleared: boolean): Line => ({
    kind: 'forget',
    run,
    upTo: Math.min(last, counts.last),
    isCleared,
  });
  return [
    ...(tooMany.forgotten > counts.forgotten ? [line(upTo, false)] : []),
    ...(all.forgotten > tooMany.forgotten ? [line(cleared, true)] : []),
  ];
}
