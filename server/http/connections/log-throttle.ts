// Limits how often something is logged.
import { realTime } from '../../engine/real-time.js';

const PAUSE_MS = 60_000;

/** Calls it at most once a minute. */
export function throttled(tell: () => void): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (realTime.uptime() - loggedAt < PAUSE_MS) return;
    loggedAt = realTime.uptime();
    tell();
  };
}
