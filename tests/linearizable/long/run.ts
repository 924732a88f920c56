// `npm run linearizable`: three servers on one Redis, or on a Cluster of three masters, 100,000 operations through each on four hot sandboxes, kills in
// between, and the check of every response. Prints its figures, and exits with 1 where it finds something.
import { parseArgs } from 'node:util';
import { describeMachine } from '../../support/measuring/machine.js';
import { markdown } from '../../support/measuring/table.js';
import { built } from '../../support/processes/built.js';
import { check } from '../checking/check.js';
import { problemOf, readKept } from '../kept.js';
import { commandOf, tryOut } from '../trial.js';
import { runTable } from './run-table.js';

const { values } = parseArgs({
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
    lanes: { type: 'string', default: '8' },
    kills: { type: 'string', default: '3' },
    cluster: { type: 'boolean', default: false },
    check: { type: 'string' },
  },
});
const say = (line: string) => console.error(`  ${line}`);
const trial = {
  seed: wholeNumber('--seed', values.seed, 0),
  operations: wholeNumber('--operations', values.operations, 1),
  lanes: wholeNumber('--lanes', values.lanes, 1),
  kills: wholeNumber('--kills', values.kills, 0),
  isCluster: values.cluster,
  say,
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)); // what it has started ends with it
process.exit(values.check === undefined ? await tryAll() : checkAgain(values.check));

async function tryAll(): Promise<number> {
  const machine = describeMachine(false);
  await built();
  const tried = await tryOut(trial);
  console.log(`${machine}; command: ${commandOf(trial)}\n`);
  console.log(markdown(runTable(trial, tried)));
  return tell(tried.problem);
}

/** A history that a run before has kept. */
function checkAgain(file: string): number {
  const histories = readKept(file);
  return tell(problemOf(check(histories), histories, [], `npm run linearizable -- --check ${file}`));
}

function tell(problem: string): number {
  console.log(problem === '' ? 'Linearizable: nothing was lost, applied twice, or seen out of order.' : problem);
  return problem === '' ? 0 : 1;
}

function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`${flag} must be a whole number from ${least} on, not ${JSON.stringify(text)}`);
}
