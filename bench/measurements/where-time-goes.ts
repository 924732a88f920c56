// Where the time of a request goes, by who wrote the code, while the server is under load: what `--profile` prints.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../../tests/support/measuring/table.js';
import { type Running, start } from '../harness/child.js';
import { type CpuProfile, type Share, summary } from '../harness/cpu-profile.js';
import { changing, SPARE_USERS } from '../harness/memberships.js';
import { scratch } from '../harness/places.js';
import type { Effort } from '../harness/rounds.js';
import { fakeWith } from '../harness/world.js';

const MEMBERS = 100_000;
const MAX_GROUPS = 24;
const MAX_FUNCTIONS = 32;

export async function whereTimeGoes(effort: Effort): Promise<Table> {
  const server = await start({ ...fakeWith(MEMBERS, SPARE_USERS), script: 'modules/cli/cli.js' });
  try {
    const { groups, functions } = summary(await profileOf(server, effort));
    return {
      title: 'Where the time goes',
      note: `Self time of the server under load, without idle time; groups, then functions. Each request changes 3 memberships of a group of ${MEMBERS}.`,
      columns: ['code', 'share'],
      rows: [...rowsOf(groups.slice(0, MAX_GROUPS)), ['', ''], ...rowsOf(functions.slice(0, MAX_FUNCTIONS))],
    };
  } finally {
    await server.stop();
  }
}

async function profileOf(server: Running, { seconds, load, say }: Effort): Promise<CpuProfile> {
  const requests = changing();
  const file = join(scratch, 'server.cpuprofile');
  await load.during(2, server.url, requests);
  await server.ask({ ask: 'profile' });
  const tally = await load.during(seconds, server.url, requests);
  await server.ask({ ask: 'end-profile', file });
  say(`${tally.requests} requests while profiled, ${tally.errors} errors`);
  return JSON.parse(readFileSync(file, 'utf8')) as CpuProfile; // as V8 writes it
}

function rowsOf(shares: readonly Share[]): string[][] {
  return shares.map(({ name, share }) => [name, `${(share * 100).toFixed(1)} %`]);
}
