// The visible records of one collection, read in parts and again after changes.
import { signal } from '@preact/signals';
import type { CollectionName, WorldPart } from '../client/wire.js';
import { client, listChanges, markOf, marks, upheavals } from '../live/sandbox.js';

export interface ShownRows {
  readonly sandbox: string;
  readonly collection: CollectionName;
  readonly containing: string;
  /** Default: the current version. */
  readonly at: number | undefined;
}

type RecordPart = WorldPart['records'][number];

const PIECE = 100;
/** Minimum interval of reads after changes. */
const CALM_MS = 250;

export class CollectionWindow {
  readonly counts = signal<WorldPart['counts'] | undefined>(undefined);
  readonly licence = signal('');
  readonly matching = signal(0);
  readonly error = signal<unknown>(undefined);
  /** Incremented to redraw the rows. */
  readonly drawn = signal(0);
  readonly #keys = new Map<number, string>();
  readonly #records = new Map<string, RecordPart>();
  #seen: readonly [from: number, to: number] = [0, 40];
  readonly #reading = new Map<number, Promise<void>>();
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isListStale = false;
  #marks = marks.peek();
  readonly #unsubscribe: ReadonlyArray<() => void>;

  constructor(readonly shown: ShownRows) {
    const isLive = shown.at === undefined;
    void this.#readPiece(0);
    this.#unsubscribe = isLive
      ? [
          later(marks, () => this.#soon()),
          later(listChanges, () => this.#soon(true)),
          later(upheavals, () => this.#soon(true)),
        ]
      : [];
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  at(index: number): RecordPart | undefined {
    const key = this.#keys.get(index);
    return key === undefined ? undefined : this.#records.get(key);
  }

  /** The key at an index, read first if need be. */
  async keyAt(index: number): Promise<string | undefined> {
    if (!this.#keys.has(index)) await this.#readPiece(Math.floor(index / PIECE));
    return this.#keys.get(index);
  }

  /** The index of a key, if known. */
  indexOf(key: string): number | undefined {
    for (const [index, known] of this.#keys) if (known === key) return index;
    return undefined;
  }

  /** Reads what is about to be seen. */
  see = (from: number, to: number): void => {
    this.#seen = [from, to];
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece += 1)
      if (!this.#keys.has(piece * PIECE) && piece * PIECE < this.matching.peek()) void this.#readPiece(piece);
  };

  #soon(isList = false): void {
    if (isList) this.#isListStale = true;
    this.#timer ??= setTimeout(() => void this.#readAgain(), CALM_MS);
  }

  async #readAgain(): Promise<void> {
    const [from, to] = this.#seen;
    if (this.#isListStale) {
      this.#isListStale = false;
      this.#keys.clear();
      for (let piece = Math.floor(from / PIECE); piece * PIECE < Math.max(to, 1); piece += 1)
        await this.#readPiece(piece);
    } else await this.#readChanged(from, to);
    this.#timer = undefined;
    if (this.#isListStale) this.#soon();
  }

  /** Of the records that changed, those that are seen. */
  async #readChanged(from: number, to: number): Promise<void> {
    const { collection } = this.shown;
    const [before, now] = [this.#marks, marks.peek()];
    this.#marks = now;
    const keys: string[] = [];
    for (let index = from; index < to; index += 1) {
      const key = this.#keys.get(index);
      const mark = key === undefined ? undefined : now.get(markOf(collection, key));
      if (key !== undefined && mark !== undefined && mark !== before.get(markOf(collection, key))) keys.push(key);
    }
    if (keys.length > 0) await this.#read({ keys });
  }

  #readPiece(piece: number): Promise<void> {
    const reading =
      this.#reading.get(piece) ??
      this.#read({ offset: piece * PIECE, limit: PIECE }).finally(() => this.#reading.delete(piece));
    this.#reading.set(piece, reading);
    return reading;
  }

  async #read(query: {
    readonly offset?: number;
    readonly limit?: number;
    readonly keys?: readonly string[];
  }): Promise<void> {
    const { sandbox, collection, containing, at } = this.shown;
    try {
      const part = await client.in(sandbox).part({ collection, at, ...(query.keys ? {} : { containing }), ...query });
      if (this.#isOver) return;
      for (const [i, record] of part.records.entries()) {
        if (query.keys === undefined) this.#keys.set(part.offset + i, record.key);
        this.#records.set(record.key, record);
      }
      this.counts.value = part.counts;
      this.licence.value = part.licence.ppf;
      if (query.keys === undefined) this.matching.value = part.matching;
      this.error.value = undefined;
      this.drawn.value += 1;
    } catch (error) {
      if (!this.#isOver) this.error.value = error;
    }
  }
}

/** Calls back at each change, and not for what is there already. */
function later(source: { subscribe(listener: () => void): () => void }, listener: () => void): () => void {
  let isFirst = true;
  return source.subscribe(() => {
    if (!isFirst) listener();
    isFirst = false;
  });
}
