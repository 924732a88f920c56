// The values that an interaction takes from its states, by the generators of its request. Knows no state.
import { isObject } from '../../domain/form/patch.js';
import type { Json } from '../contract.js';

/** The names in the expressions of its generators, each once: `pageId` of `/pages/${pageId}`. */
export function takenValues({ generators }: Json): readonly string[] {
  return [...new Set(expressionsIn(generators).flatMap(namesIn))];
}

/** Generators stand by the part of the request, or below it by name or path. */
function expressionsIn(part: unknown): string[] {
  if (!isObject(part)) return [];
  if (part.type === 'ProviderState') return typeof part.expression === 'string' ? [part.expression] : [];
  return Object.values(part).flatMap(expressionsIn);
}

/** An expression without `${…}` is a name itself. */
function namesIn(expression: string): string[] {
  const named = [...expression.matchAll(/\$\{([^}]+)\}/g)].map(([, name = '']) => name);
  return named.length > 0 || expression === '' ? named : [expression];
}
