// Encodes a whole log as lines, and a batch as additional lines.
import type { Batch, Forget, Format, Head } from '../../../engine/store.js';
import type { Digests, Parts } from '../part-files.js';
import { type AppendLine, FILE_VERSION, type Line, type Opening, writeLine, writeOpening } from './lines.js';
import type { Seals } from './seals.js';
import { forgetting, type Log, type NoteCounts } from './stored-log.js';
import { type Amount, type Amounts, NONE, type Waste } from './waste.js';

/** Maximum entries or notes in one line. */
const MAX_IN_LINE = 256;
/** Length in characters after which a new line begins: a whole log could exceed the maximum length of a string. */
const LONG_LINE = 2 ** 20;
const NOTHING: readonly never[] = [];

/** The immutable facts of a log in its first line. */
export interface Birth {
  readonly sandbox: string;
  /** ISO 8601. */
  readonly created: string;
}

/** The encoded base, with the digests of its parts. */
export interface TextOfBase {
  readonly text: string;
  readonly parts: Digests;
}

/** An encoded entry or note, with its digests; absent: no parts. */
export interface TextOfOne {
  readonly text: string;
  readonly parts?: Digests;
}

/** A log whose parts are all encoded. */
export type TextLog = Log<TextOfBase, TextOfOne, TextOfOne>;

/** The lines of a whole log. Records its amounts in `waste`, its parts in `held`, and starts `seals` again. `format`: the version of the texts. */
export function* linesOfLog(
  { base, head, entries, notes, ttl }: TextLog,
  { sandbox, created }: Birth,
  format: number,
  { waste, seals, held, parts }: Whole,
): Generator<Buffer, void> {
  const { log, id, from } = head;
  const opening: Opening = { file: FILE_VERSION, format, log, sandbox, created, from };
  yield seals.seal(writeOpening(ttl === undefined ? opening : { ...opening, ttl }));
  const { run, last, cleared, kept } = notes;
  const before = { run, last: last - kept.length, cleared };
  yield seals.seal(writeLine({ kind: 'base', version: from, id, notes: before, ...base }));
  let at = from;
  const lineOf = (
    lineful: readonly TextOfOne[],
    what: Partial<AppendLine>,
  ): [line: Buffer, amount: Amount, beside: number] => {
    const digests = lineful.some(one => one.parts) ? Object.assign({}, ...lineful.map(one => one.parts)) : undefined;
    const names = Object.keys(digests ?? {});
    held.push(...names);
    parts.hold(names);
    const line = seals.seal(writeLine({ kind: 'append', at, ...what, ...(digests && { parts: digests }) }));
    const beside = parts.bytesOf(names);
    return [line, { count: lineful.length, bytes: line.length + beside }, beside];
  };
  for (const lineful of linefuls(entries)) {
    const [line, entries, beside] = lineOf(lineful, { id, entries: lineful.map(({ text }) => text) });
    waste.added({ entries, notes: NONE, beside });
    at += lineful.length;
    yield line;
  }
  for (const lineful of linefuls(kept)) {
    const [line, notes, beside] = lineOf(lineful, { notes: lineful.map(({ text }) => text) });
    waste.added({ entries: NONE, notes, beside });
    yield line;
  }
}

/** Records what a whole log consists of. */
export interface Whole {
  readonly waste: Waste;
  readonly seals: Seals;
  readonly held: string[];
  readonly parts: Pick<Parts, 'bytesOf' | 'hold'>;
}

/** Repeatedly as many as fit in one line. */
function* linefuls(texts: readonly TextOfOne[]): Generator<readonly TextOfOne[], void> {
  for (let from = 0, to = 0; from < texts.length; from = to) {
    let length = 0;
    for (to = from; to < texts.length && to - from < MAX_IN_LINE && length < LONG_LINE; to += 1)
      length += texts[to]?.text.length ?? 0;
    yield texts.slice(from, to);
  }
}

/** The bytes that a batch adds to a file, with their amounts. */
interface Addition {
  readonly bytes: Buffer;
  readonly amounts: Amounts;
  /** The parts that they refer to. */
  readonly held: readonly string[];
  /** Bytes of lines about forgotten notes. */
  readonly forgetting: number;
}

/**
 * The lines of a batch for a log with this end, with `id` for its entries; no bytes if it changes nothing. Throws a `StoreError` if its parts cannot
 * be stored.
 */
export function linesOfBatch<Base, Entry, Note>(
  batch: Batch<Entry, Note>,
  { head, notes: counts }: { readonly head: Head; readonly notes: NoteCounts },
  id: string,
  format: Format<Base, Entry, Note>,
  seals: Seals,
  parts: Parts,
): Addition {
  let large: Map<string, string> | undefined;
  const put = (name: string, text: string) => {
    large ??= new Map();
    large.set(name, text);
  };
  const entries = batch.entries.map(entry => format.writeEntry(entry, put));
  const notes = batch.notes.map(note => format.writeNote(note, put));
  const forgotten =
    batch.forget === undefined ? [] : forgetLines(counts, batch.forget).map(line => seals.seal(writeLine(line)));
  const forgetting = forgotten.reduce((sum, { length }) => sum + length, 0);
  if (entries.length + notes.length === 0)
    return {
      bytes: Buffer.concat(forgotten),
      amounts: { entries: NONE, notes: NONE, beside: 0 },
      held: [],
      forgetting,
    };
  const digests = large && parts.keep(large);
  const held = digests === undefined ? NOTHING : Object.keys(digests);
  const line = seals.seal(
    writeLine({
      kind: 'append',
      at: head.version,
      id: entries.length > 0 ? id : undefined,
      entries: entries.length > 0 ? entries : undefined,
      notes: notes.length > 0 ? notes : undefined,
      newRunAt: batch.newRunAt,
      parts: digests,
    }),
  );
  return {
    bytes: forgotten.length === 0 ? line : Buffer.concat([...forgotten, line]),
    amounts: amountsOf(entries.length, notes, line.length, parts.bytesOf(held)),
    held,
    forgetting,
  };
}

/** Bytes of a line by entries and notes; its parts count for the entries, if there are any. */
export function amountsOf(entries: number, notes: readonly string[], line: number, beside: number): Amounts {
  const ofNotes = entries === 0 ? line + beside : notes.reduce((sum, text) => sum + text.length, 0);
  return {
    entries: { count: entries, bytes: line + beside - ofNotes },
    notes: { count: notes.length, bytes: ofNotes },
    beside,
  };
}

function forgetLines(counts: NoteCounts, forget: Forget): readonly Line[] {
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
