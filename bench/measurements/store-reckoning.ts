// On paper, from what has just been measured: what a hundred thousand jobs of a company's CI need at once. Measures nothing.
import { digits, median } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import type { Course } from './store-rates.js';

const JOBS = 100_000;
const REQUESTS = 200;
const SECONDS = 60;
const CHANGED = 0.5;
/** Of a processor: what is left is for bursts, and for a replica that goes away. */
const LOAD = 0.5;
const MASTER_BYTES = 16 * 2 ** 30;
/** Of the memory of a master: what is left is for copies while it saves, and for buffers. */
const FILLED = 0.5;

/** `bytes`: of the keys of a sandbox, by the requests that it was asked. */
export function reckoning(courses: readonly Course[], bytes: ReadonlyMap<number, number>): Table {
  const bytesPerJob = bytes.get(REQUESTS) ?? Number.NaN;
  const change = costOf(courses, 'changes');
  const question = costOf(courses, 'questions');
  const rate = (JOBS * REQUESTS) / SECONDS;
  const each = (part: 'replicas' | 'engines') => CHANGED * change[part] + (1 - CHANGED) * question[part];
  const processors = (part: 'replicas' | 'engines') => (rate * each(part)) / 1e6;
  const memory = JOBS * bytesPerJob;
  const masters = Math.max(processors('engines') / LOAD, memory / (MASTER_BYTES * FILLED));
  const rows = [
    ['requests a second', `${digits(JOBS)} × ${REQUESTS} / ${SECONDS} s`, digits(rate)],
    reckoned('µs of a replica for each', change.replicas, question.replicas, each('replicas')),
    [
      'processors that replicas use',
      `${digits(rate)} × ${digits(each('replicas'))} / 1,000,000`,
      digits(processors('replicas')),
    ],
    [
      '**replicas**, one processor each, half busy',
      `${digits(processors('replicas'))} / ${LOAD}`,
      needed(processors('replicas') / LOAD),
    ],
    reckoned('µs of Redis for each', change.engines, question.engines, each('engines')),
    [
      'processors that Redis uses',
      `${digits(rate)} × ${digits(each('engines'))} / 1,000,000`,
      digits(processors('engines')),
    ],
    ['memory of all sandboxes', `${digits(JOBS)} × ${digits(bytesPerJob / 1000)} kB`, `${digits(memory / 1e9)} GB`],
    [
      'masters by processor, half busy',
      `${digits(processors('engines'))} / ${LOAD}`,
      needed(processors('engines') / LOAD),
    ],
    [
      'masters by memory, 16 GiB each, half full',
      `${digits(memory / 1e9)} / 8.59`,
      needed(memory / (MASTER_BYTES * FILLED)),
    ],
    ['**masters of a Cluster**', 'the greater of both', needed(masters)],
  ];
  return {
    title: `On paper: ${digits(JOBS)} jobs at once`,
    note: `Each job has a sandbox of its own and makes ${REQUESTS} requests in ${SECONDS} s, half of them changes of three memberships and half questions. The costs are the medians of one Redis, two replicas and 1,000 sandboxes above, where any request may come to any replica; on processors like these, loaded like these. The bytes are those of changes of one membership.`,
    columns: ['what', 'reckoned', 'gives'],
    rows,
  };
}

function costOf(courses: readonly Course[], asked: Course['asked']): { replicas: number; engines: number } {
  const course = courses.find(
    one => one.kind === 'redis' && one.replicas === 2 && one.sandboxes > 1 && one.asked === asked,
  );
  const runs = course?.runs ?? [];
  return { replicas: median(runs.map(run => run.replicas)), engines: median(runs.map(run => run.engines)) };
}

function reckoned(what: string, change: number, question: number, both: number): string[] {
  return [what, `${CHANGED} × ${digits(change)} + ${1 - CHANGED} × ${digits(question)}`, digits(both)];
}

function needed(count: number): string {
  return Number.isFinite(count) ? Math.ceil(count).toLocaleString('en-US') : '–';
}
