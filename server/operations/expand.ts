// Parses the query parameter `expand`, which any request may have.
import type { Rules } from './document/rule.js';

export const expandRules = {
  'expand.list': { says: 'expand takes a list of names, separated by commas.', source: '2, Expansion, first point' },
  'expand.nested': {
    says: 'A dot in an expand name leads into another entity.',
    source: '2, Expansion, second point',
  },
} as const satisfies Rules;

/** One name of the list, step by step: `body.view` is `['body', 'view']`. */
export type Expansion = readonly string[];

/** The distinct names in all `expand` parameters, in order, without empty ones. */
export function parseExpand(values: readonly string[]): Expansion[] {
  const names = values.flatMap(value => value.split(',').map(name => name.trim())).filter(name => name !== '');
  return [...new Set(names)].map(name => name.split('.'));
}
