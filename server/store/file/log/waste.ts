// How much of a file, and of the parts that it refers to, is of no use any more, and whether it is worth writing anew. Counts; measures nothing.

/** Below this nobody minds. */
const LEAST = 2 ** 20;
/** How many times larger than it need be a file may get. */
const MOST_TIMES = 4;

/** Some of the entries or notes of a file. */
export interface Amount {
  readonly count: number;
  /** About. */
  readonly bytes: number;
}

/** How much of what was written is entries, how much is notes, and how many bytes of both stand beside the file. */
export interface Amounts {
  readonly entries: Amount;
  readonly notes: Amount;
  readonly beside: number;
}

export const NONE: Amount = { count: 0, bytes: 0 };

export class Waste {
  #entries = NONE;
  #notes = NONE;
  /** Bytes of what stands beside the file. */
  #beside = 0;
  #useless = 0;
  #leastNext = LEAST;
  #isShort = false;

  added({ entries, notes, beside }: Amounts): void {
    this.#beside += beside;
    this.#entries = sum(this.#entries, entries);
    this.#notes = sum(this.#notes, notes);
  }

  /** What says that notes are forgotten: of no use in a file without them. */
  forgot(bytes: number): void {
    this.#useless += bytes;
  }

  /** There was no room for more: whatever is of no use is worth the effort. */
  short(): void {
    this.#isShort = true;
  }

  /** Whether a file of this size ought to be written anew if so many notes, and so many entries, or all, have to stay. */
  isTooMuch(size: number, notes: number, entries = this.#entries.count): boolean {
    const all = size + this.#beside;
    if (all < this.#leastNext && !this.#isShort) return false;
    const useless = bytesBeyond(this.#entries, entries) + bytesBeyond(this.#notes, notes) + this.#useless;
    return this.#isShort ? useless > 0 : all > MOST_TIMES * (all - useless);
  }

  /** It could not be written anew: it is not tried again before the file has grown. */
  putOff(size: number): void {
    this.#leastNext = size + this.#beside + LEAST;
  }
}

function sum(one: Amount, other: Amount): Amount {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes };
}

/** Of things of which only so many have to stay. */
function bytesBeyond({ count, bytes }: Amount, kept: number): number {
  return count === 0 ? 0 : bytes * Math.max(0, 1 - kept / count);
}
