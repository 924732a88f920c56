// The stages `sandbox`, `readings`, `address` and `method`: where a request leads, and under which readings. For an unknown path, what the refusal
// suggests.
import { emptyWorld } from '../../../domain/world/world.js';
import {
  type Address,
  CONTEXT,
  canonicalPrefix,
  isResourceFamily,
  locate,
  type Prefix,
  sandboxIn,
} from '../../../operations/address.js';
import { endpoints, type OperationPath } from '../../../operations/catalog/bindings.js';
import { layReadings, type Readings } from '../../../operations/gaps/gaps.js';
import { quoted } from '../../../operations/lookups.js';
import type { Heading, Operation } from '../../../operations/operation.js';
import type { Accepted, Decision } from '../../../operations/operation-context.js';
import type { Grounds, Refused } from '../../../operations/provenance.js';
import { nearestName, orList } from '../../nearest.js';
import { parseReadings } from '../readings.js';
import { isOfResource, type Request } from '../request.js';
import {
  type DecisionContext,
  everyOperation,
  noOperation,
  type RequestState,
  stage,
  type UnusableSandbox,
} from '../stage.js';
import { bindResource, refuseUnknownResource } from './resource-stages.js';

/** The session finds the sandbox, because that needs the store; the stage refuses. */
export const sandbox = stage({
  name: 'sandbox',
  steps: [
    { name: 'sandbox', concerns: everyOperation, refusals: ['sandbox-name', 'sandbox-unknown'] },
    // Specific to the fake, so no document of an operation mentions it.
    { name: 'store', concerns: noOperation, refusals: ['store-unavailable', 'no-room'] },
  ],
  run({ context: { unusable } }, given) {
    return unusable === undefined ? undefined : given.refuse(unusable.code, unusable.message);
  },
});

/** The context of a request without a usable sandbox: it ends at that stage. */
export function withoutSandbox(readings: Readings, unusable: UnusableSandbox): DecisionContext {
  return { world: emptyWorld, readings, now: '', unusable };
}

/** The readings that a request chooses for itself. */
export const readings = stage({
  name: 'readings',
  steps: [{ name: 'readings', concerns: everyOperation, refusals: ['unknown-reading'] }],
  run({ request, context }, given) {
    if (request.readings === undefined) return undefined;
    const chosen = parseReadings(request.readings);
    if ('problem' in chosen) return given.refuse('unknown-reading', chosen.problem);
    given.readUnder(layReadings(context.readings, chosen.readings));
    return undefined;
  },
});

const canonicalPaths = endpoints.map(({ family, path }) => `${canonicalPrefix(family)}${path}`);

const takesParams = ({ params }: Operation) => params !== undefined;
const isWiki = ({ family }: Operation) => family === 'wiki';
const isPushPull = ({ family }: Operation) => family === 'ppf';

export const address = stage({
  name: 'address',
  steps: [
    {
      name: 'address',
      concerns: noOperation,
      refusals: [
        'bad-address',
        'wrong-case',
        'version-not-served',
        'slash-not-served',
        'context-not-served',
        'ppf-context-not-served',
        'prefix-not-served',
        'rest-api-unknown-resource',
        'rest-api-not-served',
      ],
    },
    { name: 'form', concerns: everyOperation, gaps: ['version-segment', 'trailing-slash'] },
    { name: 'path', concerns: takesParams, refusals: ['undecodable-path'] },
    { name: 'case', concerns: everyOperation, rules: ['address.case-sensitive'] },
    {
      name: 'context',
      concerns: isWiki,
      gaps: ['context-path'],
      rules: ['address.context-path', 'address.no-context-path'],
    },
    { name: 'context', concerns: isPushPull, gaps: ['ppf-context-path'] },
    { name: 'prefix', concerns: isWiki, gaps: ['wiki-prefix'], rules: ['address.extension-path'] },
    { name: 'prefix', concerns: isPushPull, rules: ['address.ppf-path'] },
  ],
  run({ request }, given) {
    const { address, endpoint } = request;
    if (isOfResource(request) && !isMeantForUs(request)) return refuseUnknownResource(request, given);
    if (address === undefined || endpoint === undefined || isResourceFamily(address.family))
      return refuseUnknownPath(request, given);
    const own = address as Address; // addresses of resources do not reach this
    const misspelt = refuseMisspelt(request, own, given);
    if (misspelt !== undefined) return misspelt;
    const { family, prefix, context } = own;
    const refused =
      family === 'wiki' ? refuseWikiAddress(prefix, context, given) : refusePushPullAddress(context, given);
    if (refused !== undefined) return refused;
    if (family === 'wiki') given.applies(context === '' ? 'address.no-context-path' : 'address.context-path');
    given.applies(family === 'wiki' ? 'address.extension-path' : 'address.ppf-path');
    return undefined;
  },
});

