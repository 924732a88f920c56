// The values that the generators of a request take from its states.
import { isObject } from '../../domain/patch.js';
import type { Json } from '../contract.js';

/** The names in the expressions of its generators, each once: `pageId` in `/pages/${pageId}`. */
export function takenValues({ generators }: Json): readonly string[] {
  return [...new Set(expressionsIn(generators).flatMap(namesIn))];
}

/** Generators are given for a part of the request, or below it by name or path. */
function expressionsIn(part: unknown): string[] {
  if (!isObject(part)) return [];
  if (part.type === 'ProviderState') return typeof part.expression === 'string' ? [part.expression] : [];
  return Object.values(part).flatMap(expressionsIn);
}

/** An expression without `${…}` is itself a name. */
function namesIn(expression: string): string[] {
  const named = [...expression.matchAll(/\$\{([^}]+)\}/g)].map(([, name = '']) => name);
  return named.length > 0 || expression === '' ? named : [expression];
}
