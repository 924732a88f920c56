// Substring search by the Two-Way algorithm (Crochemore and Perrin, 1991): linear even for hostile texts, where `indexOf` is quadratic, and sublinear
// for ordinary ones.

/** Shifts are indexed by the low bits of a character; characters in one slot share the smallest shift. */
const SLOTS = 256;
const LOW_BITS = SLOTS - 1;
/** A shift fits a byte: a list may have tens of thousands of needles. */
const LONGEST_SHIFT = 255;

/** Cost of preparing a needle, besides its text. */
const PREPARING = 32;

/** Counts the work of searches: compared characters, 5 to 10 ns each. */
export class Meter {
  steps = 0;

  constructor(readonly most = Number.POSITIVE_INFINITY) {}

  get isExceeded(): boolean {
    return this.steps > this.most;
  }
}

/** A non-empty text to search for, prepared for any number of texts. */
export class Needle {
  /** The cut of the needle: its right part is compared first, then its left part. */
  readonly #cut: number;
  /** How far the needle moves after its right part has matched. */
  readonly #period: number;
  /** How much of the needle is known to match after that move: 0 unless it is periodic. */
  readonly #overlap: number;
  /** By slot: how far the needle moves until the character under its last one may match. */
  readonly #shifts: Uint8Array;

  constructor(
    readonly text: string,
    readonly meter = new Meter(),
  ) {
    const { length } = text;
    const { cut, period } = criticalCut(text);
    const isRepeated = text.startsWith(text.slice(0, cut), period);
    this.#cut = cut;
    this.#period = isRepeated ? period : Math.max(cut, length - cut) + 1;
    this.#overlap = isRepeated ? length - period : 0;
    this.#shifts = shiftsOf(text);
    meter.steps += PREPARING + 3 * length;
  }

  /** The first index at or after `from` where the needle occurs; -1 if none, or if the meter is exceeded. */
  indexIn(text: string, from = 0): number {
    const shifts = this.#shifts;
    const cut = this.#cut;
    const end = this.text.length - 1;
    const last = text.length - this.text.length;
    const room = this.meter.most - this.meter.steps;
    let steps = 1;
    let known = 0; // this many characters at the start of the needle are known to match
    let at = from;
    for (; at <= last && steps <= room; steps += 1) {
      const shift = shifts[text.charCodeAt(at + end) & LOW_BITS] ?? 0;
      if (shift > 0) {
        at += shift > known ? shift : known;
        known = 0;
        continue;
      }
      const right = this.#mismatchRight(text, at, known);
      steps += right - cut;
      if (right <= end) {
        at += right - cut + 1;
        known = 0;
        continue;
      }
      const left = this.#mismatchLeft(text, at, known);
      steps += cut - left;
      if (left <= known) break;
      at += this.#period;
      known = this.#overlap;
    }
    this.meter.steps += steps;
    return at <= last && steps <= room ? at : -1;
  }

  #mismatchRight(text: string, at: number, known: number): number {
    let i = Math.max(this.#cut, known);
    while (i < this.text.length && this.text.charCodeAt(i) === text.charCodeAt(at + i)) i += 1;
    return i;
  }

  #mismatchLeft(text: string, at: number, known: number): number {
    let i = this.#cut;
    while (i > known && this.text.charCodeAt(i - 1) === text.charCodeAt(at + i - 1)) i -= 1;
    return i;
  }
}

function shiftsOf(text: string): Uint8Array {
  const { length } = text;
  const shifts = new Uint8Array(SLOTS).fill(Math.min(length, LONGEST_SHIFT));
  for (let i = Math.max(0, length - 1 - LONGEST_SHIFT); i < length; i += 1)
    shifts[text.charCodeAt(i) & LOW_BITS] = length - 1 - i;
  return shifts;
}

/** The critical factorization of the needle: the later of its two maximal suffixes. */
function criticalCut(text: string): { readonly cut: number; readonly period: number } {
  const rising = maximalSuffix(text, 1);
  const falling = maximalSuffix(text, -1);
  return falling.cut > rising.cut ? falling : rising;
}

/** The maximal suffix by the order of characters, or by its reverse (`order` -1), and its period. */
function maximalSuffix(text: string, order: 1 | -1): { readonly cut: number; readonly period: number } {
  let cut = 0;
  let period = 1;
  let fitting = 0;
  for (let start = 1; start + fitting < text.length; ) {
    const difference = (text.charCodeAt(cut + fitting) - text.charCodeAt(start + fitting)) * order;
    if (difference === 0) {
      fitting += 1;
      if (fitting === period) {
        start += period;
        fitting = 0;
      }
    } else if (difference > 0) {
      start += fitting + 1;
      fitting = 0;
      period = start - cut;
    } else {
      cut = start;
      start += 1;
      fitting = 0;
      period = 1;
    }
  }
  return { cut, period };
}
