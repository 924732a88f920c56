// What came of a soak, as tables. Measures nothing.
import type { Report } from '../../tests/fuzz/run.js';
import { mebibytes } from '../harness/statistics.js';
import type { Table } from '../harness/table.js';

const count = (value: number) => value.toLocaleString('en-US');

export function triedTable({ counts }: Report): Table {
  const rows = [...counts.tried].sort(([, a], [, b]) => b - a).map(([kind, requests]) => [kind, count(requests)]);
  const further: ReadonlyArray<readonly [string, number]> = [
    ['**all**', counts.requests],
    ['of these bad: malformed, changed, cut off, reset', counts.bad],
    ['faults injected', counts.faultsFired],
    ['connections', counts.connections],
    ['answers that nobody waited for', counts.unheard],
    ['kinds of answers read by Node’s client as well', counts.secondOpinions],
    ['entries sent as events', counts.events],
    ['forks', counts.forks],
  ];
  return {
    title: 'What was tried',
    note: 'Requests by kind of case; a pipelined case holds several.',
    columns: ['kind', 'requests'],
    rows: [...rows, ...further.map(([what, number]) => [what, count(number)])],
  };
}

/** `reports`: by what the journal kept. */
export function answersTable(reports: Readonly<Record<string, Report>>): Table {
  const rows = Object.entries(reports).map(([journal, { counts, stopping }]) => {
    const sorted = Float64Array.from(counts.latencies).sort();
    const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2);
    const statuses = [...counts.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status} ${count(times)}`);
    return [journal, count(counts.requests), at(0.5), at(0.99), `${Math.round(stopping)}`, statuses.join(' · ')];
  });
  return {
    title: 'Plain requests among the others',
    note: 'Milliseconds from the last byte sent to the whole answer, on kept connections, while all the rest goes on beside them.',
    columns: ['journal', 'requests', 'p50 ms', 'p99 ms', 'stopped within ms', 'all answers by status'],
    rows,
  };
}

export function memoryTable({ held, counts }: Report): Table {
  const shares = ['before', '5 %', '10 %', '20 %', '40 %', '60 %', '80 %', 'the end'];
  return {
    title: 'What the server holds',
    note: `Heap and what is outside of it, after a collection, with every sandbox but \`default\` dropped; ${count(counts.requests)} requests in all.`,
    columns: ['after', 'held'],
    rows: held.map((bytes, i) => [shares[i] ?? '', mebibytes(bytes)]),
  };
}
