// Limits how often something is logged.

/** Milliseconds. */
const PAUSE_MS = 60_000;

/** Calls it at most once a minute. */
export function seldom(tell: () => void): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - loggedAt < PAUSE_MS) return;
    loggedAt = performance.now();
    tell();
  };
}
