// The events of one sandbox for one reader, in order, from a given position. They are queued as they happen; the queue is bounded.

import type { WorldPatch } from '../../domain/form/patch.js';
import { bytesOfEntry } from '../journal/journal.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { redactStrings } from '../journal/redacted-state.js';
import { bytesOfChanges, type Change } from '../sandbox/state.js';
import { redactValue } from '../secrets.js';
import { type CachedSandbox, isReset } from '../session/cached-sandbox.js';
import {
  type EventData,
  type EventType,
  goneLog,
  isGoneLog,
  type Position,
  type SandboxEvent,
  writtenPosition,
} from './event.js';

interface Queued {
  readonly event: SandboxEvent;
  /** Bytes that it adds to the backlog; 0 if the sandbox keeps it anyway. */
  readonly bytes: number;
}

interface FeedParts {
  /** Maximum bytes of the backlog. */
  readonly backlog: number;
  readonly closed: () => void;
}

/** Bytes that an event counts besides its entry or changes. */
const EVENT = 200;

export class Feed implements AsyncIterable<SandboxEvent> {
  /** The position after the latest queued event. */
  #at: Position;
  /** The position after the last event that the reader has taken. */
  #id: string;
  readonly #queue: Queued[] = [];
  /** Bytes of queued events. */
  #backlog = 0;
  #isBegun = false;
  #condition: 'open' | 'cut off' | 'closed' = 'open';
  #wake = (): void => {};
  readonly #over = new Set<() => void>();

  /** From now, or from a position. If the position belongs to an earlier sandbox of the name, everything is new. */
  constructor(
    private readonly parts: FeedParts,
    sandbox: CachedSandbox,
    after?: Position,
  ) {
    const { head, version, journal } = sandbox;
    this.#at = after ?? { log: head.log, version, run: journal.counts.run, entry: journal.lastId };
    this.#id = writtenPosition(this.#at);
    if (this.#at.log !== head.log && !isGoneLog(this.#at.log)) this.#add('lost', { changes: null, entries: null });
    this.#update(sandbox);
    this.#isBegun = true;
  }

  /** The id for resuming at the reader's position. */
  get id(): string {
    return this.#id;
  }

  get isCutOff(): boolean {
    return this.#condition === 'cut off';
  }

  /** The sandbox was created or has changed, perhaps with an entry. A reader with a full backlog is cut off, except by a single large event. */
  changed(sandbox: CachedSandbox, entry?: JournalEntry): void {
    if (this.#backlog > this.parts.backlog) this.#end('cut off');
    else this.#update(sandbox, entry);
  }

  /** The sandbox was dropped. */
  left(): void {
    if (isGoneLog(this.#at.log)) return;
    this.#at = { ...this.#at, log: goneLog(this.#at.log), version: 0 };
    this.#add('dropped', {});
  }

  /** The reader has left, or must not get more. */
  close(): void {
    if (this.#condition === 'open') this.#end('closed');
  }

  /** Calls back at the end; returns a function that cancels that. */
  whenOver(listener: () => void): () => void {
    if (this.#condition === 'open') this.#over.add(listener);
    else listener();
    return () => this.#over.delete(listener);
  }

  /** For a single consumer: events taken by one iterator are not seen by another. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SandboxEvent, void, undefined> {
    try {
      while (this.#condition === 'open') {
        const next = this.#queue.shift();
        if (next === undefined) {
          await new Promise<void>(resolve => {
            this.#wake = resolve;
          });
          continue;
        }
        this.#backlog -= next.bytes;
        this.#id = next.event.id;
        yield next.event;
      }
      if (this.isCutOff) yield { id: this.#id, type: 'cut-off', data: { reason: TOO_SLOW } };
    } finally {
      this.close();
    }
  }

  #end(condition: 'cut off' | 'closed'): void {
    this.#condition = condition;
    this.#queue.length = 0;
    this.parts.closed();
    this.#wake();
    for (const listener of this.#over) listener();
  }

  /** Adds what is new in a sandbox of the name: changes and entries in order, each change before the entries of its version. */
  #update(sandbox: CachedSandbox, entry?: JournalEntry): void {
    const { head, history, journal } = sandbox;
    if (this.#at.log !== head.log) {
      this.left();
      this.#at = { log: head.log, version: 0, run: 0, entry: 0 };
      this.#add('made', { scenario: sandbox.state.origin.scenario });
    }
    const { run, lastId } = journal.counts;
    const { entries, lost } =
      entry === undefined ? journal.after(this.#at.run, this.#at.entry) : { entries: [entry], lost: 0 };
    const known = Math.min(this.#at.version, history.to); // a store can lose data
    let version = Math.max(known, history.from);
    this.#at = { ...this.#at, version, run, entry: (entries[0]?.id ?? lastId + 1) - 1 };
    if (version > known || lost !== 0) this.#add('lost', { changes: version - known, entries: lost });
    const later = [...entries];
    for (const changes of history.after(version)) {
      version += 1;
      while (later[0] !== undefined && later[0].version < version) this.#addEntries(later.splice(0, 1));
      this.#at = { ...this.#at, version };
      if (changes.some(isReset)) this.#add('reset', { version });
      else this.#add('changed', changedData(version, changes), () => bytesOfChanges(changes));
    }
    this.#addEntries(later);
  }

  #addEntries(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#at = { ...this.#at, entry: entry.id };
      this.#add('entry', entry, () => bytesOfEntry(entry));
    }
  }

  #add<T extends EventType>(type: T, data: EventData[T], size = () => 0): void {
    const event = { id: writtenPosition(this.#at), type, data } as SandboxEvent; // one of the union, because type and data belong together
    const bytes = this.#isBegun ? EVENT + size() : 0;
    this.#queue.push({ event, bytes });
    this.#backlog += bytes;
    this.#wake();
  }
}

/** The data of the latest change: all readers of a sandbox get the same object. */
let latest: { readonly changes: readonly Change[]; readonly data: EventData['changed'] } | undefined;

function changedData(version: number, changes: readonly Change[]): EventData['changed'] {
  if (latest?.changes !== changes || latest.data.version !== version)
    latest = { changes, data: { version, changes: changes.map(redactChange) } };
  return latest.data;
}

const TOO_SLOW = 'The reader fell too far behind. To resume, reconnect with the id of the last event received.';

/** A change for event readers. The keys of a patch are names of records, but those of users in it are fields. */
function redactChange(change: Change): Change {
  if (change.type !== 'world-patched') return redactValue(change) as Change; // it has the same fields
  const patch = redactStrings(change.patch) as WorldPatch; // it has the same records
  if (patch.users === undefined) return { ...change, patch };
  const users = Object.entries(patch.users).map(([name, user]) => [name, redactValue(user)] as const);
  return { ...change, patch: { ...patch, users: Object.fromEntries(users) } };
}
