// cwx-fake beside bare Koa, the usual stack and what a user would take in its place: the same POST to each, in one run.
import { resolve } from 'node:path';
import { isInstalled } from '../../tests/support/measuring/machine.js';
import { digits, mebibytes, median, percent, shareOf } from '../../tests/support/measuring/statistics.js';
import type { Table } from '../../tests/support/measuring/table.js';
import { type Contender, compare, type Effort, type Result } from '../harness/compare.js';
import { scratch } from '../harness/places.js';
import { changing, paths, SPARE_USERS } from '../harness/requests.js';
import { fakeWith, GROUP } from '../harness/world.js';
import { mockServers, versionOf } from '../peers/mock-servers.js';

export async function peers(effort: Effort): Promise<readonly Table[]> {
  const asked = { requests: changing() };
  const skipped: string[] = [];
  const contenders: Contender[] = [
    { name: 'bare Koa, body ignored, constant JSON', program: { script: 'bench/peers/bare-koa.js' }, ...asked },
    { name: 'koa-bodyparser, @koa/router, ajv', program: { script: 'bench/peers/plain-koa.js' }, ...asked },
    { name: '**cwx-fake**, a group of 10', program: fakeWith(recipe(10), SPARE_USERS), ...asked, starting },
    { name: '**cwx-fake**, a group of 100,000', program: fakeWith(recipe(100_000), SPARE_USERS), ...asked },
    { name: '**cwx-fake**, the world `large`', program: fakeWith('extends: large', SPARE_USERS), ...asked },
  ];
  for (const server of mockServers) {
    const found = versionOf(server, isInstalled);
    if ('problem' in found) {
      skipped.push(`Skipped: ${server.name}: ${found.problem}.`);
      continue;
    }
    const told = { paths, group: GROUP, openapi: resolve('contracts/openapi.json'), folder: scratch };
    const program = { command: (port: number) => server.command(port, told) };
    contenders.push({ ...asked, name: `${server.name} ${found.version}`, program });
  }
  for (const line of skipped) effort.say(line);
  return [peersTable(contenders, await compare(contenders, effort), skipped)];
}

/** As it starts by default: the measured worlds take longer to read. */
const starting = {
  program: { script: 'server/cli.js', args: ['serve', '--port', '0'] },
  request: `POST\t${paths[0]}\t{"group":"team-members","users":["alice","demouser2"]}`,
};

function recipe(users: number): string {
  return `generate: { users: ${users}, groups: 1 }`;
}

/** Shares and ratios are those of figures taken one right after the other, the median of them: what slows the machine slows neighbours alike. The second is the usual stack. */
export function peersTable(
  contenders: ReadonlyArray<Pick<Contender, 'name'>>,
  results: readonly Result[],
  skipped: readonly string[],
): Table {
  const [bare, usual] = results;
  return {
    title: 'The same POST to cwx-fake and to what stands in its place elsewhere',
    note: ['Three users, Basic credentials; each server on one processor, and warm.', ...skipped].join('\n'),
    columns: [
      ...['server', 'req/s', 'of the usual stack', 'CPU µs a request', 'p50 ms', 'p99 ms'],
      ...['start to first response, ms', 'of bare Koa', 'RSS after the load'],
    ],
    rows: results.map(({ rates, costs, p50, p99, errors, starts, rss }, i) => [
      errors === 0 ? `${contenders[i]?.name}` : `${contenders[i]?.name} (**${errors} errors**)`,
      digits(median(rates)),
      percent(shareOf(rates, usual?.rates)),
      digits(median(costs)),
      p50.toFixed(2),
      p99.toFixed(2),
      digits(median(starts)),
      `${shareOf(starts, bare?.starts).toFixed(2)} ×`,
      mebibytes(rss),
    ]),
  };
}
