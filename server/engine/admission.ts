// Admits work: limits the bytes of bodies that are arriving and of responses that are being sent, and lets in heavy work, two at a time.

import { realTime } from './real-time.js';
import { StoreError } from './store.js';
import { Turn } from './time-slicing.js';

const MAX_RUNNING = 2;
const MAX_WAITING = 32;
/** Milliseconds between two pieces of heavy work: a request of others takes several turns of the event loop. */
const GAP_MS = 5;
/** Parsing a body of more bytes is heavy. */
export const HEAVY_BODY = 64 * 1024;
const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Number of values of a JSON text, at most. */
export function valuesIn(text: Buffer): number {
  let values = 1;
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const byte = text[i]; // an iterator would be slow
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values += 1;
  }
  return values;
}

export class Admission {
  /** Bytes of bodies that are arriving. */
  bodies = 0;
  /** Bytes of large responses that are being sent. */
  responses = 0;
  #running = 0;
  readonly #waiting: Array<() => void> = [];
  #gap: Promise<void> = Promise.resolve();

  /** `most`: bytes of bodies that may arrive at once. */
  constructor(private readonly most = Number.POSITIVE_INFINITY) {}

  /** Whether no further bodies are kept. */
  get isFull(): boolean {
    return this.bodies > this.most;
  }

  /** Runs heavy work when it is its turn. Rejects with a `StoreError` if too much is waiting */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= MAX_RUNNING) {
      if (this.#waiting.length >= MAX_WAITING) throw new StoreError('busy', 'too many large requests are waiting');
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
      if (this.#running > 1) await this.#letOthers();
    }
    try {
      return await work();
    } finally {
      void this.#letOthers().then(() => this.#next());
    }
  }

  /** Resolves after others were served, for one caller at a time. */
  #letOthers(): Promise<void> {
    this.#gap = this.#gap.then(gap);
    return this.#gap;
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** A timer alone may end in the same turn of the event loop, if the work takes longer. */
async function gap(): Promise<void> {
  await new Promise<void>(resolve => void realTime.setTimeout(resolve, GAP_MS));
  await new Turn().next();
}
