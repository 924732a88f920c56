// `npm run bench`: takes the measurements that the README lists and prints each as a Markdown table. Asserts nothing.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { describeMachine } from '../tests/support/measuring/machine.js';
import { markdown, type Table } from '../tests/support/measuring/table.js';
import type { Effort } from './harness/compare.js';
import { peers } from './measurements/peers.js';
import { profile } from './measurements/profile.js';
import { stores } from './measurements/stores.js';

const measurements: Readonly<Record<string, (effort: Effort) => Promise<readonly Table[]>>> = {
  peers,
  profile,
  stores,
};

const { values } = parseArgs({
  options: {
    /** A measurement; repeatable. Default: all. */
    only: { type: 'string', multiple: true, default: Object.keys(measurements) },
    rounds: { type: 'string' },
    /** Of each load. */
    seconds: { type: 'string' },
    /** One round of a second, without waiting for a calm machine. */
    quick: { type: 'boolean', default: false },
  },
});
const effort: Effort = {
  rounds: Number(values.rounds ?? (values.quick ? 1 : 3)),
  seconds: Number(values.seconds ?? (values.quick ? 1 : 6)),
  isQuick: values.quick,
  say: line => console.error(`  ${line}`),
};
for (const name of ['rounds', 'seconds'] as const)
  if (!(Number.isInteger(effort[name]) && effort[name] > 0)) throw new Error(`--${name} must be a whole number from 1`);
const chosen = values.only.map(name => {
  const measure = measurements[name];
  if (measure === undefined)
    throw new Error(`no measurement ${name}; there are ${Object.keys(measurements).join(', ')}`);
  return measure;
});

// What is measured runs as plain JavaScript, without the loader that runs this file.
const { status } = spawnSync('npx', ['--no-install', 'tsc', '-p', 'bench/tsconfig.json'], { stdio: 'inherit' });
if (status !== 0) throw new Error('the bench does not build');
console.log(`${describeMachine()}; command: npm run bench -- ${process.argv.slice(2).join(' ')}\n`);
for (const measure of chosen) for (const table of await measure(effort)) console.log(markdown(table));
