// Reads an OpenAPI document as another tool would: from its text alone.
export interface ApiResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-refusals'?: readonly string[];
}
export interface Media {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly examples?: Media['examples'];
}
export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

export interface Reader {
  readonly servers: readonly string[];
  /** `METHOD path` of each operation, in order. */
  readonly addresses: readonly string[];
  /** The operation of an id, every reference in it replaced by what it refers to. */
  operation(id: string): DocumentedOperation;
}

interface Written {
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

export function readOpenapi(document: object): Reader {
  const written = JSON.parse(JSON.stringify(document)) as Written; // the linter's test holds it to the form of OpenAPI
  const all = Object.entries(written.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ address: `${method.toUpperCase()} ${path}`, operation })),
  );
  return {
    servers: written.servers.map(({ url }) => url),
    addresses: all.map(({ address }) => address),
    operation: id => {
      const found = all.find(({ operation }) => operation.operationId === id);
      if (found === undefined) throw new Error(`the document has no operation ${id}`);
      return resolved(found.operation, written) as DocumentedOperation; // as above
    },
  };
}

function resolved(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map(element => resolved(element, document));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return resolved(pointedAt(String(value.$ref), document), document);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolved(part, document)]));
}

function pointedAt(reference: string, document: object): unknown {
  const steps = reference.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document); // a reference leads through objects
}
