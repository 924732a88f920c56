// The stages for a request to a resource of Confluence or Jira: path, method, expansions, query and body, as the product reads them. Only the gap expand-unknown
// and the rules about expand apply.
import { restResources } from '../../../operations/catalog/catalog.js';
import { type Expansion, parseExpand } from '../../../operations/expand.js';
import { quoted } from '../../../operations/lookups.js';
import type { Accepted, Decision } from '../../../operations/operation-context.js';
import type { Grounds, Refused } from '../../../operations/provenance.js';
import { isRealResource } from '../../../operations/real-resources.js';
import { noExpansion, wantedOf } from '../../../operations/rest-api/expansion.js';
import type { RestResource } from '../../../operations/rest-api/resource.js';
import type { JsonSchema } from '../../../operations/schema.js';
import { orList } from '../../nearest.js';
import { misspelledFields, misspellingSentence } from '../misspelled-fields.js';
import type { Body, Query, RequestToResource } from '../request.js';
import type { RequestState } from '../stage.js';
import { schemaErrors } from '../validate.js';

/** A path without a resource: the refusal lists the resources. */
export function refuseUnknownResource(
  { url, params, address, endpoint: { family, operations } }: RequestToResource,
  given: Grounds<
    'rest-api-unknown-resource' | 'rest-api-not-served' | 'undecodable-path' | 'slash-not-served',
    'trailing-slash'
  >,
): Refused | undefined {
  const path = quoted(url.split('?', 1)[0] ?? '');
  if (params === undefined)
    return given.refuse('undecodable-path', `The path ${path} has invalid percent-encoding: expected encoded UTF-8.`);
  if (operations.length > 0)
    return address?.hasSlash && given.reading('trailing-slash') === '404'
      ? given.refuse('slash-not-served', `Unknown path ${path}: the nearest path is ${path.slice(0, -2)}".`)
      : undefined;
  const paths = new Set(restResources.filter(other => other.family === family).map(({ path: known }) => known));
  if (isRealResource(family, address?.rest ?? ''))
    return given.refuse(
      'rest-api-not-served',
      `The real product has a resource at ${path}, but this fake does not serve it. docs/reference/rest-api.md lists the resources that it serves: ${[...paths].join(', ')}.`,
    );
  return given.refuse('rest-api-unknown-resource', `Unknown path ${path}. The fake serves ${[...paths].join(', ')}.`);
}

/** HEAD is GET without a body. */
export function bindResource(
  progress: RequestState,
  { method, endpoint }: RequestToResource,
  given: Grounds<'rest-api-method'>,
): Decision | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  const operation = endpoint.operations.find(resource => resource.method === asked);
  if (operation !== undefined) {
    progress.operation = operation;
    return undefined;
  }
  const methods = endpoint.operations.flatMap(resource =>
    resource.method === 'GET' ? ['GET', 'HEAD'] : resource.method,
  );
  progress.methods = methods;
  if (method === 'OPTIONS') return options;
  return given.refuse('rest-api-method', `${method} is not allowed on ${endpoint.path}: use ${orList(methods)}.`);
}

const options: Accepted = { reply: { status: 204 }, facts: [] };

type ExpandGrounds = Grounds<'unknown-expand', 'expand-unknown', 'expand.list' | 'expand.nested'>;

/** The requested expansions. The rules about `expand` are the wiki's. */
export function expandResource(
  progress: RequestState,
  { expandable = {}, expanded, family }: RestResource,
  given: ExpandGrounds,
): Refused | undefined {
  const values = progress.request.query.pairs.filter(([name]) => name === 'expand').map(([, value]) => value);
  const asked = parseExpand(values);
  if (asked.length === 0) {
    progress.wanted = expanded === undefined ? noExpansion : wantedOf(parseExpand([expanded]), expandable).wanted;
    return undefined;
  }
  if (family === 'confluence') {
    given.applies('expand.list');
    if (asked.some(steps => steps.length > 1)) given.applies('expand.nested');
  }
  const { wanted, unknown } = wantedOf(asked, expandable);
  if (unknown.length > 0 && given.reading('expand-unknown') === '400')
    return given.refuse(
      'unknown-expand',
      `expand asks for ${dotted(unknown).map(quoted).join(', ')}: this response has no such part.`,
    );
  progress.wanted = wanted;
  progress.expand = dotted(asked);
  return undefined;
}

function dotted(expansions: readonly Expansion[]): string[] {
  return expansions.map(steps => steps.join('.'));
}

/** The query parameters of a resource, typed by their schemas, with defaults. */
export function readResourceQuery(
  progress: RequestState,
  { query: properties }: RestResource,
  given: Grounds<'query-undecodable' | 'rest-api-bad-request'>,
): Refused | undefined {
  if (properties === undefined) return undefined;
  const { query } = progress.request;
  if (query.undecodable !== undefined) return refuseUndecodable(query.undecodable, given);
  const values: Record<string, unknown> = {};
  for (const name in properties) {
    const json = properties[name] ?? {};
    const value = typed(json, name, query);
    if (value instanceof Misread) return given.refuse('rest-api-bad-request', value.message);
    values[name] = value;
  }
  progress.query = values;
  return undefined;
}

export function refuseUndecodable(pair: string, given: Grounds<'query-undecodable'>): Refused {
  const message = `${quoted(pair)} in the query has invalid percent-encoding: expected encoded UTF-8.`;
  return given.refuse('query-undecodable', message);
}

class Misread {
  constructor(readonly message: string) {}
}

function typed(json: JsonSchema, name: string, { pairs }: Query): unknown {
  if (json.type === 'array') return pairs.filter(pair => pair[0] === name).map(([, value]) => value);
  const text = pairs.find(pair => pair[0] === name)?.[1];
  if (text === undefined || text === '') return json.default;
  if (json.type === 'integer') {
    const isWhole = /^\d{1,9}$/.test(text);
    return isWhole
      ? Number(text)
      : new Misread(`The parameter ${quoted(name)} is ${quoted(text)}: it must be a whole number, 0 or more.`);
  }
  return text;
}

/** The body of a resource: JSON that fits its schema. */
export function readResourceBody(
  progress: RequestState,
  { body: spec }: RestResource,
  given: Grounds<'rest-api-bad-request'>,
): Refused | undefined {
  if (spec === undefined) return undefined;
  const { body } = progress.request;
  if (body.kind !== 'json') return given.refuse('rest-api-bad-request', `${unread(body)}: send JSON.`);
  const [wrong] = schemaErrors(spec.schema, body.value, { length: body.text.length });
  if (wrong !== undefined)
    return given.refuse('rest-api-bad-request', [
      `${wrong.pointer === '' ? 'The body' : wrong.pointer} ${wrong.problem}.`,
      ...misspelledFields(spec.schema, body.value).map(misspellingSentence),
    ]);
  progress.body = body.value;
  return undefined;
}

function unread(body: Exclude<Body, { readonly kind: 'json' }>): string {
  return body.kind === 'absent' ? 'There is no body' : 'The body is not JSON';
}
