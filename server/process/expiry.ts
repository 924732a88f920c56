// Deletes expired sandboxes every five seconds and logs the counts.

import type { Log } from '../engine/log.js';
import { realTime } from '../engine/real-time.js';
import type { Session } from '../engine/session/session.js';
import { StoreError } from '../engine/store.js';
import type { Metrics } from '../http/metrics/metrics.js';

const SWEEP_MS = 5_000;

/** Starts the timer; returns a function that stops it. */
export function startExpiry(session: Session, metrics: Metrics, log: Log): () => void {
  let logged = { ...metrics.left };
  const sweep = async () => {
    await session.expire();
    const expired = metrics.left.expired - logged.expired;
    const evicted = metrics.left.evicted - logged.evicted;
    logged = { ...metrics.left };
    if (expired > 0) log.info('idle sandboxes have expired', { expired });
    if (evicted > 0) log.info('sandboxes were evicted because of --max-sandboxes', { evicted });
  };
  const failed = (error: unknown) => {
    if (error instanceof StoreError) log.warn('idle sandboxes could not be checked; trying again', { err: error });
    else log.error('a bug in cwx-fake while expiring sandboxes', { err: error });
  };
  const timer = realTime.setInterval(
    () => void sweep().catch(failed),
    Math.min(SWEEP_MS, session.settings.sandboxTtl / 2),
  );
  timer.unref();
  return () => realTime.clearInterval(timer);
}
