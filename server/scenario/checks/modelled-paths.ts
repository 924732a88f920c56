// Which endpoints of this fake a pattern of paths reaches, below any context and in any sandbox.
import { canonicalPrefix, isResourceFamily, pathPattern, prefixes } from '../../operations/address.js';
import { type AnyPath, endpoints, resourceEndpoints } from '../../operations/catalog/bindings.js';

interface Modelled {
  readonly endpoint: AnyPath;
  readonly segments: readonly string[];
}

const modelled: readonly Modelled[] = [...endpoints, ...resourceEndpoints].flatMap(endpoint =>
  prefixesOf(endpoint).map(prefix => ({ endpoint, segments: `${prefix}${endpoint.path}`.slice(1).split('/') })),
);

function prefixesOf({ family }: AnyPath): readonly string[] {
  return isResourceFamily(family) ? [canonicalPrefix(family)] : prefixes[family].map(([, prefix]) => prefix);
}

/** Whether a request at a path that fits the pattern could reach an endpoint. */
export function reachesEndpoint(pattern: string): boolean {
  return modelled.some(({ segments }) => isBelow(pattern, segments, (part, own) => part === '*' || isAt(part, own)));
}

/** The endpoint at every path that fits the pattern, if the fake answers such a request itself. A product's resource has further methods, which it does not. */
export function endpointFor(pattern: string, method?: string): AnyPath | undefined {
  const found = modelled.find(({ segments }) => isBelow(pattern, segments, isAt))?.endpoint;
  if (found === undefined || method === undefined || !isResourceFamily(found.family)) return found;
  const own = found.operations.map(operation => operation.method);
  return [...own, 'OPTIONS', ...(own.includes('GET') ? ['HEAD'] : [])].includes(method) ? found : undefined;
}

function isAt(part: string, own: string): boolean {
  return own.startsWith('{') || part === own;
}

type Compare = (part: string, own: string) => boolean;

/** Whether the last segments of a pattern fit those of an endpoint; a sandbox and a context may precede them. */
function isBelow(pattern: string, segments: readonly string[], compare: Compare): boolean {
  const parts = pathPattern(pattern).slice(1);
  const before = parts.length - segments.length;
  const isPreceded = before === 2 && (parts[0] === '*' || parts[0]?.startsWith('~'));
  return (
    (before === 0 || before === 1 || isPreceded === true) &&
    segments.every((own, i) => compare(parts[before + i] ?? '', own))
  );
}
