// How long a user waits from the command to the first answer, whole process, and how much memory that takes.
import { get } from 'node:http';
import { type Program, start } from '../harness/child.js';
import type { Effort } from '../harness/rounds.js';
import { mebibytes, spread } from '../harness/statistics.js';
import type { Table } from '../harness/table.js';

const LEAST_ROUNDS = 7;
const serve = (...scenario: string[]): Program => ({
  script: 'server/cli.js',
  args: ['serve', ...scenario, '--port', '0'],
});
const programs: ReadonlyArray<readonly [name: string, program: Program, path: string]> = [
  ['bare Koa', { script: 'bench/peers/bare-koa.js' }, '/'],
  ['koa-bodyparser, @koa/router, ajv', { script: 'bench/peers/plain-koa.js' }, '/'],
  ['**cwx-fake serve** (small-team)', serve(), '/_fake/health'],
  ['cwx-fake serve large', serve('large'), '/_fake/health'],
];

export async function firstAnswer({ rounds, say }: Effort): Promise<Table> {
  const taken = programs.map(() => [] as number[]);
  for (let round = 0; round <= Math.max(rounds, LEAST_ROUNDS); round += 1) {
    for (const [i, [name, program, path]] of programs.entries()) {
      const time = await timed(program, path);
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

async function timed(program: Program, path: string): Promise<number> {
  const began = performance.now();
  const server = await start({ ...program, gauge: false });
  await answered(`${server.url}${path}`);
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

function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, response => response.resume().once('end', () => resolve()));
    request.once('error', reject);
  });
}
