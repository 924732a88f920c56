// What is measured inside one process, so that HTTP does not hide it: the engine by the size of the group, and sandboxes on a large world.

import { spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { run } from '../harness/child.js';
import type { Figure } from '../inside/clocked.js';

export function engine(): Promise<Table> {
  return table(
    'The engine alone',
    'engine',
    'The POST of the other tables without HTTP: from the request as a value to the journal entry.',
  );
}

export function sandboxes(): Promise<Table> {
  return table(
    'Sandboxes and heavy operations, in process',
    'sandboxes',
    'Session, journal and the store in memory, no HTTP. A world of 100,000 pages, 1,000 users, one group of 500.',
  );
}

export function changes(): Promise<Table> {
  return table(
    'What a sandbox keeps of its changes',
    'changes',
    'Of 20 sandboxes each, what one takes with its log and the states of the versions that are kept, without its journal; then one sandbox and a million.',
  );
}

export function travel(): Promise<Table> {
  return table(
    'Through the time of a sandbox',
    'travel',
    'Session and the store in memory, no HTTP. A world of 100,000 pages.',
  );
}

async function table(title: string, program: string, about: string): Promise<Table> {
  const flags = ['--expose-gc', '--max-old-space-size=8192'];
  const figures = JSON.parse(await run({ script: `bench/inside/${program}.js`, flags }, 0)) as Figure[]; // it prints nothing else
  return {
    title,
    note: `${about} Least / median / greatest of the batches.`,
    columns: ['what', 'least / median / greatest', 'unit'],
    rows: figures.map(({ what, unit, values }) => [what, spread(values), unit]),
  };
}
