// The events of one sandbox for one reader, in order, from a given position. Changes come from the history, entries as they are written. The backlog
// is bounded.

import type { WorldPatch } from '../../domain/form/patch.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { redactStrings } from '../journal/redacted-state.js';
import type { Change } from '../sandbox/state.js';
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

export interface Waiting {
  readonly entry: JournalEntry;
  readonly log: string;
  readonly run: number;
  /** Bytes that it adds to the backlog; 0 if the journal keeps it anyway. */
  readonly bytes: number;
}

/** Where a reader begins. */
export interface FeedStart {
  readonly at: Position;
  readonly waiting: readonly Waiting[];
  /** Discarded entries, reported first; `null`: unknown, as is the number of changes. */
  readonly lost: number | null;
}

interface FeedParts {
  /** The current sandbox of the name, if there is one. */
  readonly live: () => CachedSandbox | undefined;
  /** Maximum bytes of entries in the backlog. */
  readonly backlog: number;
  readonly closed: () => void;
}

export class Feed implements AsyncIterable<SandboxEvent> {
  #at: Position;
  #waiting: Waiting[];
  #lost: number | null;
  /** Bytes of entries that the reader has not taken. */
  #backlog = 0;
  /** Whether there may be new events. */
  #isStale = true;
  #condition: 'open' | 'cut off' | 'closed' = 'open';
  #wake: (() => void) | undefined;
  readonly #over = new Set<() => void>();

  constructor(
    private readonly parts: FeedParts,
    { at, waiting, lost }: FeedStart,
  ) {
    this.#at = at;
    this.#waiting = [...waiting];
    this.#lost = lost;
  }

  /** The id for resuming at the reader's position. */
  get id(): string {
    return writtenPosition(this.#at);
  }

  get isCutOff(): boolean {
    return this.#condition === 'cut off';
  }

  /** Adds an entry. A reader with a full backlog is cut off, except by a single large entry. */
  deliver(waiting: Waiting): void {
    if (this.#condition !== 'open' || this.#knows(waiting)) return;
    if (this.#backlog > this.parts.backlog) {
      this.#end('cut off');
      return;
    }
    this.#backlog += waiting.bytes;
    this.#waiting.push(waiting);
    this.wake();
  }

  /** The sandbox has changed, was dropped or was created. */
  wake(): void {
    this.#isStale = true;
    this.#wake?.();
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
        for (const event of this.#news()) {
          yield event;
          if (this.#condition !== 'open') break;
        }
        await this.#more();
      }
      if (this.isCutOff) yield this.#event('cut-off', { reason: TOO_SLOW });
    } finally {
      this.close();
    }
  }

  #end(condition: 'cut off' | 'closed'): void {
    this.#condition = condition;
    this.#waiting = [];
    this.#backlog = 0;
    this.parts.closed();
    this.#wake?.();
    for (const listener of this.#over) listener();
  }

  /** Resolves when there is an event, or at the end. */
  async #more(): Promise<void> {
    while (this.#condition === 'open' && !this.#isStale) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
    this.#wake = undefined;
  }

  *#news(): Generator<SandboxEvent> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#isStale = false;
    const sandbox = this.parts.live();
    const log = sandbox?.head.log ?? goneLog(this.#at.log);
    const own = waiting.filter(one => one.log === this.#at.log);
    if (log === this.#at.log && sandbox !== undefined) yield* this.#merged(sandbox, own);
    else yield* this.#entries(own);
    const next = log === this.#at.log ? [] : waiting.filter(one => one.log === log);
    this.#waiting = [...next, ...this.#waiting];
    yield* this.#passedOver(waiting.filter(one => !own.includes(one) && !next.includes(one)));
    if (log !== this.#at.log) yield* this.#replaced(sandbox);
  }

  /** Entries of sandboxes that were created and dropped between two looks at the log. */
  *#passedOver(waiting: readonly Waiting[]): Generator<SandboxEvent> {
    for (const { bytes } of waiting) this.#backlog -= bytes;
    if (waiting.length > 0) yield* this.#lostEvent({ changes: null, entries: waiting.length });
  }

  #knows({ entry, log, run }: Waiting): boolean {
    const last = this.#waiting.at(-1);
    const known = last === undefined ? this.#at : { ...last, entry: last.entry.id };
    return known.log === log && known.run === run && known.entry >= entry.id;
  }

  /** Another log has replaced the one that was read, or none has. */
  *#replaced(sandbox: CachedSandbox | undefined): Generator<SandboxEvent> {
    if (this.#lost === null) yield* this.#lostEvent({ changes: null, entries: null });
    if (!isGoneLog(this.#at.log)) {
      this.#at = { ...this.#at, log: goneLog(this.#at.log), version: 0 };
      yield this.#event('dropped', {});
    }
    if (sandbox === undefined) return;
    this.#at = { ...this.#at, log: sandbox.head.log, run: 0, entry: 0 };
    this.#isStale = true; // it was read from the version of the previous one
    yield this.#event('made', { scenario: sandbox.state.origin.scenario });
  }

  /** Changes and entries in order: a change comes before the entries of its version. */
  *#merged({ history }: CachedSandbox, waiting: readonly Waiting[]): Generator<SandboxEvent> {
    const gone = Math.max(0, history.from - this.#at.version);
    if (gone > 0 || this.#lost !== 0) {
      this.#at = { ...this.#at, version: this.#at.version + gone };
      yield* this.#lostEvent({ changes: gone, entries: this.#lost });
    }
    const after = Math.min(this.#at.version, history.to); // a store can lose data
    let sent = 0;
    for (const [i, changes] of history.after(after).entries()) {
      const version = after + i + 1;
      const before = waiting.findIndex(({ entry }, j) => j >= sent && entry.version >= version);
      const upTo = before === -1 ? waiting.length : before;
      yield* this.#entries(waiting.slice(sent, upTo));
      sent = upTo;
      this.#at = { ...this.#at, version };
      if (changes.some(isReset)) yield this.#event('reset', { version });
      else yield this.#event('changed', changedData(version, changes));
    }
    yield* this.#entries(waiting.slice(sent));
  }

  *#entries(waiting: readonly Waiting[]): Generator<SandboxEvent> {
    for (const { entry, run, bytes } of waiting) {
      this.#at = { ...this.#at, run, entry: entry.id };
      this.#backlog -= bytes;
      yield this.#event('entry', entry);
    }
  }

  *#lostEvent(lost: EventData['lost']): Generator<SandboxEvent> {
    this.#lost = 0;
    yield this.#event('lost', lost);
  }

  #event<T extends EventType>(type: T, data: EventData[T]): SandboxEvent {
    return { id: this.id, type, data } as SandboxEvent; // one of the union, because type and data belong together
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
