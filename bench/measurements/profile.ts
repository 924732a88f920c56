// Where the time of a request goes, by who wrote the code, while the server is under load.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { percent } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { start } from '../harness/child.js';
import type { Effort } from '../harness/compare.js';
import { type CpuProfile, summary } from '../harness/cpu-profile.js';
import { load } from '../harness/load.js';
import { scratch } from '../harness/places.js';
import { changing, SPARE_USERS } from '../harness/requests.js';
import { fakeWith } from '../harness/world.js';

const MAX_GROUPS = 24;
const MAX_FUNCTIONS = 32;

export async function profile({ seconds, say }: Effort): Promise<readonly Table[]> {
  const fixture = 'generate: { users: 100000, groups: 1 }';
  const server = await start({ ...fakeWith(fixture, SPARE_USERS), script: 'modules/cli/cli.js' });
  const file = join(scratch, 'server.cpuprofile');
  try {
    await load(server.url, changing(), 2);
    await server.ask({ ask: 'profile' });
    const { requests, errors } = await load(server.url, changing(), seconds);
    await server.ask({ ask: 'end-profile', file });
    say(`${requests} requests while profiled, ${errors} errors`);
  } finally {
    await server.stop();
  }
  const { groups, functions } = summary(JSON.parse(readFileSync(file, 'utf8')) as CpuProfile); // as V8 writes it
  const rows = [...groups.slice(0, MAX_GROUPS), ...functions.slice(0, MAX_FUNCTIONS)];
  return [
    {
      title: 'Where the time goes',
      note: 'Self time of the server under load, without idle time: groups, then functions. A group of 100,000.',
      columns: ['code', 'share'],
      rows: rows.map(({ name, share }) => [name, percent(share)]),
    },
  ];
}
