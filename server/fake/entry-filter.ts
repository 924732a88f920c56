// Which entries of a journal a program asks for: a name that there is not would match nothing in silence. Reads no journal.
import { nearest } from '../engine/nearest.js';
import { operations, rules } from '../operations/catalog.js';
import { gapIds } from '../operations/gaps.js';
import type { EntryFilter } from './face.js';
import { FakeError } from './failure.js';
import { unknownKeys } from './options.js';

/** Fails where the filter names what there is not, with the nearest. */
export function checkFilter(filter: EntryFilter): void {
  const { operation, rule, gap } = filter;
  const problems = [
    ...unknownKeys(filter, ['operation', 'status', 'rule', 'gap', 'since'], 'the journal'),
    ...unknown(
      'operation',
      operation,
      operations.map(({ id }) => id),
    ),
    ...unknown('rule', rule, Object.keys(rules)),
    ...unknown('gap', gap, gapIds),
  ];
  if (problems.length > 0) throw new FakeError('The journal cannot be asked so', problems);
}

function unknown(kind: string, name: string | undefined, names: readonly string[]) {
  if (name === undefined || names.includes(name)) return [];
  return [{ message: `There is no ${kind} ${JSON.stringify(name)}${nearest(name, names)}.`, pointer: `/${kind}` }];
}
