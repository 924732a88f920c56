// Some of many, drawn so that the same seed draws the same.

/** Draws `size` of the items, in the order in which they stand. */
export function sampled<T>(items: readonly T[], size: number, seed: number): T[] {
  const next = numbersFrom(seed);
  const drawn = items
    .map((item, place) => ({ item, place, lot: next() }))
    .sort((a, b) => a.lot - b.lot)
    .slice(0, size);
  return drawn.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/** mulberry32: numbers from 0 to below 2 ** 32, always the same for a seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
