// Lets idle sandboxes go every now and then, and tells the log how many have gone: in numbers, since there may be thousands.

import type { Log } from '../engine/log.js';
import type { Session } from '../engine/sandbox/session.js';
import { StoreError } from '../engine/store.js';
import type { Metrics } from '../http/metrics/metrics.js';

const SWEEP_MS = 5_000;

/** Begins to sweep; returns what ends that. */
export function startExpiry(session: Session, metrics: Metrics, log: Log): () => void {
  let told = { ...metrics.left };
  const sweep = async () => {
    const { store } = session.settings;
    if (store.isShared && store.trouble !== undefined) return; // whoever asks for a sandbox is told; what expires on a full disk makes room
    await session.expire();
    const expired = metrics.left.expired - told.expired;
    const evicted = metrics.left.evicted - told.evicted;
    told = { ...metrics.left };
    if (expired > 0) log.info('sandboxes that were idle for too long have expired', { expired });
    if (evicted > 0) log.info('sandboxes were evicted to keep within --max-sandboxes', { evicted });
  };
  const failed = (error: unknown) => {
    if (error instanceof StoreError) log.warn('idle sandboxes were not looked at, which is done again', { err: error });
    else log.error('a bug while letting idle sandboxes go', { err: error });
  };
  const timer = setInterval(() => void sweep().catch(failed), Math.min(SWEEP_MS, session.settings.sandboxTtl / 2));
  timer.unref();
  return () => clearInterval(timer);
}
