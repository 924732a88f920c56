// Reproducible pseudo-random numbers.

/** A whole number from 0 up to, but not including, a limit. */
export type Random = (limit: number) => number;

/** The sequence of a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}
