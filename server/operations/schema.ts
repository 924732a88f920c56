// Builders of typed JSON Schemas (draft 2020-12).

export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A JSON Schema of values of type T, which is never there at run time. `x-rule`: the rule behind a keyword. */
export interface Schema<T> extends JsonSchema {
  readonly static?: T;
}

/** A hand-written JSON Schema of values of type T. */
export function described<T>(json: JsonSchema): Schema<T> {
  return json;
}

/** The schema with a CamelCase `title`, which becomes a named component and type. */
export function titled<T>(title: string, json: Schema<T>): Schema<T> {
  return { title, ...json };
}

export type Described<S> = S extends Schema<infer T> ? T : never;
export type Fields = Readonly<Record<string, Schema<unknown>>>;
type DescribedFields<F extends Fields> = { readonly [K in keyof F]: Described<F[K]> };

export function string(description: string): Schema<string> {
  return { type: 'string', description };
}

export function integer(description: string): Schema<number> {
  return { type: 'integer', description };
}

export function boolean(description: string, rule?: string): Schema<boolean> {
  return { type: 'boolean', description, ...(rule !== undefined && { 'x-rule': rule }) };
}

export function array<T>(items: Schema<T>, description: string, rule?: string): Schema<readonly T[]> {
  return { type: 'array', items: items, description, ...(rule !== undefined && { 'x-rule': rule }) };
}

/** An object with exactly these required fields; readings settle other cases before. */
export function object<F extends Fields>(
  fields: F,
  rule: string | undefined,
  description: string,
): Schema<DescribedFields<F>> {
  const required = Object.keys(fields);
  return { ...objectOf(fields), required, description, ...(rule !== undefined && { 'x-rule': rule }) };
}

/** An object with any of these fields. `constraints`: additional schemas. */
export function partialObject<F extends Fields>(
  fields: F,
  rule: string,
  description: string,
  constraints: readonly JsonSchema[] = [],
): Schema<Partial<DescribedFields<F>>> {
  return { ...objectOf(fields), ...(constraints.length > 0 && { allOf: constraints }), description, 'x-rule': rule };
}

/** An object with required and optional fields, and no others. */
export function fields<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
): Schema<DescribedFields<R> & Partial<DescribedFields<O>>> {
  const names = Object.keys(required);
  return { ...objectOf({ ...required, ...optional }), ...(names.length > 0 && { required: names }) };
}

/** A constraint: at least one of these fields. */
export function anyOfFields(names: readonly string[], rule: string, description: string, title: string): JsonSchema {
  return { title, anyOf: names.map(name => ({ required: [name] })), description, 'x-rule': rule };
}

function objectOf(fields: Fields): JsonSchema {
  return { type: 'object', properties: fields, additionalProperties: false };
}
