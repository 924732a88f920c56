// The paths with the operations that share them: the one table that routing and 405 answers come from.
// Knows no router.
import { operations } from './catalog.js';
import type { Family, Operation } from './operation.js';

/** A path with the operations that share it. */
export interface Endpoint {
  readonly family: Family;
  readonly path: string;
  readonly operations: readonly Operation[];
}

export const endpoints: readonly Endpoint[] = operations.reduce<Endpoint[]>((found, operation) => {
  const { family, path } = operation;
  const others = found.filter(endpoint => endpoint.family !== family || endpoint.path !== path);
  const sharing = operations.filter(other => other.family === family && other.path === path);
  return [...others, { family, path, operations: sharing }];
}, []);
