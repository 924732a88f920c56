// The endpoints: paths with the operations that share them, for routing and 405 answers.
import { hostResources, operations } from './catalog.js';
import type { Family, HostFamily, Operation } from './operation.js';
import type { HostResource } from './rest-api/resource.js';

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

/** A path of a host with its resources by method; empty if there is none. */
export interface HostEndpoint {
  readonly family: HostFamily;
  readonly path: string;
  readonly operations: readonly HostResource[];
}
export type AnyEndpoint = Endpoint | HostEndpoint;

/** Paths without parameters come first: `content/search` is not a content named search. */
export const hostEndpoints: readonly HostEndpoint[] = [...new Set(hostResources.map(pathOf))]
  .map(place => {
    const sharing = hostResources.filter(other => pathOf(other) === place);
    const { family, path } = sharing[0] as HostResource; // it is there by one of them
    return { family, path, operations: sharing };
  })
  .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));

function pathOf({ family, path }: HostResource): string {
  return `${family}${path}`;
}

/** The endpoint of all other paths of a host, which refuses. */
const ELSEWHERE = '/*';
const nowhere: Readonly<Record<HostFamily, HostEndpoint>> = {
  'wiki-host': { family: 'wiki-host', path: ELSEWHERE, operations: [] },
  'tracker-host': { family: 'tracker-host', path: ELSEWHERE, operations: [] },
  'tracker-auth': { family: 'tracker-auth', path: ELSEWHERE, operations: [] },
};

export function nothingThere(family: HostFamily): HostEndpoint {
  return nowhere[family];
}
