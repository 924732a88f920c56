// The table of a run of `npm run linearizable`. Takes no figures itself.

import { digits } from '../../support/measuring/statistics.js';
import type { Table } from '../../support/measuring/table.js';
import { LOST_FOR_EACH_KILL, SANDBOXES, type Trial, type Tried } from '../trial.js';

export function runTable(trial: Trial, { recorder, checked, duration, problem }: Tried): Table {
  const { operations, acknowledged, unknown, unread, refused, took } = recorder.figures();
  const engine = trial.isCluster
    ? `a Cluster of 3 masters, ${trial.kills * SANDBOXES.length} slots moved`
    : `one Redis with an append-only file, ${trial.kills} × kill -9 and 0.3 s away, ${trial.kills * LOST_FOR_EACH_KILL} of its responses lost`;
  const unknowns = [...unknown].map(([why, count]) => [`outcome unknown: ${why}`, String(count)]);
  return {
    title: 'Linearizability',
    note: `3 replicas, ${trial.lanes} clients each, ${SANDBOXES.length} sandboxes; ${engine}; ${trial.kills} × kill -9 of a replica.`,
    columns: ['what', 'count'],
    rows: [
      ['operations', operations.toLocaleString('en-US')],
      ['acknowledged', acknowledged.toLocaleString('en-US')],
      ...unknowns,
      ['of these done', String(checked.doneUnknown)],
      ['refused, nothing done', String(refused)],
      ['reads without a response', String(unread)],
      ['journal entries', checked.entries.toLocaleString('en-US')],
      ['seconds', digits(duration / 1000)],
      ['operations a second', digits((operations / duration) * 1000)],
      ['answers in ms: p50 / p99 / worst', took.map(digits).join(' / ')],
      ['found wrong', problem === '' ? '0' : String(problem.split('\n').length - 1)],
    ],
  };
}
