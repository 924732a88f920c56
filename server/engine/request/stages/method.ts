// The stage `method`: finds the operation of a method on an endpoint, under the readings. `Allow` lists the allowed methods.
import type { OperationPath } from '../../../operations/catalog/bindings.js';
import type { Heading, Operation } from '../../../operations/operation.js';
import type { Accepted, Decision } from '../../../operations/operation-context.js';
import type { Grounds } from '../../../operations/provenance.js';
import { orList } from '../../nearest.js';
import { noOperation, type RequestState, stage } from '../stage.js';
import { bindResource, isOfResource } from './resource-stages.js';

/** The gaps of methods that only headings mention. */
type HeadingGap = Heading['gap'];

const hasHeading = ({ heading }: Operation) => heading?.gap === 'heading-methods';
const sharesHeading = ({ heading }: Operation) => heading?.gap === 'view-post';
const options: Accepted = { reply: { status: 204 }, facts: [] };

export const method = stage({
  name: 'method',
  steps: [
    {
      name: 'method',
      concerns: noOperation,
      refusals: ['method-not-allowed', 'heading-method-not-served', 'view-post-ambiguous', 'rest-api-method'],
    },
    { name: 'heading', concerns: hasHeading, gaps: ['heading-methods'], rules: ['permissions.heading-method'] },
    { name: 'heading', concerns: sharesHeading, gaps: ['view-post'], rules: ['permissions.heading-method'] },
  ],
  run(progress: PlacedProgress, given) {
    const { method: asked, endpoint } = progress.request;
    if (isOfResource(progress.request)) return bindResource(progress, progress.request, given);
    for (const operation of endpoint.operations) {
      if (operation.method !== asked) continue;
      progress.operation = operation;
      return undefined;
    }
    if (asked !== 'OPTIONS') return bindByHeading(progress, given);
    progress.methods = allowed(endpoint, given);
    return options;
  },
});

/** The stage `address` passes only requests to an endpoint. */
interface PlacedProgress extends RequestState {
  readonly request: RequestState['request'] & { readonly endpoint: OperationPath };
}

/** The operation whose heading mentions the method; or the refusal (405) with the allowed methods. */
function bindByHeading(
  progress: PlacedProgress,
  given: Grounds<
    'method-not-allowed' | 'heading-method-not-served' | 'view-post-ambiguous',
    HeadingGap,
    'permissions.heading-method'
  >,
): Decision | undefined {
  const { method: asked, endpoint } = progress.request;
  const claims = endpoint.operations.filter(({ heading }) => heading?.method === asked);
  const [first] = claims;
  const methods = allowed(endpoint, given);
  const use = `use ${orList(methods)}.`;
  if (first?.heading === undefined) {
    progress.methods = methods;
    return given.refuse('method-not-allowed', `${asked} is not allowed on ${endpoint.path}: ${use}`);
  }
  const reading = given.reading(first.heading.gap);
  const meant = claims.find(({ heading }) => heading?.reading === reading);
  if (meant !== undefined) {
    given.applies('permissions.heading-method');
    progress.operation = meant;
    return undefined;
  }
  progress.methods = methods;
  if (claims.length > 1) {
    const claimants = claims.map(({ id }) => id).join(' and ');
    return given.refuse(
      'view-post-ambiguous',
      `The document's headings assign ${asked} to both ${claimants}, so it is refused: ${use}`,
    );
  }
  return given.refuse(
    'heading-method-not-served',
    `Only a heading of the document assigns ${asked} to ${first.id}, and this server does not follow headings: ${use}`,
  );
}

function allowed(endpoint: OperationPath, given: Grounds<never, HeadingGap>): string[] {
  const direct = endpoint.operations.map(({ method }) => method);
  const claimed = endpoint.operations.flatMap(({ heading }) =>
    heading && given.reading(heading.gap) === heading.reading ? [heading.method] : [],
  );
  return [...new Set([...direct, ...claimed])];
}
