// Exports the metrics in the text format of Prometheus; the only user of prom-client. Loaded with the first request for metrics.
import type {
  Counter as CounterOf,
  MetricObjectWithValues,
  MetricValueWithName,
  Registry as RegistryOf,
} from 'prom-client';
import type { Feeds } from '../../engine/events/feeds.js';
import type { Session } from '../../engine/session/session.js';
import { DURATIONS, type Metrics, type OperationMetrics, OTHER_STATUS } from './metrics.js';

export interface MetricSources {
  readonly session: Session;
  readonly metrics: Metrics;
  readonly feeds: Feeds;
}

type Prometheus = typeof import('prom-client');
type Rows = ReadonlyArray<readonly [labels: Readonly<Record<string, string>>, value: number]>;

/** A counter with the names of its labels. */
type Counting = readonly [name: string, help: string, labels: readonly string[], rows: Rows];

/** Exports the current counts. */
export async function metricsText(counted: MetricSources): Promise<string> {
  const prometheus = (await import('prom-client')).default;
  const registry = new prometheus.Registry();
  for (const counting of [...ofRequests(counted), ...ofSandboxes(counted)]) count(prometheus, registry, counting);
  for (const [name, help, value] of gauges(counted)) {
    new prometheus.Gauge({ name, help, registers: [registry] }).set(value);
  }
  registry.registerMetric(durations(prometheus, counted.metrics));
  return `${await registry.metrics()}\n${await ofProcess(prometheus).metrics()}`;
}

function ofRequests({ metrics }: MetricSources): readonly Counting[] {
  const { operations, endpoints, bodies } = metrics;
  return [
    [
      'cwx_fake_requests_total',
      'Requests by operation (none: unknown path), status, and whether a fault affected the response.',
      ['operation', 'status', 'injected'],
      [...operations].flatMap(([operation, asked]) => [
        ...rowsOf(asked.answered, { operation, injected: 'no' }),
        ...rowsOf(asked.injected, { operation, injected: 'yes' }),
      ]),
    ],
    [
      'cwx_fake_control_requests_total',
      'Requests to the control API by endpoint (none: unknown path) and status.',
      ['endpoint', 'status'],
      [...endpoints].flatMap(([endpoint, asked]) => rowsOf(asked.answered, { endpoint })),
    ],
    [
      'cwx_fake_faults_fired_total',
      'Faults that fired, by operation.',
      ['operation'],
      [...operations].flatMap(([operation, { injected }]) =>
        injected.size === 0 ? [] : [[{ operation }, [...injected.values()].reduce((a, b) => a + b, 0)] as const],
      ),
    ],
    [
      'cwx_fake_bodies_refused_total',
      'Unreadable bodies that were refused, by reason.',
      ['kind'],
      [...bodies].map(([kind, value]) => [{ kind }, value] as const),
    ],
  ];
}

function ofSandboxes({ session, metrics }: MetricSources): readonly Counting[] {
  const evicted = session.sandboxes.list().reduce((sum, { journal }) => sum + journal.evicted, metrics.evictedBefore);
  return [
    ['cwx_fake_sandboxes_created_total', 'Created sandboxes.', [], [[{}, metrics.created]]],
    [
      'cwx_fake_sandboxes_ended_total',
      'Removed sandboxes by reason: dropped, expired, or evicted because there were too many.',
      ['why'],
      Object.entries(metrics.left).map(([why, value]) => [{ why }, value] as const),
    ],
    [
      'cwx_fake_journal_entries_evicted_total',
      'Journal entries discarded to stay within the limits.',
      [],
      [[{}, evicted]],
    ],
    [
      'cwx_fake_event_streams_cut_off_total',
      'Event streams cut off because the reader was too slow.',
      [],
      [[{}, metrics.cutOff]],
    ],
  ];
}

function gauges({ session, feeds }: MetricSources): Array<readonly [name: string, help: string, value: number]> {
  const { store } = session.settings;
  return [
    ['cwx_fake_sandboxes', 'Live sandboxes.', session.sandboxes.list().length],
    ['cwx_fake_memory_used_bytes', 'Approximate memory of the sandboxes.', session.sandboxes.memory.used],
    ['cwx_fake_memory_limit_bytes', 'Limit of that memory (--max-memory).', session.sandboxes.memory.limit],
    ['cwx_fake_store_up', 'Whether the store of sandboxes is available.', store.trouble === undefined ? 1 : 0],
    ['cwx_fake_event_streams', 'Open event streams.', feeds.size],
  ];
}

function rowsOf(byStatus: ReadonlyMap<number, number>, labels: Readonly<Record<string, string>>): Rows {
  return [...byStatus].map(([status, value]) => {
    const shown = status === OTHER_STATUS ? 'other' : String(status);
    return [{ ...labels, status: shown }, value] as const;
  });
}

function count({ Counter }: Prometheus, registry: RegistryOf, [name, help, labels, rows]: Counting): void {
  const counter: CounterOf = new Counter({ name, help, labelNames: labels, registers: [registry] });
  for (const [values, value] of rows) counter.inc({ ...values }, value);
}

/** A histogram with counts from elsewhere: the library accepts only single durations. */
function durations({ Histogram }: Prometheus, metrics: Metrics) {
  const name = 'cwx_fake_request_duration_seconds';
  const help = 'Duration of requests to operations, from arrival to response.';
  const values = [...metrics.operations].flatMap(([operation, asked]) => durationsOf(name, operation, asked));
  class Counted extends Histogram {
    override async get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
      return { ...(await super.get()), values };
    }

    /** What the registry calls to get the values. */
    getForPromString() {
      return { name, help, type: 'histogram', values };
    }
  }
  return new Counted({ name, help, registers: [] });
}

function durationsOf(name: string, operation: string, { durations: counts, seconds }: OperationMetrics) {
  let sum = 0;
  const buckets = [...DURATIONS, '+Inf'].map((le, i) => {
    sum += counts[i] ?? 0;
    return { metricName: `${name}_bucket`, labels: { operation, le }, value: sum };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: { operation }, value: seconds },
    { metricName: `${name}_count`, labels: { operation }, value: sum },
  ];
}

let shared: RegistryOf | undefined;

/** The library's metrics of the process, the same for every server in it. */
function ofProcess({ Registry, collectDefaultMetrics }: Prometheus): RegistryOf {
  if (shared !== undefined) return shared;
  shared = new Registry();
  collectDefaultMetrics({ register: shared, prefix: 'cwx_fake_' });
  return shared;
}
