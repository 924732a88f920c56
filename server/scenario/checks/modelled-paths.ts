// Which endpoints of this fake a pattern of paths reaches, below any context and in any sandbox.
import type { Stub } from '../../engine/faults/stub.js';
import { canonicalPrefix, isResourceFamily, pathPattern, prefixes } from '../../operations/address.js';
import { type AnyPath, endpoints, resourceEndpoints } from '../../operations/catalog/bindings.js';

interface Modelled {
  readonly endpoint: AnyPath;
  readonly segments: readonly string[];
}

const ofOperations = modelledAt(endpoints);
const all = [...ofOperations, ...modelledAt(resourceEndpoints)];

function modelledAt(paths: readonly AnyPath[]): readonly Modelled[] {
  return paths.flatMap(endpoint =>
    prefixesOf(endpoint).map(prefix => ({ endpoint, segments: `${prefix}${endpoint.path}`.slice(1).split('/') })),
  );
}

/** `restApi`: whether the fake serves Confluence's and Jira's resources. */
function modelled(restApi = true): readonly Modelled[] {
  return restApi ? all : ofOperations;
}

function prefixesOf({ family }: AnyPath): readonly string[] {
  return isResourceFamily(family) ? [canonicalPrefix(family)] : prefixes[family].map(([, prefix]) => prefix);
}

/** Whether a request at a path that fits the pattern could reach an endpoint. */
export function reachesEndpoint(pattern: string, restApi?: boolean): boolean {
  const parts = pathPattern(pattern).slice(1);
  return modelled(restApi).some(({ segments }) =>
    isBelow(parts, segments, (part, own) => part === '*' || isAt(part, own)),
  );
}

/** The endpoint at every path that fits the pattern, if the fake answers such a request itself. A product's resource has further methods, which it does not. */
export function endpointFor({ path, method }: Pick<Stub, 'path' | 'method'>, restApi?: boolean): AnyPath | undefined {
  const parts = pathPattern(path).slice(1);
  const found = modelled(restApi).find(({ segments }) => isBelow(parts, segments, isAt))?.endpoint;
  if (found === undefined || method === undefined || !isResourceFamily(found.family)) return found;
  const own = found.operations.map(operation => operation.method);
  return [...own, 'OPTIONS', ...(own.includes('GET') ? ['HEAD'] : [])].includes(method) ? found : undefined;
}

function isAt(part: string, own: string): boolean {
  return own.startsWith('{') || part === own;
}

type Compare = (part: string, own: string) => boolean;

/** Whether the last segments of a pattern fit those of an endpoint; a sandbox and a context may precede them. */
function isBelow(parts: readonly string[], segments: readonly string[], compare: Compare): boolean {
  const before = parts.length - segments.length;
  const isPreceded = before === 2 && (parts[0] === '*' || parts[0]?.startsWith('~'));
  return (
    (before === 0 || before === 1 || isPreceded === true) &&
    segments.every((own, i) => compare(parts[before + i] ?? '', own))
  );
}
