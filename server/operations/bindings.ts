// Which operation a method and a path mean, under the readings: the one table that routing and 405 answers come from.
// Knows no router.
import { operations } from './catalog.js';
import type { Family, Heading, Operation } from './operation.js';
import type { Provenance, Refused } from './operation-context.js';

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

interface Claim {
  readonly operation: Operation;
  readonly heading: Heading;
}

/** The operation that a method means on an endpoint; or the refusal, 405, that says which methods are served. */
export function bind(endpoint: Endpoint, method: string, provenance: Provenance): Operation | Refused {
  const direct = endpoint.operations.find(operation => operation.method === method);
  if (direct !== undefined) return direct;
  const claims = claimsOn(endpoint, method);
  const [first] = claims;
  const methods = allowed(endpoint, provenance);
  const served = `${methods.join(', ')} ${methods.length > 1 ? 'are' : 'is'} served on ${endpoint.path}.`;
  if (first === undefined) return provenance.refuse('method-not-allowed', `${method} is not served here: ${served}`);
  const reading = provenance.reading(first.heading.gap);
  const meant = claims.find(({ heading }) => heading.reading === reading);
  if (meant !== undefined) {
    provenance.applies('permissions.heading-method');
    return meant.operation;
  }
  if (claims.length > 1) {
    const claimants = claims.map(({ operation }) => operation.id).join(' and ');
    return provenance.refuse(
      'view-post-ambiguous',
      `The headings of the document give ${method} to ${claimants}, so it is not served: ${served}`,
    );
  }
  return provenance.refuse(
    'heading-method-not-served',
    `Only the heading gives ${method} to ${first.operation.id}, and headings are not followed: ${served}`,
  );
}

/** The methods that are served on an endpoint, for `Allow`. */
export function allowed(endpoint: Endpoint, provenance: Provenance): string[] {
  const direct = endpoint.operations.map(({ method }) => method);
  const claimed = endpoint.operations.flatMap(({ heading }) =>
    heading && provenance.peek(heading.gap) === heading.reading ? [heading.method] : [],
  );
  return [...new Set([...direct, ...claimed])];
}

function claimsOn(endpoint: Endpoint, method: string): Claim[] {
  return endpoint.operations.flatMap(operation => {
    const { heading } = operation;
    return heading?.method === method ? [{ operation, heading }] : [];
  });
}
