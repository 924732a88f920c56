// Which entries of a journal a program asks for: a name that there is not would match nothing in silence. Reads no journal.
import { nearest } from '../engine/nearest.js';
import { found } from '../engine/request/validate.js';
import { operations, rules } from '../operations/catalog.js';
import { gapIds } from '../operations/gaps.js';
import type { EntryFilter } from './api.js';
import { FakeError } from './fake-error.js';
import { unknownKeys } from './options.js';

const keys = ['operation', 'status', 'rule', 'gap', 'caller', 'fault', 'unmatched', 'since', 'limit'];

/** What a program without types can get wrong. */
const kinds: Readonly<Record<string, 'number' | 'boolean'>> = {
  status: 'number',
  fault: 'boolean',
  unmatched: 'boolean',
  since: 'number',
  limit: 'number',
};

/** Fails where the filter names what there is not, with the nearest. */
export function checkFilter(filter: EntryFilter): void {
  const { operation, rule, gap } = filter;
  const problems = [
    ...unknownKeys(filter, keys, 'the journal'),
    ...unknown(
      'operation',
      operation,
      operations.map(({ id }) => id),
    ),
    ...Object.entries(kinds).flatMap(([name, kind]) => misfitting(name, kind, filter)),
    ...unknown('rule', rule, Object.keys(rules)),
    ...unknown('gap', gap, gapIds),
  ];
  if (problems.length > 0) throw new FakeError('The journal cannot be asked so', problems);
}

function unknown(kind: string, name: string | undefined, names: readonly string[]) {
  if (name === undefined || names.includes(name)) return [];
  return [{ message: `There is no ${kind} ${JSON.stringify(name)}${nearest(name, names)}.`, pointer: `/${kind}` }];
}

function misfitting(name: string, kind: 'number' | 'boolean', filter: EntryFilter) {
  const value: unknown = filter[name as keyof EntryFilter];
  if (value === undefined) return [];
  const takes = kind === 'boolean' ? 'true or false' : 'a whole number';
  const isRight = kind === 'boolean' ? typeof value === 'boolean' : Number.isInteger(value);
  if (isRight && !(name === 'limit' && Number(value) < 1)) return [];
  const from = name === 'limit' ? `${takes} from 1` : takes;
  return [{ message: `it takes ${from}, and it is ${found(value)}`, pointer: `/${name}` }];
}
