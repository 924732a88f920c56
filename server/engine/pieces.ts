// Long work in pieces, between which others are served: a generator yields wherever it may be interrupted.

/** Node's own: a test that lets time stand still replaces the global one, and the work would never end. */
const afterOthers = setImmediate;

/** How long others wait for work that goes on, in milliseconds, besides its last piece. */
const MOST_MS = 10;

/** Works on, and lets others in every few milliseconds. */
export async function inPieces<T>(work: Iterator<unknown, T>): Promise<T> {
  for (let until = performance.now() + MOST_MS; ; ) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() < until) continue;
    await new Promise<void>(resolve => afterOthers(resolve));
    until = performance.now() + MOST_MS;
  }
}
