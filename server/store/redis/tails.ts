// What the scripts answer about a log, as the port says it. Knows neither connections nor keys.
import { type Format, type Head, type Seen, type SeenNotes, StoreError, type Tail } from '../../engine/store.js';
import type { Outcome } from './attempts.js';
import type { Reply } from './node.js';

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

/** An entry is kept behind the id of its append, so that what a replica knows can be compared. */
export function withId(id: string, text: string): string {
  return `${id} ${text}`;
}

const withoutId = (element: string) => element.slice(element.indexOf(' ') + 1);

/** Rejects with a `StoreError` where what is there cannot be read. */
export async function tailOf<Base, Entry, Note>(
  sandbox: string,
  format: Format<Base, Entry, Note>,
  [, ...rest]: Outcome,
  part: (name: string) => Promise<string>,
): Promise<Tail<Base, Entry, Note>> {
  const { head, base, entries, latest, run, last, forgotten, cleared, ttl } = toldBy(rest);
  try {
    return {
      head,
      ...(base !== null && { base: { version: head.from, value: await format.readBase(base, part) } }),
      entries: entries.map(element => format.readEntry(withoutId(element))),
      notes: { run, last, forgotten, cleared, latest: latest.map(text => format.readNote(text)) },
      ...(ttl !== null && { ttl }),
    };
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('lost', `what Redis has of sandbox ${sandbox} cannot be read: ${String(cause)}`, { cause });
  }
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
