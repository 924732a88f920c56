// The events of one sandbox for one reader, in order, from wherever it broke off. Changes come from its history, whoever appended them; entries as they are
// written down. What waits for a reader is bounded. Knows no way to send them.

import type { JournalEntry } from '../journal/journal-entry.js';
import { redactChange } from '../journal/redacted.js';
import { isReset, type Sandbox } from '../sandbox/cached-sandbox.js';
import {
  type EventData,
  type EventType,
  goneLog,
  isGoneLog,
  type Position,
  type SandboxEvent,
  writtenPosition,
} from './event.js';

/** An entry that waits to be told. */
export interface Waiting {
  readonly entry: JournalEntry;
  readonly log: string;
  readonly run: number;
  /** What it adds to the backlog; 0 where the journal keeps it anyway. */
  readonly bytes: number;
}

/** Where a reader begins. */
export interface Beginning {
  readonly at: Position;
  readonly waiting: readonly Waiting[];
  /** Entries that are gone, which is told first; `null`: nobody knows how many, nor how many changes. */
  readonly lost: number | null;
}

export interface FeedParts {
  /** The sandbox of the name as it is now, where there is one. */
  readonly live: () => Sandbox | undefined;
  /** Bytes of entries that may wait for the reader. */
  readonly backlog: number;
  /** Told of the bytes by which the backlog grows or shrinks. */
  readonly counted: (bytes: number) => void;
  readonly closed: () => void;
}

export class Feed implements AsyncIterable<SandboxEvent> {
  #at: Position;
  #waiting: Waiting[];
  #lost: number | null;
  /** Bytes of entries that have come and that the reader has not taken. */
  #backlog = 0;
  /** Whether there may be changes that have not been told. */
  #isStale = true;
  #condition: 'open' | 'cut off' | 'closed' = 'open';
  #wake: (() => void) | undefined;
  readonly #over = new Set<() => void>();

  constructor(
    private readonly parts: FeedParts,
    { at, waiting, lost }: Beginning,
  ) {
    this.#at = at;
    this.#waiting = [...waiting];
    this.#lost = lost;
  }

  /** The id that goes on where the reader stands. */
  get id(): string {
    return writtenPosition(this.#at);
  }

  get isCutOff(): boolean {
    return this.#condition === 'cut off';
  }

  /** Takes in an entry, once. A reader with more waiting than may wait is cut off; a single large entry is none. */
  take(waiting: Waiting): void {
    if (this.#condition !== 'open' || this.#knows(waiting)) return;
    if (this.#backlog > this.parts.backlog) {
      this.#end('cut off');
      return;
    }
    this.#grow(waiting.bytes);
    this.#waiting.push(waiting);
    this.#wake?.();
  }

  /** The sandbox has changed, has gone or is there again. */
  wake(): void {
    this.#isStale = true;
    this.#wake?.();
  }

  /** The reader has left, or is to be told no more. */
  close(): void {
    if (this.#condition === 'open') this.#end('closed');
  }

  /** Calls back when it ends, for whom waits for something else than its events; returns what ends that. */
  whenOver(listener: () => void): () => void {
    if (this.#condition === 'open') this.#over.add(listener);
    else listener();
    return () => this.#over.delete(listener);
  }

  /** For one reader: what one of two takes the other does not get. */
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
    this.#grow(-this.#backlog);
    this.parts.closed();
    this.#wake?.();
    for (const listener of this.#over) listener();
  }

  #grow(bytes: number): void {
    this.#backlog += bytes;
    this.parts.counted(bytes);
  }

  /** Resolves when there is something to tell, or nothing any more. */
  async #more(): Promise<void> {
    while (this.#condition === 'open' && !this.#isStale && this.#waiting.length === 0) {
      await new Promise<void>(resolve => {
        this.#wake = resolve;
      });
    }
    this.#wake = undefined;
  }

  *#news(): Generator<SandboxEvent> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const isRead = !this.#isStale && waiting.every(({ entry, log }) => this.#reaches(log, entry.version));
    if (isRead) return yield* this.#entries(waiting);
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

  /** Entries of sandboxes that came and went between two looks at the log. */
  *#passedOver(waiting: readonly Waiting[]): Generator<SandboxEvent> {
    for (const { bytes } of waiting) this.#grow(-bytes);
    if (waiting.length > 0) yield* this.#telling({ changes: null, entries: waiting.length });
  }

  #knows({ entry, log, run }: Waiting): boolean {
    const last = this.#waiting.at(-1);
    const known = last === undefined ? this.#at : { ...last, entry: last.entry.id };
    return known.log === log && known.run === run && known.entry >= entry.id;
  }

  #reaches(log: string, version: number): boolean {
    return log === this.#at.log && version <= this.#at.version;
  }

  /** Another log has taken the place of the one that was read, or none has. */
  *#replaced(sandbox: Sandbox | undefined): Generator<SandboxEvent> {
    if (this.#lost === null) yield* this.#telling({ changes: null, entries: null });
    if (!isGoneLog(this.#at.log)) {
      this.#at = { ...this.#at, log: goneLog(this.#at.log), version: 0 };
      yield this.#event('dropped', {});
    }
    if (sandbox === undefined) return;
    this.#at = { ...this.#at, log: sandbox.head.log };
    this.#isStale = true; // it was read from the version of the one before
    yield this.#event('made', { scenario: sandbox.state.origin.scenario });
  }

  /** Changes and entries in the order in which they happened: a change stands before the entries of its version. */
  *#merged({ history }: Sandbox, waiting: readonly Waiting[]): Generator<SandboxEvent> {
    const gone = Math.max(0, history.from - this.#at.version);
    if (gone > 0 || this.#lost !== 0) {
      this.#at = { ...this.#at, version: this.#at.version + gone };
      yield* this.#telling({ changes: gone, entries: this.#lost });
    }
    const after = Math.min(this.#at.version, history.to); // an engine can lose what it had
    let told = 0;
    for (const [i, changes] of history.after(after).entries()) {
      const version = after + i + 1;
      const before = waiting.findIndex(({ entry }, j) => j >= told && entry.version >= version);
      const upTo = before === -1 ? waiting.length : before;
      yield* this.#entries(waiting.slice(told, upTo));
      told = upTo;
      this.#at = { ...this.#at, version };
      if (changes.some(isReset)) yield this.#event('reset', { version });
      else yield this.#event('changed', { version, changes: changes.map(redactChange) });
    }
    yield* this.#entries(waiting.slice(told));
  }

  *#entries(waiting: readonly Waiting[]): Generator<SandboxEvent> {
    for (const { entry, run, bytes } of waiting) {
      this.#at = { ...this.#at, run, entry: entry.id };
      this.#grow(-bytes);
      yield this.#event('entry', entry);
    }
  }

  *#telling(lost: EventData['lost']): Generator<SandboxEvent> {
    this.#lost = 0;
    yield this.#event('lost', lost);
  }

  #event<T extends EventType>(type: T, data: EventData[T]): SandboxEvent {
    return { id: this.id, type, data } as SandboxEvent; // one of the union, since type and data belong together
  }
}

const TOO_SLOW =
  'More was waiting for this reader than may wait; it can go on with the id of the last event that it took.';
