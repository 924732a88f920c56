// Whether memory stays as it is over a million requests that all change something.

import { digits, mebibytes } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { start } from '../harness/child.js';
import { sendExactly } from '../harness/load.js';
import { changing, SPARE_USERS } from '../harness/memberships.js';
import type { Effort } from '../harness/rounds.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 1_000;
const SAMPLES = 10;
const EACH = 100_000;

export async function endurance({ say }: Effort): Promise<Table> {
  const requests = changing();
  const fake = fakeWith(MEMBERS, SPARE_USERS);
  const server = await start({ ...fake, flags: [...(fake.flags ?? []), '--expose-gc'] });
  const rows: string[][] = [];
  try {
    for (let sample = 0; sample <= SAMPLES; sample += 1) {
      const tally = sample === 0 ? undefined : await sendExactly(EACH, server.url, requests);
      const { rss } = await server.ask({ ask: 'usage' });
      const { heap } = await server.ask({ ask: 'usage', collect: true });
      rows.push([digits(sample * EACH), mebibytes(rss), mebibytes(heap), String(tally?.errors ?? 0)]);
      say(`after ${sample * EACH} requests: RSS ${mebibytes(rss)}, heap ${mebibytes(heap)}`);
    }
  } finally {
    await server.stop();
  }
  return {
    title: 'Memory over a million requests',
    note: `Each request changes 3 memberships of a group of ${MEMBERS}, one sandbox, default limits. RSS as it stands, heap after a collection.`,
    columns: ['requests', 'RSS', 'live heap', 'errors'],
    rows,
  };
}
