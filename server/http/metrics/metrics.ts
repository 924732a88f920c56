// Counters of requests and sandboxes. They contain no names of users, so they stay small.
import type { Log } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import type { Body } from '../../engine/request/request.js';
import type { Result } from '../../engine/request/result.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import type { EndReason } from '../../engine/session/observer.js';
import type { Middleware } from '../incoming/context.js';
import { traceparentIn } from '../incoming/request-from.js';

/** Upper bounds of the duration buckets, in seconds. */
export const DURATIONS: readonly number[] = [
  0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Maximum number of different statuses of an operation or endpoint: a fault may use any. */
const MAX_STATUSES = 64;

/** Stands for all further statuses. */
export const OTHER_STATUS = 0;

/** Metrics of one operation, or of one endpoint of the control API. */
export interface OperationMetrics {
  /** Counts by status. */
  readonly answered: Map<number, number>;
  /** Counts by status of responses that a fault affected. */
  readonly injected: Map<number, number>;
  /** Counts by duration bucket; the last is for longer ones. */
  readonly durations: number[];
  seconds: number;
}

/** An answered request. */
export interface MeasuredRequest {
  /** The id of the control endpoint; `none` if the path is unknown. */
  readonly endpoint?: string | undefined;
  /** Its result, if it was performed in a sandbox. */
  readonly result?: Result | undefined;
  readonly body?: Body | undefined;
}

export class Metrics {
  readonly operations = new Map<string, OperationMetrics>();
  readonly endpoints = new Map<string, OperationMetrics>();
  /** Refused unreadable bodies by reason. */
  readonly bodies = new Map<Body['kind'], number>();
  readonly left: Record<EndReason, number> = { dropped: 0, expired: 0, evicted: 0 };
  created = 0;
  cutOff = 0;
  /** Evicted entries of journals that no longer exist. */
  evictedBefore = 0;

  made(): void {
    this.created += 1;
  }

  reset({ journal }: CachedSandbox): void {
    this.evictedBefore += journal.evicted;
  }

  ended({ journal }: CachedSandbox, why: EndReason): void {
    this.evictedBefore += journal.evicted;
    this.left[why] += 1;
  }

  count({ endpoint, result, body }: MeasuredRequest, status: number, seconds: number): void {
    const asked =
      endpoint === undefined
        ? metricsOf(this.operations, result?.operation ?? 'none')
        : metricsOf(this.endpoints, endpoint);
    const by = result?.injected === undefined ? asked.answered : asked.injected;
    const shown = by.has(status) || by.size < MAX_STATUSES ? status : OTHER_STATUS;
    by.set(shown, (by.get(shown) ?? 0) + 1);
    let bucket = 0;
    while (bucket < DURATIONS.length && seconds > (DURATIONS[bucket] ?? 0)) bucket += 1;
    asked.durations[bucket] = (asked.durations[bucket] ?? 0) + 1;
    asked.seconds += seconds;
    if (body !== undefined && status >= 400 && isUnreadable(body)) {
      this.bodies.set(body.kind, (this.bodies.get(body.kind) ?? 0) + 1);
    }
  }
}

/** Counts and logs each request when its response is about to be sent. */
export function measure(metrics: Metrics, log: Log): Middleware {
  return async (ctx, next) => {
    const began = realTime.uptime();
    ctx.state.began = began;
    await next();
    if (ctx.state.isForwarded) return;
    const duration = realTime.uptime() - began;
    const { state, status } = ctx;
    const { sandbox, path, result } = state;
    metrics.count(state, status, duration / 1000);
    if (sandbox === undefined || log.request === undefined) return; // requests to the control API and pages are not logged
    const { originalUrl: url } = ctx;
    const { method = '', headers } = ctx.req;
    log.request({ sandbox, method, url, path, status, duration, traceparent: traceparentIn(headers), result });
  };
}

function metricsOf(counted: Map<string, OperationMetrics>, name: string): OperationMetrics {
  const known = counted.get(name);
  if (known !== undefined) return known;
  const asked = {
    answered: new Map(),
    injected: new Map(),
    durations: Array(DURATIONS.length + 1).fill(0),
    seconds: 0,
  };
  counted.set(name, asked);
  return asked;
}

function isUnreadable({ kind }: Body): boolean {
  return kind !== 'json' && kind !== 'absent';
}
