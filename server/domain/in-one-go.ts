// Work that may be interrupted, for callers that do not want to.

export function inOneGo<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
