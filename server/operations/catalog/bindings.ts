// The endpoints: paths with the operations that share them, for routing and 405 responses.

import { type Endpoint, sharedPaths } from '../endpoint.js';
import type { Family, Operation, ResourceFamily } from '../operation.js';
import type { RestResource } from '../rest-api/resource.js';
import { operations, restResources } from './catalog.js';

/** A path with the operations that share it. */
export interface OperationPath {
  readonly family: Family;
  readonly path: string;
  readonly operations: readonly Operation[];
}

export const endpoints: readonly OperationPath[] = (['wiki', 'ppf'] as const).flatMap(family =>
  pathsOf(family, operations),
);

/** A path of Confluence or Jira with its resources by method; empty if there is none. */
export interface ResourcePath {
  readonly family: ResourceFamily;
  readonly path: string;
  readonly operations: readonly RestResource[];
}
export type AnyPath = OperationPath | ResourcePath;

/** Paths without parameters come first: `content/search` is not a content named search. */
export const resourceEndpoints: readonly ResourcePath[] = (['confluence', 'jira', 'jira-auth'] as const)
  .flatMap(family => pathsOf(family, restResources))
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

function pathsOf<F extends string, E extends Endpoint & { readonly family: F }>(family: F, all: readonly E[]) {
  const own = all.filter(endpoint => endpoint.family === family);
  return sharedPaths(own).map(({ path, endpoints: sharing }) => ({ family, path, operations: sharing }));
}

/** The endpoint of all other paths of Confluence or Jira, which refuses. */
const ELSEWHERE = '/*';
const nowhere: Readonly<Record<ResourceFamily, ResourcePath>> = {
  confluence: { family: 'confluence', path: ELSEWHERE, operations: [] },
  jira: { family: 'jira', path: ELSEWHERE, operations: [] },
  'jira-auth': { family: 'jira-auth', path: ELSEWHERE, operations: [] },
};

export function nothingThere(family: ResourceFamily): ResourcePath {
  return nowhere[family];
}
