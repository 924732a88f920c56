// `npm run soak`: the fuzz of tests/fuzz ten times as long, with forks and readers of events, and its figures as a table. Exits with 1 where it finds something.
import { parseArgs } from 'node:util';
import { type Report, type Trial, tryOut } from '../../tests/fuzz/run.js';
import { servedAlone } from '../../tests/fuzz/subject.js';
import { describeMachine } from '../harness/machine.js';
import { markdown } from '../harness/table.js';
import { pressure } from './pressure.js';
import { answersTable, memoryTable, triedTable } from './soak-tables.js';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 1000)) },
    lanes: { type: 'string', default: '12' },
    keep: { type: 'string' },
  },
});
/** Of this many requests one is sent again as an ordinary one beside the attacks, which take most of the server's time. */
const ATTACKED = 100;
const say = (line: string) => console.error(`  ${line}`);
const usual: Trial = {
  seed: wholeNumber('--seed', values.seed, 0),
  requests: wholeNumber('--requests', values.requests, 1_000),
  lanes: wholeNumber('--lanes', values.lanes, 1),
  isTimed: true,
  say,
  ...(values.keep !== undefined && { keep: values.keep }),
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1)); // the server goes with it
process.exitCode = await main();

async function main(): Promise<number> {
  const began = performance.now();
  say(`seed ${usual.seed}`);
  const kept = await tried({ ...usual, isThorough: true, looks: [0.05, 0.1, 0.2, 0.4, 0.6, 0.8] }, [
    '--journal',
    '1000',
  ]);
  const short = { ...usual, requests: Math.ceil(usual.requests / 10), isUnwritten: true };
  const unwritten = await tried(short, ['--journal', '0']);
  const written = await tried({ ...short, isUnwritten: false, seed: usual.seed + 1 }, ['--journal', '1000']);
  const pressed = await pressure(Math.ceil(usual.requests / ATTACKED), say);
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `${describeMachine(false)}; command: npm run soak -- --seed ${usual.seed} --requests ${usual.requests}; ${minutes} minutes\n`,
  );
  for (const table of [
    triedTable(kept),
    answersTable({ 'on, a million': kept, on: written, off: unwritten }),
    memoryTable(kept),
    pressed.table,
  ])
    console.log(markdown(table));
  const found = [
    ...[kept, unwritten, written].flatMap(({ findings }) => (findings.list.length > 0 ? [findings.render()] : [])),
    ...pressed.problems,
  ];
  console.log(found.length === 0 ? 'Nothing was found wrong.' : found.join('\n'));
  return found.length === 0 ? 0 : 1;
}

async function tried(trial: Trial, flags: readonly string[]): Promise<Report> {
  say(`${trial.requests} requests, serve ${flags.join(' ')}`);
  return tryOut(await servedAlone(flags), trial);
}

function wholeNumber(flag: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new Error(`${flag} must be a whole number from ${least} on, and it is ${JSON.stringify(text)}`);
}