/** The refusal of a path with a version instead of latest, or with a trailing slash, if the readings do not allow that. */
function refuseMisspelt(
  { url }: Request,
  { version, hasSlash }: Address,
  given: Grounds<'version-not-served' | 'slash-not-served', 'version-segment' | 'trailing-slash'>,
): Refused | undefined {
  if (version === undefined && hasSlash === undefined) return undefined;
  const path = url.split('?', 1)[0] ?? '';
  const nearest = `Unknown path ${quoted(path)}: the nearest path is ${meantBy(path) ?? 'another'}.`;
  if (version !== undefined && given.reading('version-segment') === 'latest')
    return given.refuse('version-not-served', nearest);
  return hasSlash && given.reading('trailing-slash') === '404' ? given.refuse('slash-not-served', nearest) : undefined;
}

/** The refusal of a wiki address that is not served. Under other readings of either gap it could be, so both gaps decided. */
function refuseWikiAddress(
  prefix: Prefix,
  context: string,
  given: Grounds<'context-not-served' | 'prefix-not-served', 'context-path' | 'wiki-prefix'>,
): Refused | undefined {
  const served = given.reading('context-path');
  if (!isServedBelow(context, served)) {
    const own = {
      any: 'can have a context path of only one segment here',
      none: 'has no context path here',
    };
    const has = Object.hasOwn(own, served) ? own[served as keyof typeof own] : `has the context path ${served} here`;
    return given.refuse(
      'context-not-served',
      `The wiki extension ${has}, but the request has ${context === '' ? 'none' : context}.`,
    );
  }
  const prefixes = given.reading('wiki-prefix');
  if (prefixes === 'any' || prefixes === prefix) return undefined;
  return given.refuse(
    'prefix-not-served',
    `Wrong prefix for the wiki extension: this server follows wiki-prefix=${prefixes}.`,
  );
}

function isServedBelow(context: string, served: string): boolean {
  return served === 'any' ? CONTEXT.test(context) : context === (served === 'none' ? '' : served);
}

function refusePushPullAddress(
  context: string,
  given: Grounds<'ppf-context-not-served', 'ppf-context-path'>,
): Refused | undefined {
  if (context === '') return undefined;
  const served = given.reading('ppf-context-path');
  if (isServedBelow(context, served)) return undefined;
  const has = served === 'any' ? 'a context path of only one segment' : 'no context path';
  return given.refuse('ppf-context-not-served', `Push and pull have ${has} here, but the request has ${context}.`);
}

/** A path below the prefix of Confluence's or Jira's REST API without a resource, close to one of the two APIs. */
function isMeantForUs({ url, endpoint }: Request): boolean {
  return endpoint?.operations.length === 0 && url.includes('cwx') && meantBy(url.split('?', 1)[0] ?? '') !== undefined;
}

/** The refusal of an unknown path, with the nearest one. */
function refuseUnknownPath(
  request: Request,
  given: Grounds<
    'undecodable-path' | 'bad-address' | 'wrong-case',
    never,
    'address.ppf-path' | 'address.extension-path'
  >,
): Refused {
  const path = request.url.split('?', 1)[0] ?? '';
  if (request.params === undefined && path.includes('%')) {
    return given.refuse(
      'undecodable-path',
      `The path ${quoted(path)} has invalid percent-encoding: expected encoded UTF-8.`,
    );
  }
  const meant = meantBy(path);
  const inAnotherCase = meant?.toLowerCase() === path.toLowerCase();
  if (inAnotherCase)
    return given.refuse('wrong-case', `Unknown path ${quoted(path)}: did you mean ${meant}? Paths are case-sensitive.`);
  const nearest = meant === undefined ? '' : `: the nearest path is ${meant}`;
  return given.refuse('bad-address', `Unknown path ${quoted(path)}${nearest}.`, brokenRule(path));
}

/** The rule of addresses that a path at which there is nothing breaks: of the extension none where its prefix is right. */
function brokenRule(path: string): 'address.ppf-path' | 'address.extension-path' | undefined {
  if (path.includes('ppf')) return 'address.ppf-path';
  return locate(path) === undefined ? 'address.extension-path' : undefined;
}

/** The known path nearest to a wrong one: different in case, slashes or a few letters. */
export function meantBy(wrong: string): string | undefined {
  const { sandbox, path } = sandboxIn(wrong);
  const tidy = path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  const lower = tidy.toLowerCase();
  const base = sandbox === undefined ? '' : `/~${sandbox}`;
  const at = Math.max(lower.lastIndexOf('/rest/'), 0);
  const before = lower.startsWith('/rest/') || at === 0 ? '' : tidy.slice(0, at);
  const context = CONTEXT.test(before) ? before : ''; // a context with more than one segment is never served
  const below = tidy.slice(before.length);
  const page = /^(.*\/permissions\/[^/]+)\/([^/]+)$/i.exec(below);
  const comparable = page ? `${page[1]}/{pageId}` : below;
  const known = nearestName(comparable, canonicalPaths) ?? sameEnd(lower);
  return (
    known &&
    `${base}${context}${known.replace('{pageId}', /^\d+$/.test(page?.[2] ?? '') ? (page?.[2] ?? '') : '{pageId}')}`
  );
}

/** If only the prefix is wrong, the end of the path decides. */
function sameEnd(lower: string): string | undefined {
  const found = endpoints.find(
    ({ path }) =>
      lower.endsWith(path.toLowerCase()) && !path.includes('{') && (path.length > 5 || lower.includes('ppf')),
  );
  return found && `${canonicalPrefix(found.family)}${found.path}`;
}

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
