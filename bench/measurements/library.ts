// What a test pays that uses the library. A fresh process for each round: the first fake of a process costs more than the second.

import { calm } from '../../tests/support/measuring/machine.js';
import { median, spread } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { run } from '../harness/child.js';
import type { Effort } from '../harness/rounds.js';
import type { Figure } from '../inside/clocked.js';

const MIN_ROUNDS = 9;

export async function library({ rounds, say }: Effort): Promise<Table> {
  const taken: Figure[][] = [];
  for (let round = 0; round <= Math.max(rounds, MIN_ROUNDS); round += 1) {
    await calm();
    const figures = JSON.parse(await run({ script: 'bench/inside/library.js', gauge: false }, 0)) as Figure[]; // it prints nothing else
    if (round > 0) taken.push(figures); // before that, files were read from the disk
    say(`round ${round}: ${figures.map(({ what, values }) => `${what} ${median(values).toFixed(1)}`).join(', ')}`);
  }
  const [first = []] = taken;
  return {
    title: 'The library',
    note: `Built, one processor, the default scenario. Of ${taken.length} processes, the median of each: least / median / greatest.`,
    columns: ['what', 'least / median / greatest', 'unit'],
    rows: first.map(({ what, unit }, i) => [
      what,
      spread(taken.map(figures => median(figures[i]?.values ?? []))),
      unit,
    ]),
  };
}
