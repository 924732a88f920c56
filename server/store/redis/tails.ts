// What the scripts answer about a log, as the port says it. Knows neither connections nor keys.
import { type Format, type Head, type Seen, type SeenNotes, StoreError, type Tail } from '../../engine/store.js';
import type { Outcome } from './connection/attempts.js';
import type { Reply } from './connection/node.js';

/** What a script that tells a tail answers after how it went. */
interface Told {
  readonly head: Head;
  readonly base: string | null;
  readonly entries: readonly string[];
  readonly latest: readonly string[];
  readonly run: number;
  readonly last: number;
  readonly forgotten: number;
  readonly cleared: number;
  readonly ttl: number | null;
}

/** The arguments that tell a script which notes are known. */
export function seenNotesArguments(seen: SeenNotes | undefined, isAll = false): readonly [run: string, last: string] {
  if (isAll) return ['-1', '0'];
  return seen === undefined ? ['-2', '0'] : [String(seen.run), String(seen.last)];
}

/** The arguments that tell a script what is known of a log. */
export function seenArguments(seen: Seen | undefined): readonly string[] {
  if (seen === undefined) return ['', '0', '', ...seenNotesArguments(undefined, true)];
  return [seen.log, String(seen.version), seen.id, ...seenNotesArguments(seen.notes)];
}

/** An entry is kept behind the id of its append, so that what a replica knows can be compared, and behind the names of its parts. */
export function entryElement(id: string, text: string, parts: readonly string[]): string {
  return `${[id, ...parts].join(',')} ${text}`;
}

/** A note is JSON, or stands behind the names of its parts. */
export function noteElement(text: string, parts: readonly string[]): string {
  return parts.length === 0 ? text : `${['', ...parts].join(',')} ${text}`;
}

/** An element as the text, and the names of its parts. */
interface Element {
  readonly text: string;
  readonly parts: readonly string[];
}

function readEntryElement(element: string): Element {
  const end = element.indexOf(' ');
  return { text: element.slice(end + 1), parts: element.slice(0, end).split(',').slice(1) };
}

function readNoteElement(element: string): Element {
  return element.startsWith(',') ? readEntryElement(element) : { text: element, parts: [] };
}

/** The texts of the parts that elements refer to. */
async function partsOf(
  elements: readonly Element[],
  part: (name: string) => Promise<string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Set(elements.flatMap(({ parts }) => parts));
  return new Map(await Promise.all([...names].map(async name => [name, await part(name)] as const)));
}

/** Rejects with a `StoreError` where what is there cannot be read. */
export async function tailOf<Base, Entry, Note>(
  sandbox: string,
  format: Format<Base, Entry, Note>,
  [, ...rest]: Outcome,
  part: (name: string) => Promise<string>,
): Promise<Tail<Base, Entry, Note>> {
  const { head, base, entries, latest, run, last, forgotten, cleared, ttl } = toldBy(rest);
  try {
    const [ofEntries, ofNotes] = [entries.map(readEntryElement), latest.map(readNoteElement)];
    const parts = await partsOf([...ofEntries, ...ofNotes], part);
    const kept = (name: string) => parts.get(name) ?? missing(name);
    return {
      head,
      ...(base !== null && { base: { version: head.from, value: await format.readBase(base, part) } }),
      entries: ofEntries.map(({ text }) => format.readEntry(text, kept)),
      notes: { run, last, forgotten, cleared, latest: ofNotes.map(({ text }) => format.readNote(text, kept)) },
      ...(ttl !== null && { ttl }),
    };
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('lost', `what Redis has of sandbox ${sandbox} cannot be read: ${String(cause)}`, { cause });
  }
}

function missing(name: string): never {
  throw new StoreError('lost', `what Redis has names no part ${name}, and refers to it`);
}

function toldBy([
  log,
  version,
  id,
  from,
  run,
  last,
  forgotten,
  cleared,
  ttl,
  base,
  entries,
  latest,
]: readonly Reply[]): Told {
  const head = { version, id, log, from };
  return { head, run, last, forgotten, cleared, ttl, base, entries, latest } as Told; // as the script answers, whose format has been compared
}
