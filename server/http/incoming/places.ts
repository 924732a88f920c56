// Where the path of a request leads: to the endpoint of an operation, near one, or nowhere. The place below a canonical prefix decides, whatever
// prefix and context came before it. Paths without parameters stand in a map; @koa/router finds the others.
import Router from '@koa/router';
import { decodes } from '../../engine/request/percent.js';
import { type AnyAddress, canonicalPrefix, isHost, locate, locateHost } from '../../operations/address.js';
import { type AnyEndpoint, endpoints, hostEndpoints, nothingThere } from '../../operations/bindings.js';
import type { Family, HostFamily } from '../../operations/operation.js';

export interface Place {
  /** Absent: the path is no address of an API. */
  readonly address?: AnyAddress | undefined;
  /** Absent: there is nothing at that address. */
  readonly endpoint?: AnyEndpoint | undefined;
  /** Absent: the path does not decode. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

const all: readonly AnyEndpoint[] = [...endpoints, ...hostEndpoints];
const literal: Readonly<Record<Family | HostFamily, ReadonlyMap<string, AnyEndpoint>>> = {
  wiki: withoutParameters('wiki'),
  ppf: withoutParameters('ppf'),
  'wiki-host': withoutParameters('wiki-host'),
  'tracker-host': withoutParameters('tracker-host'),
  'tracker-auth': withoutParameters('tracker-auth'),
};

function withoutParameters(family: Family | HostFamily): ReadonlyMap<string, AnyEndpoint> {
  const own = all.filter(endpoint => endpoint.family === family && !endpoint.path.includes('{'));
  return new Map(own.map(endpoint => [endpoint.path, endpoint]));
}

/** Every endpoint, by the name of its route. Operations have a router of their own: a path is held against all that one knows. */
const named = new Map(all.map(endpoint => [routePath(endpoint), endpoint]));
const router = routerOf(endpoints);
const hostRouter = routerOf(hostEndpoints);

function routerOf(some: readonly AnyEndpoint[]): Router {
  const made = new Router({ sensitive: true, strict: true });
  for (const path of some.map(routePath)) made.all(path, path, () => {});
  return made;
}

function routePath({ family, path }: AnyEndpoint): string {
  return `${canonicalPrefix(family)}${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

/** `path`: as it was sent. Operations come before the hosts' own resources, which are looked for only where there are any. */
export function placeOf(path: string, hosts = true): Place {
  const address = locate(path);
  if (address === undefined && hosts) return placeInHost(path);
  if (path.includes('%') && !decodes(path)) return { address };
  if (address === undefined) return { params: NO_PARAMS };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined ? routed(address) : { address, endpoint, params: NO_PARAMS };
}

/** Below the path of a host something always stands, and be it what says that there is nothing. */
function placeInHost(path: string): Place {
  const address = locateHost(path);
  const isDecodable = !path.includes('%') || decodes(path);
  if (address === undefined) return isDecodable ? { params: NO_PARAMS } : {};
  const nothing = nothingThere(address.family);
  if (!isDecodable) return { address, endpoint: nothing };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined ? { endpoint: nothing, ...routed(address) } : { address, endpoint, params: NO_PARAMS };
}

/** The same as @koa/router finds it, which knows every endpoint. */
export function routed(address: AnyAddress): Place {
  const path = `${canonicalPrefix(address.family)}${address.rest}`;
  const [layer] = (isHost(address.family) ? hostRouter : router).match(path, 'POST').path;
  const endpoint = layer?.name === undefined ? undefined : named.get(layer.name);
  if (layer === undefined || endpoint === undefined) return { address, params: NO_PARAMS };
  return { address, endpoint, params: layer.params(path, layer.captures(path)) };
}
