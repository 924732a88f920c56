// What a run is asked for on the command line. Knows no measurement.
import { parseArgs } from 'node:util';

export interface Options {
  /** Names of measurements; empty: all of them. */
  readonly only: readonly string[];
  readonly seconds: number;
  readonly rounds: number;
  /** One round of a second, where nothing else is said, and no waiting for a calm machine where that may be left out. */
  readonly isQuick: boolean;
  readonly load: 'wrk' | 'sockets' | 'any';
  readonly profile: boolean;
  readonly list: boolean;
  /** Of `stalls`, only the rows with this text in their names. */
  readonly rows: string;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      load: { type: 'string', default: 'any' },
      profile: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      rows: { type: 'string', default: '' },
    },
  });
  return {
    only: values.only.flatMap(names => names.split(',')),
    seconds: within('--seconds', values.seconds ?? (values.quick ? '1' : '6'), 120),
    rounds: within('--rounds', values.rounds ?? (values.quick ? '1' : '3'), 50),
    isQuick: values.quick,
    load: loadOf(values.load),
    profile: values.profile,
    list: values.list,
    rows: values.rows,
  };
}

function within(flag: string, text: string, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Error(`${flag} must be a whole number from 1 to ${most}, and it is ${JSON.stringify(text)}`);
  }
  return value;
}

function loadOf(text: string): Options['load'] {
  if (text === 'wrk' || text === 'sockets' || text === 'any') return text;
  throw new Error(`--load must be wrk, sockets or any, and it is ${JSON.stringify(text)}`);
}
