// The query parameter `expand`, which any request may carry. Whether an answer has something of that name is not its business.
import type { Rules } from './document/rule.js';

export const expandRules = {
  'expand.list': { says: 'expand takes a list of names, separated by commas.', source: '2, Expansion, first point' },
  'expand.nested': {
    says: 'A dot in a name of expand leads into another entity.',
    source: '2, Expansion, second point',
  },
} as const satisfies Rules;

/** One name of the list, step by step: `body.view` is `['body', 'view']`. */
export type Expansion = readonly string[];

/** The names that one or several `expand` parameters list, in order, each once; empty ones are passed over. */
export function parseExpand(values: readonly string[]): Expansion[] {
  const names = values.flatMap(value => value.split(',').map(name => name.trim())).filter(name => name !== '');
  return [...new Set(names)].map(name => name.split('.'));
}
