// What a run is asked for on the command line. Knows no mutant.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export interface Options {
  /** Scenario files, or folders of them: the suite that is to catch the mutants. */
  readonly scenarios: readonly string[];
  /** The same, for what gets past these: it is told apart. `none` on the command line: nothing. */
  readonly also: readonly string[];
  /** Parts of the names of files to mutate; empty: all of them. */
  readonly only: readonly string[];
  /** Whether what is told and what is the fake's own is tried too, and not only behaviour. */
  readonly all: boolean;
  /** How many mutants are tried, drawn by `seed`; absent: all of them. */
  readonly sample?: number;
  readonly seed: number;
  readonly workers: number;
  /** Percent of the mutants of behaviour that are to be caught. */
  readonly atLeast: number;
  /** Where everything that was found is written as JSON. */
  readonly json?: string;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      scenarios: { type: 'string', multiple: true, default: ['scenarios/rules'] },
      also: { type: 'string', multiple: true, default: ['scenarios/gaps'] },
      only: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean', default: false },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      'at-least': { type: 'string', default: '90' },
      json: { type: 'string' },
    },
  });
  return {
    scenarios: values.scenarios.flatMap(names => names.split(',')),
    also: values.also.flatMap(names => names.split(',')).filter(name => name !== 'none'),
    only: values.only.flatMap(names => names.split(',')),
    all: values.all,
    ...(values.sample !== undefined && { sample: within('--sample', values.sample, 1, 1_000_000) }),
    seed: within('--seed', values.seed, 0, 2 ** 32 - 1),
    workers: within('--workers', values.workers, 1, 64),
    atLeast: within('--at-least', values['at-least'], 0, 100),
    ...(values.json !== undefined && { json: values.json }),
  };
}

function within(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > most) {
    throw new Error(`${flag} must be a whole number from ${least} to ${most}, and it is ${JSON.stringify(text)}`);
  }
  return value;
}
