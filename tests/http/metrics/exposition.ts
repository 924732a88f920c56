// Reads the text format of Prometheus (0.0.4) and is strict about it: what a scraper would refuse is an error here.

export interface Metric {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const suffixes: Readonly<Record<string, RegExp>> = { histogram: /_(bucket|sum|count)$/, summary: /_(sum|count)$/ };

/** The metrics of a text, by name. */
export function metricsIn(text: string): ReadonlyMap<string, Metric> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const metrics = new Map<string, Metric>();
  let help: readonly [string, string] | undefined;
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, helped, says] = new RegExp(`^# HELP (${NAME}) (.*)$`).exec(line) ?? [];
    const [, typed, type = ''] = new RegExp(`^# TYPE (${NAME}) (.*)$`).exec(line) ?? [];
    if (helped !== undefined) help = [helped, says ?? ''];
    else if (typed !== undefined) {
      if (metrics.has(typed)) throw new Error(`${typed} is there twice`);
      if (help?.[0] !== typed) throw new Error(`${typed} has no help before its type`);
      if (!TYPES.includes(type)) throw new Error(`${type} is no type`);
      metrics.set(typed, { type, help: help[1], samples: [] });
      current = typed;
    } else if (line.startsWith('#')) throw new Error(`neither help nor type: ${line}`);
    else addSample(metrics.get(current), current, sampleIn(line));
  }
  for (const [name, { type, samples }] of metrics) if (type === 'histogram') checkHistogram(name, samples);
  return metrics;
}

function sampleIn(line: string): Sample {
  const [, name = '', inner, value = ''] = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`).exec(line) ?? [];
  const number = numberIn(value);
  if (name === '' || number === undefined) throw new Error(`no sample: ${line}`);
  return { name, labels: labelsIn(inner ?? '', line), value: number };
}

/** As Go reads numbers, which is what the format asks for: `Nan`, as prom-client writes it, is one. */
function numberIn(text: string): number | undefined {
  if (/^nan$/i.test(text)) return Number.NaN;
  const [, sign] = /^([+-]?)inf(?:inity)?$/i.exec(text) ?? [];
  if (sign !== undefined) return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function labelsIn(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const [whole, name, value] = LABEL.exec(rest) ?? [];
    if (whole === undefined || name === undefined || name in labels) throw new Error(`no labels: ${line}`);
    labels[name] = (value ?? '').replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
    rest = rest.slice(whole.length);
  }
  return labels;
}

function addSample(metric: Metric | undefined, name: string, sample: Sample): void {
  if (metric === undefined || sample.name.replace(suffixes[metric.type] ?? /$^/, '') !== name)
    throw new Error(`${sample.name} stands below ${name}`);
  const key = JSON.stringify(Object.entries(sample.labels).sort());
  const isKnown = metric.samples.some(
    other => other.name === sample.name && JSON.stringify(Object.entries(other.labels).sort()) === key,
  );
  if (isKnown) throw new Error(`${sample.name}${key} is there twice`);
  if (metric.type !== 'gauge' && sample.value < 0) throw new Error(`${sample.name} is below zero`);
  metric.samples.push(sample);
}

/** Buckets go up, the last is +Inf, and it is the count. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const keyOf = ({ le: _, ...labels }: Readonly<Record<string, string>>) =>
    JSON.stringify(Object.entries(labels).sort());
  for (const key of new Set(samples.map(({ labels }) => keyOf(labels)))) {
    const own = samples.filter(({ labels }) => keyOf(labels) === key);
    const buckets = own.filter(sample => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le)));
    const isRising = buckets.every(
      ({ value }, i) => i === 0 || ((bounds[i] ?? 0) > (bounds[i - 1] ?? 0) && value >= (buckets[i - 1]?.value ?? 0)),
    );
    const count = own.find(sample => sample.name === `${name}_count`)?.value;
    const hasSum = own.some(sample => sample.name === `${name}_sum`);
    if (!isRising || !hasSum || bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== count)
      throw new Error(`${name}${key} is no histogram`);
  }
}
