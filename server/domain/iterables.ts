// Iterables that are run to their end, or only for their first values.

/** Runs interruptible work without interruption. */
export function runToEnd<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

export function firstOf<T>(values: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === most) break;
    first.push(value);
  }
  return first;
}
