// Converts the scripts' answers about a log to the types of the port.
import { type Format, type Head, type Seen, StoreError, type Tail } from '../../engine/store.js';
import type { Outcome } from './connection/attempts.js';
import type { Reply } from './connection/node.js';

/** The answer of a script about a tail, after its outcome. */
interface TailReply {
  readonly head: Head;
  readonly text: string | null;
  readonly records: readonly string[];
  readonly ttl: number | null;
}

/** Script arguments for the known part of a log. */
export function seenArguments(seen: Seen | undefined): readonly string[] {
  return seen === undefined ? ['', '0', ''] : [seen.log, String(seen.last), seen.id];
}

/** Script arguments for a head that the log must still have. */
export function headArguments({ log, last, id, from, base }: Head): readonly string[] {
  return [log, String(last), id, String(from), String(base)];
}

/** A record is stored after the id of its append, for comparison. */
export function recordElement(id: string, text: string): string {
  return `${id} ${text}`;
}

/** Rejects with a `StoreError` if the data cannot be read. `part` reads a part of a log with or without a ttl. */
export async function tailOf<Base, Entry>(
  sandbox: string,
  format: Format<Base, Entry>,
  [, ...rest]: Outcome,
  part: (name: string, isShared: boolean) => Promise<string>,
): Promise<Tail<Base, Entry>> {
  const { head, text, records, ttl } = tailReply(rest);
  const isShared = ttl !== null;
  try {
    return {
      head,
      ...(text !== null && { base: await format.readBase(text, name => part(name, isShared)) }),
      records: records.map(record => format.readRecord(record.slice(record.indexOf(' ') + 1))),
      ...(ttl !== null && { ttl }),
    };
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('lost', `what Redis has of sandbox ${sandbox} cannot be read: ${String(cause)}`, { cause });
  }
}

function tailReply([log, last, id, from, base, ttl, text, records]: readonly Reply[]): TailReply {
  return { head: { last, id, log, from, base }, text, records, ttl } as TailReply; // the answer of the script, whose format was compared
}
