// How much work one judgement may cost. It is counted and not timed, so that the same question has the same answer on every machine.
// Knows neither patterns nor what is judged.

/** Instructions of a pattern times characters of a text; to compare two values costs as much as a few of them. Some 25 ns each at worst. */
export const MOST_EFFORT = 100_000_000;

/** More work than one judgement may cost. */
export class TooMuchEffort extends Error {
  override readonly name = 'TooMuchEffort';

  constructor() {
    super('takes more work than is done for one question: use patterns with less repetition, or shorter lists');
  }
}

/** What is left of the judgement that is going on; `undefined` where none is: then each piece of work is one of its own. */
let left: number | undefined;

/** Judges within the bound. What is judged within a judgement is part of it. Throws `TooMuchEffort`. */
export function withEffort<T>(judge: () => T): T {
  if (left !== undefined) return judge();
  left = MOST_EFFORT;
  try {
    return judge();
  } finally {
    left = undefined;
  }
}

/** Takes note of work before it is done. Throws `TooMuchEffort` where it would be too much. */
export function spend(cost: number): void {
  const rest = (left ?? MOST_EFFORT) - cost;
  if (rest < 0) throw new TooMuchEffort();
  if (left !== undefined) left = rest;
}
