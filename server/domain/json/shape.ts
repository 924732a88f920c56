// What shapes need beyond TypeBox. A shape is declared once, as a schema with descriptions: ajv validates it, the reference shows it, and its type is
// inferred. The published declarations and the pages of the library print it as a plain type.
import * as Type from '@sinclair/typebox';

/** The type that a schema describes, all of it read-only. */
export type Shape<S extends Type.TSchema> = Frozen<Type.Static<S>>;
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** An object with these members and no others. */
export function exact<P extends Type.TProperties>(properties: P, more: Type.ObjectOptions = {}): Type.TObject<P> {
  return Type.Object(properties, { ...more, additionalProperties: false });
}

export function oneOf<const V extends readonly unknown[]>(
  values: V,
  more: Type.SchemaOptions = {},
): Type.TUnsafe<V[number]> {
  return Type.Unsafe({ enum: values, ...more });
}

/** An object with any names, whose values have one schema. */
export function table<S extends Type.TSchema>(
  values: S,
  description?: string,
): Type.TUnsafe<Record<string, Type.Static<S>>> {
  return Type.Unsafe({
    type: 'object',
    additionalProperties: values,
    ...(description !== undefined && { description }),
  });
}

/** One schema for values that fit a condition, another for the rest. */
export function either(condition: object, yes: object, no: object): Type.SchemaOptions {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: condition, then: yes, else: no };
}

/** An instant in UTC; fields within their bounds, though a month may still be too short for its day. */
export const instant = {
  type: 'string',
  pattern:
    '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?Z$',
  description: 'An instant in UTC, such as 2026-01-05T09:00:00Z',
};

/** Where a schema keeps the name of its type: neither JSON nor ajv sees it. */
export const TYPE_NAME = Symbol.for('cwx-fake.type-name');

/** A schema of a type that is declared elsewhere, printed by its name. The file imports it. */
export function typed<T>(name: string, schema: Type.SchemaOptions): Type.TUnsafe<T> {
  return Type.Unsafe({ ...schema, [TYPE_NAME]: name });
}

/** A member that may be absent, or `undefined`. */
export function maybe<S extends Type.TSchema>(
  schema: S,
  description?: string,
): Type.TOptional<Type.TUnsafe<Type.Static<S> | undefined>> {
  return Type.Optional(Type.Unsafe({ ...schema, ...(description !== undefined && { description }) }));
}
