// Limits how often something is logged.

/** Milliseconds. */
const PAUSE_MS = 60_000;

/** Calls it at most once a minute. */
export function seldom(tell: () => void): () => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - toldAt < PAUSE_MS) return;
    toldAt = performance.now();
    tell();
  };
}
