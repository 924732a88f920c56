// Unread fields of a body that are probably misspelt: each with the known field that the body lacks.

import * as Type from '@sinclair/typebox';
import { isObject } from '../../domain/form/patch.js';
import { pointerTo } from '../../domain/json/json-pointer.js';
import type { Shape } from '../../domain/json/shape.js';
import { quoted } from '../../operations/lookups.js';
import type { JsonSchema } from '../../operations/schema.js';
import { nearestName } from '../nearest.js';

/** @internal */
export const misspelledFieldSchema = Type.Object({
  at: Type.String({ description: 'JSON pointer to the sent field.' }),
  sent: Type.String(),
  meant: Type.String({ description: 'The field that it probably means.' }),
});
export type MisspelledField = Shape<typeof misspelledFieldSchema>;

/** Further ones help nobody. */
const MAX_FOUND = 5;

/** How many more fields are compared. */
export interface Looks {
  left: number;
}

/** In one body. */
export const MAX_LOOKS = 1_000;

interface UnknownField {
  /** JSON pointer to it. */
  readonly at: string;
  readonly name: string;
  /** The known fields that its object lacks. */
  readonly absent: readonly string[];
}

/** The fields of a body that its schema does not have, also in the elements of a list. `alias`: another allowed name of a field. */
export function* unknownFields(schema: JsonSchema, value: unknown, alias?: string, at = ''): Generator<UnknownField> {
  if (Array.isArray(value) && isObject(schema.items))
    for (const [i, element] of value.entries()) yield* unknownFields(schema.items, element, alias, `${at}/${i}`);
  if (!isObject(value) || !isObject(schema.properties)) return;
  const { properties } = schema;
  const absent = Object.keys(properties).filter(name => !Object.hasOwn(value, name));
  for (const name in value)
    if (!Object.hasOwn(properties, name) && name !== alias) yield { at: `${at}${pointerTo(name)}`, name, absent };
}

/** The unknown fields that are probably misspelt. */
export function misspelledFields(
  schema: JsonSchema,
  value: unknown,
  alias?: string,
  at = '',
  looks: Looks = { left: MAX_LOOKS },
): MisspelledField[] {
  const found: MisspelledField[] = [];
  for (const { at: place, name: sent, absent } of unknownFields(schema, value, alias, at)) {
    if (found.length >= MAX_FOUND || looks.left === 0) break;
    looks.left -= 1;
    const meant = nearestName(sent, absent);
    if (meant !== undefined) found.push({ at: place, sent, meant });
  }
  return found;
}

/** `The body has "user": did you mean "users"?` */
export function misspellingSentence({ at, sent, meant }: MisspelledField): string {
  const place = at.slice(0, at.lastIndexOf('/'));
  return `${place === '' ? 'The body' : place} has ${quoted(sent)}: did you mean ${quoted(meant)}?`;
}
