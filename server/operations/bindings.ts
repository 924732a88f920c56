// The endpoints: paths with the operations that share them, for routing and 405 answers.
import { operations, restResources } from './catalog.js';
import type { Family, Operation, ResourceFamily } from './operation.js';
import type { RestResource } from './rest-api/resource.js';

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

/** A path of Confluence or Jira with its resources by method; empty if there is none. */
export interface ResourceEndpoint {
  readonly family: ResourceFamily;
  readonly path: string;
  readonly operations: readonly RestResource[];
}
export type AnyEndpoint = Endpoint | ResourceEndpoint;

/** Paths without parameters come first: `content/search` is not a content named search. */
export const resourceEndpoints: readonly ResourceEndpoint[] = [...new Set(restResources.map(pathOf))]
  .map(place => {
    const sharing = restResources.filter(other => pathOf(other) === place);
    const { family, path } = sharing[0] as RestResource; // it is there by one of them
    return { family, path, operations: sharing };
  })
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

function pathOf({ family, path }: RestResource): string {
  return `${family}${path}`;
}

/** The endpoint of all other paths of Confluence or Jira, which refuses. */
const ELSEWHERE = '/*';
const nowhere: Readonly<Record<ResourceFamily, ResourceEndpoint>> = {
  confluence: { family: 'confluence', path: ELSEWHERE, operations: [] },
  jira: { family: 'jira', path: ELSEWHERE, operations: [] },
  'jira-auth': { family: 'jira-auth', path: ELSEWHERE, operations: [] },
};

export function nothingThere(family: ResourceFamily): ResourceEndpoint {
  return nowhere[family];
}
