// A log as the lines of a file that holds all of it. Knows nothing of files.
import type { Batch, Format } from '../../engine/store.js';
import type { Log } from '../log.js';
import { type AppendLine, FILE_VERSION, type Opening, writeLine, writeOpening } from './lines.js';
import type { Waste } from './waste.js';

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

/** All of it; `waste` is told of the notes. */
export function* linesOfLog<Base, Entry, Note>(
  { head, idAtBase, entries, ids, notes, ttl }: Log<Base, Entry, Note>,
  { sandbox, created }: Birth,
  { text, parts }: TextOfBase,
  format: Format<Base, Entry, Note>,
  waste: Waste,
): Generator<string, void> {
  const { log, from } = head;
  const opening: Opening = { file: FILE_VERSION, format: format.version, log, sandbox, created, from };
  yield writeOpening(ttl === undefined ? opening : { ...opening, ttl });
  const { run, last, cleared, kept } = notes;
  const before = { run, last: last - kept.length, cleared };
  yield writeLine({ kind: 'base', version: from, id: idAtBase, notes: before, text, parts });
  for (let at = 0; at < entries.length; ) {
    const id = ids[at] ?? head.id; // each entry has one
    let end = at + 1;
    while (end < entries.length && ids[end] === id && end - at < MOST_IN_LINE) end += 1;
    const texts = entries.slice(at, end).map(entry => format.writeEntry(entry));
    yield writeLine({ kind: 'append', at: from + at, id, entries: texts });
    at = end;
  }
  for (let at = 0; at < kept.length; at += MOST_IN_LINE) {
    const texts = kept.slice(at, at + MOST_IN_LINE).map(note => format.writeNote(note));
    const line = writeLine({ kind: 'append', at: head.version, notes: texts });
    waste.noted(texts.length, line.length);
    yield line;
  }
}

/** A batch after a version as one line; `id`: of its last entry. */
export function lineOfBatch<Base, Entry, Note>(
  { entries, notes, newRunAt }: Batch<Entry, Note>,
  at: number,
  id: string,
  format: Format<Base, Entry, Note>,
): AppendLine {
  return {
    kind: 'append',
    at,
    ...(entries.length > 0 && { id, entries: entries.map(entry => format.writeEntry(entry)) }),
    ...(notes.length > 0 && { notes: notes.map(note => format.writeNote(note)) }),
    ...(newRunAt !== undefined && { newRunAt }),
  };
}
