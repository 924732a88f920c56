// A ring buffer limited by count and bytes.

export interface RingLimits {
  readonly entries: number;
  readonly bytes: number;
}

export class Ring<T> {
  #things: Array<T | undefined> = [];
  #sizes: number[] = [];
  #marks: number[] = [];
  /** The places before this one are empty and wait to be cut off. */
  #first = 0;
  #bytes = 0;

  constructor(private readonly limits: RingLimits) {}

  get size(): number {
    return this.#things.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get last(): T | undefined {
    return this.size > 0 ? this.#things.at(-1) : undefined;
  }

  /** The mark of the oldest. */
  get firstMark(): number | undefined {
    return this.#marks[this.#first];
  }

  /** By index among the live elements. */
  at(place: number): T | undefined {
    return place < 0 ? undefined : this.#things[this.#first + place];
  }

  all(): T[] {
    return this.#things.slice(this.#first).filter(thing => thing !== undefined);
  }

  /** Adds an element with any number as its mark, and discards the oldest beyond the limits. */
  push(thing: T, bytes: number, mark = 0): void {
    this.#things.push(thing);
    this.#sizes.push(bytes);
    this.#marks.push(mark);
    this.#bytes += bytes;
    while (this.size > 0 && (this.size > this.limits.entries || this.#bytes > this.limits.bytes)) this.shift();
  }

  /** Discards the oldest. */
  shift(): void {
    this.#bytes -= this.#sizes[this.#first] ?? 0;
    this.#things[this.#first] = undefined; // it may be a megabyte
    this.#first += 1;
    if (this.#first <= this.limits.entries / 4 + 16) return;
    this.#things = this.#things.slice(this.#first);
    this.#sizes = this.#sizes.slice(this.#first);
    this.#marks = this.#marks.slice(this.#first);
    this.#first = 0;
  }

  clear(): void {
    this.#things = [];
    this.#sizes = [];
    this.#marks = [];
    this.#first = 0;
    this.#bytes = 0;
  }
}
