// Where the path of a request leads: to the endpoint of an operation, near one, or nowhere. The place below a canonical prefix decides, whatever
// prefix and context came before it. Paths without parameters stand in a map; @koa/router finds the others.
import Router from '@koa/router';
import { decodes } from '../engine/request/percent.js';
import { type Address, canonicalPrefix, locate } from '../operations/address.js';
import { type Endpoint, endpoints } from '../operations/bindings.js';
import type { Family } from '../operations/operation.js';

export interface Place {
  /** Absent: the path is no address of an API. */
  readonly address?: Address | undefined;
  /** Absent: there is nothing at that address. */
  readonly endpoint?: Endpoint | undefined;
  /** Absent: the path does not decode. */
  readonly params?: Readonly<Record<string, string>> | undefined;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

const literal: Readonly<Record<Family, ReadonlyMap<string, Endpoint>>> = {
  wiki: withoutParameters('wiki'),
  ppf: withoutParameters('ppf'),
};

function withoutParameters(family: Family): ReadonlyMap<string, Endpoint> {
  const own = endpoints.filter(endpoint => endpoint.family === family && !endpoint.path.includes('{'));
  return new Map(own.map(endpoint => [endpoint.path, endpoint]));
}

/** Every endpoint, by the name of its route. */
const named = new Map(endpoints.map(endpoint => [routePath(endpoint), endpoint]));
const router = new Router({ sensitive: true, strict: true });
for (const path of named.keys()) router.all(path, path, () => {});

function routePath({ family, path }: Endpoint): string {
  return `${canonicalPrefix(family)}${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

/** `path`: as it was sent. */
export function placeOf(path: string): Place {
  const address = locate(path);
  if (path.includes('%') && !decodes(path)) return { address };
  if (address === undefined) return { params: NO_PARAMS };
  const endpoint = literal[address.family].get(address.rest);
  return endpoint === undefined ? routed(address) : { address, endpoint, params: NO_PARAMS };
}

/** The same as @koa/router finds it, which knows every endpoint. */
export function routed(address: Address): Place {
  const path = `${canonicalPrefix(address.family)}${address.rest}`;
  const [layer] = router.match(path, 'POST').path;
  const endpoint = layer?.name === undefined ? undefined : named.get(layer.name);
  if (layer === undefined || endpoint === undefined) return { address, params: NO_PARAMS };
  return { address, endpoint, params: layer.params(path, layer.captures(path)) };
}
