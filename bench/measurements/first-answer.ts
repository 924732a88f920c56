// How long a user waits from the command to the first answer of an operation, whole process, and how much memory that takes.
import { request } from 'node:http';
import { type Program, start } from '../harness/child.js';
import type { Effort } from '../harness/rounds.js';
import { mebibytes, spread } from '../harness/statistics.js';
import type { Table } from '../harness/table.js';

const LEAST_ROUNDS = 7;
const serve = (...scenario: string[]): Program => ({
  script: 'server/cli.js',
  args: ['serve', ...scenario, '--port', '0'],
});
const ADD_USERS = '/rest/cwxapiextension/latest/groups/add-users';
const programs: ReadonlyArray<readonly [name: string, program: Program, group: string]> = [
  ['bare Koa', { script: 'bench/peers/bare-koa.js' }, 'any'],
  ['koa-bodyparser, @koa/router, ajv', { script: 'bench/peers/plain-koa.js' }, 'any'],
  ['**cwx-fake serve** (small-team)', serve(), 'team-members'],
  ['cwx-fake serve large', serve('large'), 'all-users'],
];

export async function firstAnswer({ rounds, say }: Effort): Promise<Table> {
  const taken = programs.map(() => [] as number[]);
  for (let round = 0; round <= Math.max(rounds, LEAST_ROUNDS); round += 1) {
    for (const [i, [name, program, group]] of programs.entries()) {
      const time = await timed(program, group);
      if (round > 0) taken[i]?.push(time); // before that, files were read from the disk
      say(`round ${round}, ${name}: ${time.toFixed(0)} ms`);
    }
  }
  const rows: string[][] = [];
  for (const [i, [name, program]] of programs.entries()) {
    rows.push([name, spread(taken[i] ?? []), ...(await memory(program))]);
  }
  return {
    title: 'From start to first answer',
    note: 'Whole process, built, one processor, files in the cache of the system. Memory in a run of its own, right after the ready line.',
    columns: ['program', 'least / median / greatest ms', 'RSS when ready', 'peak RSS'],
    rows,
  };
}

async function timed(program: Program, group: string): Promise<number> {
  const began = performance.now();
  const server = await start({ ...program, gauge: false });
  await answered(`${server.url}${ADD_USERS}`, JSON.stringify({ group, users: ['alice'] }));
  const time = performance.now() - began;
  await server.stop();
  return time;
}

async function memory(program: Program): Promise<[string, string]> {
  const server = await start(program);
  const { rss, peakRss } = await server.ask({ ask: 'usage' });
  await server.stop();
  return [mebibytes(rss), mebibytes(peakRss)];
}

function answered(url: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(url, { agent: false, method: 'POST', headers }, response => {
      if (response.statusCode === 200) response.resume().once('end', () => resolve());
      else reject(new Error(`${url} answers ${response.statusCode}`));
    });
    asked.once('error', reject).end(body);
  });
}
