// The control API as a page, read off its own OpenAPI document.
import { code, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { isObject } from '../../server/domain/form/patch.js';
import { page } from './page.js';
import { type JsonSchema, meaningOf, schemaRows, typeOf } from './schema-rows.js';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: JsonSchema;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}
interface Response extends Content {
  readonly description: string;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: ReadonlyArray<Parameter | { readonly $ref: string }>;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}
export interface ControlDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const HEALTH = [
  'GET /_fake/health',
  '200 once the fake serves, with version, scenario, uptime, memory and store; 503 while its store cannot be used',
];

export function controlApiPage(document: ControlDocument): string {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation })),
  );
  return page({
    title: 'Control API',
    lead: 'The actions by which a program controls a running fake.',
    body: [
      'All paths but that of the health lie below `/_fake/v1`; the OpenAPI document is at `/_fake/v1/control-openapi.json`. `{s}` is the name of a',
      'sandbox. Bodies are JSON and need `Content-Type: application/json`. Beyond loopback a token is needed, as `Authorization: Bearer` or',
      '`X-Fake-Token` ([security](../security.md#the-control-token)). If the sandbox does not exist, requests that read or',
      'check it get a 404, and others create it, as a request to an operation does. Two exceptions: the event stream creates it, so that a client can',
      'listen before its first request, and with `If-Match: *` every request gets the 404. `default` always exists. A request that is refused changes nothing and is answered by a problem',
      '(`application/problem+json`, RFC 9457) whose `detail` says what is wrong, where, and what is expected. A body where none is read, an',
      'unknown query parameter, and one that comes twice are refused too. A program does the same by the [library](library.md).',
      '',
      ...markdownTable(
        ['method and path', 'does'],
        [
          HEALTH.map((text, i) => (i === 0 ? code(text) : text)),
          ...all.map(({ address, operation }) => [code(address), operation.summary]),
        ],
      ),
      ...all.flatMap(({ address, operation }) => details(address, operation, document)),
    ],
    next: '[the library](library.md), or [run hundreds of tests on one server](../how-to/run-tests-in-parallel.md).',
  });
}

/** What goes in and comes out; nothing where the table has said everything. */
function details(address: string, operation: Operation, { components }: ControlDocument): string[] {
  const parameters = (operation.parameters ?? [])
    .map(one => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
    .filter(one => one !== undefined && one.in === 'query') as Parameter[]; // undefined ones are gone
  const named = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const body = named && (resolved(named, components.schemas) as JsonSchema); // a schema with others in it
  const rows = [
    ...parameters.map(one => [
      `?${code(one.name)}`,
      typeOf(one.schema ?? {}),
      one.description ?? meaningOf(one.schema ?? {}),
    ]),
    ...(body === undefined ? [] : schemaRows(body, 0)),
  ];
  if (rows.length === 0) return [];
  const responses = Object.entries(operation.responses)
    .filter(([status]) => status !== '4XX' && status !== '503')
    .map(([status, response]) => {
      const named = '$ref' in response ? components.responses[response.$ref.split('/').at(-1) ?? ''] : response;
      return `${status} ${named?.description}`;
    });
  return [
    '',
    `## ${address}`,
    '',
    ...markdownTable(['takes', 'type', 'meaning'], rows),
    '',
    `Responses: ${responses.join(' ')}`,
  ];
}

/** A schema, or a part of one, with what its references name in their places. */
function resolved(part: unknown, schemas: ControlDocument['components']['schemas']): unknown {
  if (Array.isArray(part)) return part.map(element => resolved(element, schemas));
  if (!isObject(part)) return part;
  if (typeof part.$ref === 'string') return resolved(schemas[part.$ref.split('/').at(-1) ?? ''], schemas);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolved(value, schemas)]));
}
