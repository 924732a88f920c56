// Finds the endpoint of a path, or the family it belongs to.
import { decodes } from '../../engine/percent.js';
import { type AnyAddress, isResourceFamily, locate, locateResource } from '../../operations/address.js';
import { type AnyPath, endpoints, nothingThere, resourceEndpoints } from '../../operations/catalog/bindings.js';

export interface EndpointPlace {
  /** Absent: the path is no address of an API. */
  readonly address?: AnyAddress | undefined;
  /** Absent: there is no endpoint at that address. */
  readonly endpoint?: AnyPath | undefined;
  /** Absent: the path does not decode. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

const all: readonly AnyPath[] = [...endpoints, ...resourceEndpoints];
/** The paths without parameters, each behind its family. */
const literal: ReadonlyMap<string, AnyPath> = new Map(
  all.filter(({ path }) => !path.includes('{')).map(endpoint => [endpoint.family + endpoint.path, endpoint]),
);
/** The paths with parameters, each as a pattern with a group for each parameter. */
const patterns: ReadonlyArray<readonly [endpoint: AnyPath, pattern: RegExp]> = all
  .filter(({ path }) => path.includes('{'))
  .map(endpoint => [endpoint, new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)]);

/**
 * `path`: as sent. Operations win over resources of Confluence and Jira, which are searched only if they are served. Every path below a product's prefix
 * is answered as that product would, if only with its 404.
 */
export function findPlace(path: string, restApi = true): EndpointPlace {
  const address = locate(path) ?? (restApi ? locateResource(path) : undefined);
  const otherwise = address && isResourceFamily(address.family) ? nothingThere(address.family) : undefined;
  if (path.includes('%') && !decodes(path)) return { address, endpoint: otherwise };
  if (address === undefined) return { params: NO_PARAMS };
  const { family, rest } = address;
  const endpoint = literal.get(family + rest);
  if (endpoint !== undefined) return { address, endpoint, params: NO_PARAMS };
  for (const [candidate, pattern] of patterns) {
    const found = candidate.family === family ? pattern.exec(rest) : null;
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)] as const);
    return { address, endpoint: candidate, params: Object.fromEntries(params) };
  }
  return { address, endpoint: otherwise, params: NO_PARAMS };
}

/** Whether some method is served at an endpoint: not at the one of all other paths of a product. */
export function isServed(endpoint: AnyPath | undefined): boolean {
  return endpoint !== undefined && endpoint.operations.length > 0;
}
