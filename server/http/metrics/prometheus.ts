// What has been counted, in the text format of Prometheus, by prom-client: the one place that knows it. It is loaded when somebody first asks,
// and takes over what was counted until then.
import type {
  Counter as CounterOf,
  MetricObjectWithValues,
  MetricValueWithName,
  Registry as RegistryOf,
} from 'prom-client';
import type { Feeds } from '../../engine/events/feeds.js';
import type { Session } from '../../engine/sandbox/session.js';
import { DURATIONS, type Metrics, type OperationMetrics, OTHER_STATUS } from './metrics.js';

export interface Counted {
  readonly session: Session;
  readonly metrics: Metrics;
  readonly feeds: Feeds;
}

type Prometheus = typeof import('prom-client');
type Rows = ReadonlyArray<readonly [labels: Readonly<Record<string, string>>, value: number]>;

/** One counter, with the names of its labels. */
type Counting = readonly [name: string, help: string, labels: readonly string[], rows: Rows];

/** Writes what has been counted up to now. */
export async function metricsText(counted: Counted): Promise<string> {
  const prometheus = (await import('prom-client')).default;
  const registry = new prometheus.Registry();
  for (const counting of [...ofRequests(counted), ...ofSandboxes(counted)]) count(prometheus, registry, counting);
  for (const [name, help, value] of gauges(counted)) {
    new prometheus.Gauge({ name, help, registers: [registry] }).set(value);
  }
  registry.registerMetric(durations(prometheus, counted.metrics));
  return `${await registry.metrics()}\n${await ofProcess(prometheus).metrics()}`;
}

function ofRequests({ metrics }: Counted): readonly Counting[] {
  const { operations, endpoints, bodies } = metrics;
  return [
    [
      'cwx_fake_requests_total',
      'Requests that were answered, by operation (none: a path that is none), status, and whether a fault took the place of the answer.',
      ['operation', 'status', 'injected'],
      [...operations].flatMap(([operation, asked]) => [
        ...rowsOf(asked.answered, { operation, injected: 'no' }),
        ...rowsOf(asked.injected, { operation, injected: 'yes' }),
      ]),
    ],
    [
      'cwx_fake_control_requests_total',
      'Requests to the control API, by endpoint (none: a path that is none) and status.',
      ['endpoint', 'status'],
      [...endpoints].flatMap(([endpoint, asked]) => rowsOf(asked.answered, { endpoint })),
    ],
    [
      'cwx_fake_faults_fired_total',
      'Faults that took the place of an answer, by operation.',
      ['operation'],
      [...operations].flatMap(([operation, { injected }]) =>
        injected.size === 0 ? [] : [[{ operation }, [...injected.values()].reduce((a, b) => a + b, 0)] as const],
      ),
    ],
    [
      'cwx_fake_bodies_refused_total',
      'Bodies that were refused because they could not be read, by what was wrong.',
      ['kind'],
      [...bodies].map(([kind, value]) => [{ kind }, value] as const),
    ],
  ];
}

function ofSandboxes({ session, metrics }: Counted): readonly Counting[] {
  const evicted = session.list().reduce((sum, { journal }) => sum + journal.evicted, metrics.evictedBefore);
  return [
    ['cwx_fake_sandboxes_created_total', 'Sandboxes that were made.', [], [[{}, metrics.created]]],
    [
      'cwx_fake_sandboxes_ended_total',
      'Sandboxes that are no more, by why: dropped, expired, or evicted because there were too many.',
      ['why'],
      Object.entries(metrics.left).map(([why, value]) => [{ why }, value] as const),
    ],
    [
      'cwx_fake_journal_entries_evicted_total',
      'Journal entries that were let go to keep within the bounds.',
      [],
      [[{}, evicted]],
    ],
    ['cwx_fake_event_streams_cut_off_total', 'Readers of events that did not keep up.', [], [[{}, metrics.cutOff]]],
  ];
}

function gauges({ session, feeds }: Counted): Array<readonly [name: string, help: string, value: number]> {
  const { store } = session.settings;
  return [
    ['cwx_fake_sandboxes', 'Sandboxes that are live.', session.list().length],
    ['cwx_fake_memory_used_bytes', 'What requests have made the server keep, roughly.', session.memory.used],
    ['cwx_fake_memory_limit_bytes', 'What they may (--max-memory).', session.memory.limits.total],
    ['cwx_fake_store_up', 'Whether the store of sandboxes can be used.', store.trouble === undefined ? 1 : 0],
    ['cwx_fake_event_streams', 'Readers that listen to events.', feeds.size],
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

/** A histogram that was counted elsewhere: the library takes single durations only. */
function durations({ Histogram }: Prometheus, metrics: Metrics) {
  const name = 'cwx_fake_request_duration_seconds';
  const help = 'How long requests to operations took, from their arrival to their answer.';
  const values = [...metrics.operations].flatMap(([operation, asked]) => durationsOf(name, operation, asked));
  class Counted extends Histogram {
    override async get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
      return { ...(await super.get()), values };
    }

    /** What the registry asks where there is one. */
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

/** What the library knows of the process: the same for every server in it. */
function ofProcess({ Registry, collectDefaultMetrics }: Prometheus): RegistryOf {
  if (shared !== undefined) return shared;
  shared = new Registry();
  collectDefaultMetrics({ register: shared, prefix: 'cwx_fake_' });
  return shared;
}
