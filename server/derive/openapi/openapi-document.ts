// The one emitter of OpenAPI documents: an API says what it serves, and this writes it.

import { STATUS_CODES } from 'node:http';
import type { Endpoint, Method } from '../../operations/endpoint.js';
import type { Example } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { type DocumentPart, withNamedSchemas } from './named-schemas.js';

/** A document without its paths. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description: string;
  readonly servers: readonly DocumentPart[];
  readonly security?: readonly DocumentPart[];
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>;
  readonly components: DocumentPart;
  /** Members of its own, such as `x-readings`. */
  readonly more?: DocumentPart;
}

/** An endpoint at an address, with what a document says of it besides its own members. */
export interface ServedEndpoint {
  readonly endpoint: Endpoint;
  /** The address below a server of the document. */
  readonly address: string;
  /** Default: its own. */
  readonly method?: Method;
  /** Default: its own. */
  readonly operationId?: string;
  readonly summary?: string;
  readonly description: string;
  readonly tag: string;
  readonly security?: readonly DocumentPart[];
  readonly parameters: readonly DocumentPart[];
  readonly body?: { readonly schema: JsonSchema; readonly isRequired: boolean; readonly examples?: readonly Example[] };
  readonly responses: ReadonlyArray<readonly [status: number | string, response: DocumentPart]>;
  readonly more?: DocumentPart;
}

export function openapiDocument(about: About, served: readonly ServedEndpoint[]): DocumentPart {
  const { title, version, summary, description, servers, security, tags, components, more } = about;
  const paths: Record<string, Record<string, DocumentPart>> = {};
  for (const one of served) {
    const path = paths[one.address] ?? {};
    path[(one.method ?? one.endpoint.method).toLowerCase()] = operationObject(one);
    paths[one.address] = path;
  }
  const document = withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title,
      version,
      ...(summary !== undefined && { summary }),
      description,
      contact: { name: 'cwx-fake' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    ...(security !== undefined && { security }),
    tags,
    paths,
    components,
    ...more,
  });
  return withSharedResponses(document);
}

function operationObject(served: ServedEndpoint): DocumentPart {
  const { endpoint, operationId = endpoint.id, summary = endpoint.summary, description, tag, security } = served;
  const { parameters, body, responses, more } = served;
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(security !== undefined && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: body.isRequired,
        ...content({ schema: body.schema, ...examplesOf(body.examples, example => example.body) }),
      },
    }),
    responses: Object.fromEntries(responses),
    ...more,
  };
}

export function parameter(name: string, place: 'path' | 'query', required: boolean, json: JsonSchema): DocumentPart {
  const { description, ...schema } = json;
  return { name, in: place, required, description, schema };
}

export function content(body: DocumentPart, contentType = 'application/json'): DocumentPart {
  return { content: { [contentType]: body } };
}

/** The examples that have a value for this place. */
export function examplesOf(
  examples: readonly Example[] = [],
  pick: (example: Example) => unknown = () => undefined,
): { readonly examples?: DocumentPart } {
  const some = examples.filter(example => pick(example) !== undefined);
  if (some.length === 0) return {};
  return {
    examples: Object.fromEntries(some.map(one => [nameOf(one), { summary: one.title, value: pick(one) }])),
  };
}

/** The body of a response, in the examples that have it. */
export function answered(examples: readonly Example[], status: number): { readonly examples?: DocumentPart } {
  return examplesOf(examples, ({ response }) => (response.status === status ? response.body : undefined));
}

/** A unique name for an example of an operation. */
function nameOf({ title }: Example): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentPart>>>>;

/** The document with a reference for each response that occurs more than once. */
function withSharedResponses<D extends DocumentPart>(document: D): D {
  const counts = new Map<string, number>();
  eachResponse(document.paths as Paths, (_, response) => {
    const text = JSON.stringify(response);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return response;
  });
  const names = new Map<string, string>();
  const responses: Record<string, DocumentPart> = {};
  const paths = eachResponse(document.paths as Paths, (status, response) => {
    const text = JSON.stringify(response);
    if (counts.get(text) === 1) return response;
    const name = names.get(text) ?? unusedName(status, responses);
    names.set(text, name);
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  });
  return names.size === 0
    ? document
    : { ...document, paths, components: { ...(document.components as DocumentPart), responses } };
}

/** Such as `NotFound`, or `NotFound2` for another response with the same status. */
function unusedName(status: string, used: DocumentPart): string {
  const name = (STATUS_CODES[status] ?? 'Refused').replace(/[^A-Za-z]/g, '');
  let number = 1;
  const numbered = () => (number === 1 ? name : `${name}${number}`);
  while (Object.hasOwn(used, numbered())) number += 1;
  return numbered();
}

function eachResponse(paths: Paths, change: (status: string, response: DocumentPart) => DocumentPart): DocumentPart {
  return mapValues(paths, operations =>
    mapValues(operations, operation => ({
      ...operation,
      responses: mapValues(operation.responses as Record<string, DocumentPart>, (response, status) =>
        change(status, response),
      ),
    })),
  );
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A, key: string) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
