// The amount of obsolete data in a file and its parts, and whether rewriting is worthwhile.

/** Less is always acceptable. */
const LEAST = 2 ** 20;
/** Maximum ratio of a file's size to the necessary size. */
const MAX_TIMES = 4;

/** Entries or notes of a file. */
export interface Amount {
  readonly count: number;
  /** Approximate bytes. */
  readonly bytes: number;
}

/** Bytes of entries, of notes, and of their parts. */
export interface Amounts {
  readonly entries: Amount;
  readonly notes: Amount;
  readonly beside: number;
}

export const NONE: Amount = { count: 0, bytes: 0 };

export class Waste {
  #entries = NONE;
  #notes = NONE;
  /** Bytes of parts. */
  #beside = 0;
  #useless = 0;
  #leastNext = LEAST;
  #isShort = false;

  added({ entries, notes, beside }: Amounts): void {
    this.#beside += beside;
    this.#entries = sum(this.#entries, entries);
    this.#notes = sum(this.#notes, notes);
  }

  /** Lines about forgotten notes: obsolete as soon as those notes are gone. */
  forgot(bytes: number): void {
    this.#useless += bytes;
  }

  /** The disk was full: every obsolete byte is worth removing. */
  short(): void {
    this.#isShort = true;
  }

  /** Whether a file of this size should be rewritten, if this many notes and entries (default: all) must stay. */
  isTooMuch(size: number, notes: number, entries = this.#entries.count): boolean {
    const all = size + this.#beside;
    if (all < this.#leastNext && !this.#isShort) return false;
    const useless = bytesBeyond(this.#entries, entries) + bytesBeyond(this.#notes, notes) + this.#useless;
    return this.#isShort ? useless > 0 : all > MAX_TIMES * (all - useless);
  }

  /** Rewriting failed: try again only after the file has grown. */
  putOff(size: number): void {
    this.#leastNext = size + this.#beside + LEAST;
  }
}

function sum(one: Amount, other: Amount): Amount {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes };
}

/** Bytes of things if only some of them must stay. */
function bytesBeyond({ count, bytes }: Amount, kept: number): number {
  return count === 0 ? 0 : bytes * Math.max(0, 1 - kept / count);
}
