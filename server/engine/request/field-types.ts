// Converts fields with values of another type, if a reading says so.
import { isObject } from '../../domain/form/patch.js';
import type { BodySpec } from '../../operations/operation.js';
import type { Grounds } from '../../operations/provenance.js';
import type { JsonSchema } from '../../operations/schema.js';
import { withNumbersAsText } from './exact-integers.js';

/** Text that counts as a number. */
export const DIGITS = /^-?[0-9]{1,18}$/;

/** The body, with its fields or those of its elements converted under the readings. `text`: the body as it was sent. */
export function withFieldTypes(
  { schema, alias }: BodySpec<unknown>,
  body: unknown,
  text: string,
  given: Grounds<never, 'field-type'>,
): unknown {
  const { properties } = (schema.items ?? schema) as { readonly properties: Readonly<Record<string, JsonSchema>> }; // as the schema builder writes it
  const fieldOf = (name: string) =>
    Object.hasOwn(properties, name) ? properties[name] : properties[name === alias?.name ? alias.of : ''];
  const isOdd = (object: unknown) =>
    isObject(object) && Object.entries(object).some(([name, value]) => isConvertible(fieldOf(name), value));
  const isList = Array.isArray(body);
  if (isList ? !body.some(isOdd) : !isOdd(body)) return body;
  const reading = given.reading('field-type');
  if (reading === '400') return body;
  const convert = (object: unknown, exact: unknown) =>
    !isObject(object) || !isObject(exact)
      ? object
      : Object.fromEntries(
          Object.entries(object).map(([name, value]) => [
            name,
            converted(fieldOf(name), value, exact[name], reading === 'all'),
          ]),
        );
  const exact = withNumbersAsText(text);
  return isList ? body.map((element, i) => convert(element, (exact as unknown[])[i])) : convert(body, exact); // the same text
}

function isConvertible(field: JsonSchema | undefined, value: unknown): boolean {
  if (field?.type === 'array') {
    const items = field.items as JsonSchema; // as the schema builder writes it
    return Array.isArray(value)
      ? value.some(one => isConvertible(items, one))
      : isItem(items, scalar(items, value, value));
  }
  return scalar(field, value, value) !== value;
}

function isItem({ type }: JsonSchema, value: unknown): boolean {
  return typeof value === (type === 'integer' ? 'number' : type);
}

/** `exact`: the same value with its numbers as text. */
function converted(field: JsonSchema | undefined, value: unknown, exact: unknown, wraps: boolean): unknown {
  if (field?.type !== 'array') return scalar(field, value, exact);
  const items = field.items as JsonSchema; // as the schema builder writes it
  if (Array.isArray(value)) return value.map((one, i) => scalar(items, one, (exact as unknown[])[i])); // the same list
  const one = scalar(items, value, exact);
  return wraps && isItem(items, one) ? [one] : value;
}

function scalar(field: JsonSchema | undefined, value: unknown, exact: unknown): unknown {
  if (field?.type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(exact);
  return field?.type === 'integer' && typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
}
