// The OpenAPI document of the REST APIs of Confluence and Jira. Separate, because the source document does not describe them.

import { canonicalPrefix } from '../../operations/address.js';
import { resourceEndpoints } from '../../operations/catalog/bindings.js';
import { defaultReadings } from '../../operations/gaps/gaps.js';
import type { ResourceFamily } from '../../operations/operation.js';
import { type RefusalCode, refusalSpec } from '../../operations/refusals.js';
import { expandableNames } from '../../operations/rest-api/expansion.js';
import type { RestResource } from '../../operations/rest-api/resource.js';
import type { JsonSchema } from '../../operations/schema.js';
import { statusUnder } from '../reach.js';
import { baseUrl, DEFAULT_URL, type ServedAt } from '../served-at.js';
import { type DocumentPart, withName } from './named-schemas.js';
import { securitySchemes } from './openapi-components.js';
import {
  type About,
  answered,
  content,
  examplesOf,
  openapiDocument,
  parameter,
  type ServedEndpoint,
} from './openapi-document.js';

const tags: Readonly<Record<ResourceFamily, string>> = {
  confluence: 'Confluence: users, groups, spaces, pages and their restrictions.',
  jira: 'Jira: users, groups, filters and dashboards.',
  'jira-auth': 'Sessions of Jira. Both products accept their cookie.',
};

const confluenceError: JsonSchema = {
  title: 'ConfluenceError',
  type: 'object',
  properties: {
    statusCode: { type: 'integer' },
    message: { type: 'string' },
    reason: { type: 'string' },
    data: { type: 'object' },
  },
  required: ['statusCode', 'message', 'reason'],
};
const jiraError: JsonSchema = {
  title: 'JiraError',
  type: 'object',
  properties: { errorMessages: { type: 'array', items: { type: 'string' } }, errors: { type: 'object' } },
  required: ['errorMessages', 'errors'],
};

/** The document. `version` is that of the product that makes it; its `servers` begin at `at`. */
export function restApiOpenapi(version = 'latest', at: ServedAt = { root: DEFAULT_URL }): DocumentPart {
  const context = { default: 'wiki', description: 'A context path with any name, or ~ and the name of a sandbox.' };
  const about: About = {
    title: 'REST APIs of Confluence and Jira',
    version,
    summary:
      'The part of the REST APIs of Confluence and Jira that cwx-fake serves, for clients that read back the effects of operations.',
    description: [
      'Read-only except for the session, from the same world as the operations. Apart from the two rules about `expand`, no rule of the source document',
      'applies to these responses. They have the header `X-Fake-Source: confluence` or `jira`. Data that the world does not have is omitted.',
    ].join('\n'),
    servers: [
      { url: baseUrl(at), description: 'Without a context path.' },
      { url: `${baseUrl(at)}/{context}`, description: 'Below a context path.', variables: { context } },
    ],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    components: { securitySchemes },
  };
  return openapiDocument(
    about,
    resourceEndpoints.flatMap(({ operations }) => operations.map(servedResource)),
  );
}

function servedResource(resource: RestResource): ServedEndpoint {
  const { id, family, path, body, access, absent, source, examples } = resource;
  const credentials = Object.keys(securitySchemes).map(name => ({ [name]: [] }));
  return {
    endpoint: resource,
    address: `${canonicalPrefix(family)}${path}`,
    description: `Caller: ${access.says}\n\nNot modelled: ${absent}`,
    tag: family,
    security: access.refusals.length === 0 ? [{}, ...credentials] : credentials,
    parameters: [...pathParameters(resource), ...queryParameters(resource), ...expandParameter(resource)],
    ...(body !== undefined && {
      body: { schema: withName(body.schema, ownName(id), 'Body'), isRequired: true, examples },
    }),
    responses: responses(resource),
    more: { externalDocs: { url: source } },
  };
}

function ownName(id: string): string {
  return id.replace('.', '-');
}

function pathParameters({ params = {}, examples }: RestResource): DocumentPart[] {
  return Object.entries(params).map(([name, json]) => ({
    ...parameter(name, 'path', true, json),
    ...examplesOf(examples, example => example.params?.[name]),
  }));
}

function queryParameters({ query = {} }: RestResource): DocumentPart[] {
  return Object.entries(query).map(([name, json]) => parameter(name, 'query', false, json));
}

function expandParameter({ expandable, expanded }: RestResource): DocumentPart[] {
  if (expandable === undefined) return [];
  const { description, ...schema } = {
    type: 'array',
    items: { type: 'string' },
    description: `Names to expand; a dot leads into another entity: ${expandableNames(expandable).join(', ')}.`,
  };
  const fallback = expanded === undefined ? {} : { default: expanded.split(',') };
  return [
    {
      name: 'expand',
      in: 'query',
      required: false,
      description,
      style: 'form',
      explode: false,
      schema: { ...schema, ...fallback },
    },
  ];
}

function responses(resource: RestResource): ServedEndpoint['responses'] {
  const { id, replies, examples, family } = resource;
  const refused = [...new Set(refusalsOf(resource).map(statusOf))].sort();
  const error = family === 'confluence' ? confluenceError : jiraError;
  const shown = (status: number, schema: JsonSchema) => content({ schema, ...answered(examples, status) });
  return [
    ...replies.map(
      ({ status, when, body }) =>
        [
          status,
          { description: when, ...(body !== undefined && shown(status, withName(body, ownName(id), 'Reply'))) },
        ] as const,
    ),
    ...refused.map(
      status => [status, { description: refusalText(resource, status), ...shown(status, error) }] as const,
    ),
  ];
}

function refusalsOf({ access, refusals, query, params, body }: RestResource) {
  return [
    'bad-credentials' as const,
    ...access.refusals,
    ...refusals,
    ...(query === undefined ? [] : (['rest-api-bad-request', 'query-undecodable'] as const)),
    ...(body === undefined ? [] : (['rest-api-bad-request'] as const)),
    ...(params === undefined ? [] : (['undecodable-path'] as const)),
    'sandbox-name' as const,
  ];
}

/** Under the default readings. */
function statusOf(code: RefusalCode): number {
  return statusUnder(code, defaultReadings) ?? Number(refusalSpec(code).status);
}

function refusalText(resource: RestResource, status: number): string {
  const codes = new Set(refusalsOf(resource).filter(code => statusOf(code) === status));
  return [...codes].map(code => `${refusalSpec(code).title}.`).join(' ');
}
