// Finds the endpoint of a path, or the family it belongs to. The part below the canonical prefix decides. Paths without parameters are found in a
// map, the others by @koa/router.
import Router from '@koa/router';
import { decodes } from '../../engine/request/percent.js';
import {
  type AnyAddress,
  canonicalPrefix,
  isResourceFamily,
  locate,
  locateResource,
} from '../../operations/address.js';
import { type AnyEndpoint, endpoints, nothingThere, resourceEndpoints } from '../../operations/bindings.js';
import type { Family, ResourceFamily } from '../../operations/operation.js';

export interface Place {
  /** Absent: the path is no address of an API. */
  readonly address?: AnyAddress | undefined;
  /** Absent: there is no endpoint at that address. */
  readonly endpoint?: AnyEndpoint | undefined;
  /** Absent: the path does not decode. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

const all: readonly AnyEndpoint[] = [...endpoints, ...resourceEndpoints];
const literal: Readonly<Record<Family | ResourceFamily, ReadonlyMap<string, AnyEndpoint>>> = {
  wiki: withoutParameters('wiki'),
  ppf: withoutParameters('ppf'),
  confluence: withoutParameters('confluence'),
  jira: withoutParameters('jira'),
  'jira-auth': withoutParameters('jira-auth'),
};

function withoutParameters(family: Family | ResourceFamily): ReadonlyMap<string, AnyEndpoint> {
  const own = all.filter(endpoint => endpoint.family === family && !endpoint.path.includes('{'));
  return new Map(own.map(endpoint => [endpoint.path, endpoint]));
}

/** Every endpoint by the name of its route. Operations have their own router, because a router compares a path with all its routes. */
const named = new Map(all.map(endpoint => [routePath(endpoint), endpoint]));
const router = routerOf(endpoints);
const resourceRouter = routerOf(resourceEndpoints);

function routerOf(some: readonly AnyEndpoint[]): Router {
  const made = new Router({ sensitive: true, strict: true });
  for (const path of some.map(routePath)) made.all(path, path, () => {});
  return made;
}

function routePath({ family, path }: AnyEndpoint): string {
  return `${canonicalPrefix(family)}${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

/** `path`: as sent. Operations win over resources of Confluence and Jira, which are searched only if they are served. */
export function placeOf(path: string, restApi = true): Place {
  const address = locate(path);
  if (address === undefined && restApi) return placeOfResource(path);
  if (path.includes('%') && !decodes(path)) return { address };
  if (address === undefined) return { params: NO_PARAMS };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined ? routed(address) : { address, endpoint, params: NO_PARAMS };
}

/** Every path below a product's prefix is answered as that product would, if only with its 404. */
function placeOfResource(path: string): Place {
  const address = locateResource(path);
  const isDecodable = !path.includes('%') || decodes(path);
  if (address === undefined) return isDecodable ? { params: NO_PARAMS } : {};
  const nothing = nothingThere(address.family);
  if (!isDecodable) return { address, endpoint: nothing };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined ? { endpoint: nothing, ...routed(address) } : { address, endpoint, params: NO_PARAMS };
}

/** The same by @koa/router, which knows every endpoint. */
export function routed(address: AnyAddress): Place {
  const path = `${canonicalPrefix(address.family)}${address.rest}`;
  const [layer] = (isResourceFamily(address.family) ? resourceRouter : router).match(path, 'POST').path;
  const endpoint = layer?.name === undefined ? undefined : named.get(layer.name);
  if (layer === undefined || endpoint === undefined) return { address, params: NO_PARAMS };
  return { address, endpoint, params: layer.params(path, layer.captures(path)) };
}
