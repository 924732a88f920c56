// Counts requests and sandboxes. The counts name no sandbox, path or user, so they stay few.
import type { Log } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import type { Result } from '../../engine/request/result.js';
import type { EndReason } from '../../engine/session/observer.js';
import type { Middleware } from '../incoming/context.js';
import { traceparentIn } from '../incoming/request-from.js';

/** Counts of one operation. */
export interface OperationCounts {
  /** By status. */
  readonly answered: Map<number, number>;
  /** By status, of responses that a fault affected. */
  readonly injected: Map<number, number>;
  seconds: number;
}

export class Metrics {
  /** By operation; `none`: of unknown paths. */
  readonly operations = new Map<string, OperationCounts>();
  readonly left: Record<EndReason, number> = { dropped: 0, expired: 0, evicted: 0 };
  created = 0;

  count({ operation = 'none', injected }: Partial<Result>, status: number, seconds: number): void {
    let counts = this.operations.get(operation);
    if (counts === undefined) {
      counts = { answered: new Map(), injected: new Map(), seconds: 0 };
      this.operations.set(operation, counts);
    }
    const by = injected === undefined ? counts.answered : counts.injected;
    by.set(status, (by.get(status) ?? 0) + 1);
    counts.seconds += seconds;
  }
}

/** Counts and logs each request to the APIs when its response is about to be sent. */
export function measure(metrics: Metrics, log: Log): Middleware {
  return async (ctx, next) => {
    const began = realTime.uptime();
    ctx.state.began = began;
    await next();
    const { sandbox, path, result } = ctx.state;
    if (sandbox === undefined) return; // of a guard, a page, the control API or another server
    const duration = realTime.uptime() - began;
    const { status, originalUrl: url } = ctx;
    metrics.count(result ?? {}, status, duration / 1000);
    if (log.request === undefined) return;
    const { method = '', headers } = ctx.req;
    log.request({ sandbox, method, url, path, status, duration, traceparent: traceparentIn(headers), result });
  };
}
