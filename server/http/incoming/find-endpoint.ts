// Finds the endpoint of a path, or the family it belongs to. Paths without parameters are found in a map, the others by their patterns.
import { decodes } from '../../engine/percent.js';
import { type AnyAddress, locate, locateResource } from '../../operations/address.js';
import { type AnyPath, endpoints, nothingThere, resourceEndpoints } from '../../operations/catalog/bindings.js';
import type { Family, ResourceFamily } from '../../operations/operation.js';

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
const literal: Readonly<Record<Family | ResourceFamily, ReadonlyMap<string, AnyPath>>> = {
  wiki: withoutParameters('wiki'),
  ppf: withoutParameters('ppf'),
  confluence: withoutParameters('confluence'),
  jira: withoutParameters('jira'),
  'jira-auth': withoutParameters('jira-auth'),
};

function withoutParameters(family: Family | ResourceFamily): ReadonlyMap<string, AnyPath> {
  const own = all.filter(endpoint => endpoint.family === family && !endpoint.path.includes('{'));
  return new Map(own.map(endpoint => [endpoint.path, endpoint]));
}

/** The paths with parameters, each as a pattern with a group for each parameter. */
const patterns: ReadonlyArray<readonly [endpoint: AnyPath, pattern: RegExp]> = all
  .filter(({ path }) => path.includes('{'))
  .map(endpoint => [endpoint, new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)]);

/** `path`: as sent. Operations win over resources of Confluence and Jira, which are searched only if they are served. */
export function findPlace(path: string, restApi = true): EndpointPlace {
  const address = locate(path);
  if (address === undefined && restApi) return placeOfResource(path);
  if (path.includes('%') && !decodes(path)) return { address };
  if (address === undefined) return { params: NO_PARAMS };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined ? withParameters(address) : { address, endpoint, params: NO_PARAMS };
}

/** Every path below a product's prefix is answered as that product would, if only with its 404. */
function placeOfResource(path: string): EndpointPlace {
  const address = locateResource(path);
  const isDecodable = !path.includes('%') || decodes(path);
  if (address === undefined) return isDecodable ? { params: NO_PARAMS } : {};
  const nothing = nothingThere(address.family);
  if (!isDecodable) return { address, endpoint: nothing };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined
    ? { endpoint: nothing, ...withParameters(address) }
    : { address, endpoint, params: NO_PARAMS };
}

/** The endpoint with parameters at an address, which decodes. */
function withParameters(address: AnyAddress): EndpointPlace {
  for (const [endpoint, pattern] of patterns) {
    const found = endpoint.family === address.family ? pattern.exec(address.rest) : null;
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)] as const);
    return { address, endpoint, params: Object.fromEntries(params) };
  }
  return { address, params: NO_PARAMS };
}
