// The metrics in the text format of Prometheus; the only user of prom-client. Loaded with the first request for metrics.
import type { Registry } from 'prom-client';
import type { Feeds } from '../../engine/events/feeds.js';
import type { Session } from '../../engine/session/session.js';
import type { Metrics } from './metrics.js';

export interface MetricSources {
  readonly session: Session;
  readonly metrics: Metrics;
  readonly feeds: Feeds;
}

type Prometheus = typeof import('prom-client');

export async function metricsText({ session, metrics, feeds }: MetricSources): Promise<string> {
  const prometheus = (await import('prom-client')).default;
  const registry = new prometheus.Registry();
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new prometheus.Counter({ name: `cwx_fake_${name}`, help, labelNames, registers: [registry] });
  const gauge = (name: string, help: string, value: number) =>
    new prometheus.Gauge({ name: `cwx_fake_${name}`, help, registers: [registry] }).set(value);

  const about = 'Requests by operation (none: unknown path), status, and whether a fault affected the response.';
  const requests = counter('requests_total', about, 'operation', 'status', 'injected');
  const time = 'Time from the arrival of requests to their responses, in seconds, by operation.';
  const seconds = counter('request_seconds_total', time, 'operation');
  for (const [operation, counts] of metrics.operations) {
    seconds.inc({ operation }, counts.seconds);
    for (const [status, count] of counts.answered) requests.inc({ operation, status, injected: 'no' }, count);
    for (const [status, count] of counts.injected) requests.inc({ operation, status, injected: 'yes' }, count);
  }
  counter('sandboxes_created_total', 'Created sandboxes.').inc(metrics.created);
  const reasons = 'Removed sandboxes by reason: dropped, expired, or evicted because there were too many.';
  const ended = counter('sandboxes_ended_total', reasons, 'why');
  for (const [why, count] of Object.entries(metrics.left)) ended.inc({ why }, count);
  gauge('sandboxes', 'Live sandboxes.', session.sandboxes.list().length);
  gauge('memory_used_bytes', 'Approximate memory of the sandboxes.', session.sandboxes.memory.used);
  gauge('memory_limit_bytes', 'Limit of that memory (--max-memory).', session.sandboxes.memory.limit);
  const isUp = session.settings.store.trouble === undefined;
  gauge('store_up', 'Whether the store of sandboxes is available.', isUp ? 1 : 0);
  gauge('event_streams', 'Open event streams.', feeds.size);
  return `${await registry.metrics()}\n${await ofProcess(prometheus).metrics()}`;
}

let shared: Registry | undefined;

/** The library's metrics of the process, the same for every server in it. */
function ofProcess({ Registry, collectDefaultMetrics }: Prometheus): Registry {
  if (shared !== undefined) return shared;
  shared = new Registry();
  collectDefaultMetrics({ register: shared, prefix: 'cwx_fake_' });
  return shared;
}
