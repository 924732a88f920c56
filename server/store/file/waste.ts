// Whether a file has become mostly notes that are forgotten, and is worth writing anew. Counts; measures nothing.

/** Below this nobody minds. */
const LEAST = 2 ** 20;
/** How many times larger than it need be a file may get. */
const MOST_TIMES = 4;

export class Waste {
  #notes = 0;
  #bytes = 0;
  #useless = 0;
  #leastNext = LEAST;

  /** Notes that were written into the file, in so many bytes, or about that. */
  noted(count: number, bytes: number): void {
    this.#notes += count;
    this.#bytes += bytes;
  }

  /** What says that notes are forgotten: of no use in a file without them. */
  forgot(bytes: number): void {
    this.#useless += bytes;
  }

  /** Whether a file of this size that should keep so many notes ought to be written anew. */
  isTooMuch(size: number, kept: number): boolean {
    if (size < this.#leastNext) return false;
    const forgotten = this.#notes === 0 ? 0 : this.#bytes * (1 - kept / this.#notes);
    return size > MOST_TIMES * (size - forgotten - this.#useless);
  }

  /** It could not be written anew: it is not tried again before the file has grown. */
  putOff(size: number): void {
    this.#leastNext = size + LEAST;
  }
}
