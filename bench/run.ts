// Takes the measurements that the README lists and prints each as a Markdown table. Measures nothing itself, asserts nothing.
import { spawnSync } from 'node:child_process';
import { describeMachine } from '../tests/support/measuring/machine.js';
import { markdown, type Table } from '../tests/support/measuring/table.js';
import { chooseLoad } from './harness/load.js';
import { type Options, readOptions } from './harness/options.js';
import type { Effort } from './harness/rounds.js';
import { addUsers } from './measurements/add-users.js';
import { build } from './measurements/build.js';
import { endurance } from './measurements/endurance.js';
import { firstResponse } from './measurements/first-response.js';
import { groupSizes } from './measurements/group-sizes.js';
import { changes, engine, sandboxes, travel } from './measurements/in-process.js';
import { library } from './measurements/library.js';
import { peers } from './measurements/peers.js';
import { stalls } from './measurements/stalls.js';
import { stores } from './measurements/stores.js';
import { verify } from './measurements/verify.js';
import { whereTimeGoes } from './measurements/where-time-goes.js';

type Measure = (effort: Effort) => Promise<Table | readonly Table[]>;

const measurements: Readonly<Record<string, Measure>> = {
  'add-users': addUsers,
  peers,
  'group-sizes': groupSizes,
  engine,
  sandboxes,
  changes,
  travel,
  library,
  'first-response': firstResponse,
  build,
  endurance,
  verify,
  stalls,
  stores,
};

await main(readOptions(process.argv.slice(2)));

async function main(options: Options): Promise<void> {
  if (options.list) return console.log(Object.keys(measurements).join('\n'));
  const chosen = options.profile ? [whereTimeGoes] : named(options.only);
  buildBench();
  const load = chooseLoad(options.load);
  const say = (line: string) => console.error(`  ${line}`);
  console.log(`${describeMachine()}; load: ${load.name}; command: ${commandLine()}\n`);
  for (const measure of chosen) {
    const { rounds, seconds, isQuick, rows } = options;
    const measured = [await measure({ rounds, seconds, isQuick, rows, load, say })].flat();
    for (const table of measured) console.log(markdown(table));
  }
}

function named(only: readonly string[]): Measure[] {
  if (only.length === 0) return Object.values(measurements);
  return only.map(name => {
    const measure = measurements[name];
    if (measure === undefined)
      throw new Error(`no measurement ${name}; there are ${Object.keys(measurements).join(', ')}`);
    return measure;
  });
}

/** What is measured runs as plain JavaScript, without the loader that runs this file. */
function buildBench(): void {
  const { status } = spawnSync('npx', ['--no-install', 'tsc', '-p', 'bench/tsconfig.json'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the bench does not build');
}

function commandLine(): string {
  const flags = process.argv.slice(2);
  return flags.length === 0 ? 'npm run bench' : `npm run bench -- ${flags.join(' ')}`;
}
