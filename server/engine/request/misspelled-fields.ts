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

/** The misspelt fields of a body, also in the elements of a list. `alias`: another allowed name of a field. */
export function misspelledFields(
  schema: JsonSchema,
  value: unknown,
  alias?: string,
  at = '',
  looks: Looks = { left: MAX_LOOKS },
): MisspelledField[] {
  const found: MisspelledField[] = [];
  if (Array.isArray(value) && isObject(schema.items))
    for (const [i, element] of value.entries()) {
      if (found.length >= MAX_FOUND) break;
      found.push(...misspelledFields(schema.items, element, alias, `${at}/${i}`, looks));
    }
  if (!isObject(value) || !isObject(schema.properties)) return found;
  const { properties } = schema;
  const absent = Object.keys(properties).filter(name => !Object.hasOwn(value, name));
  if (absent.length === 0) return found;
  for (const sent in value) {
    if (found.length >= MAX_FOUND || looks.left === 0) break;
    looks.left -= 1;
    const meant = Object.hasOwn(properties, sent) || sent === alias ? undefined : nearestName(sent, absent);
    if (meant !== undefined) found.push({ at: `${at}${pointerTo(sent)}`, sent, meant });
  }
  return found;
}

/** `The body has "user": did you mean "users"?` */
export function misspellingSentence({ at, sent, meant }: MisspelledField): string {
  const place = at.slice(0, at.lastIndexOf('/'));
  return `${place === '' ? 'The body' : place} has ${quoted(sent)}: did you mean ${quoted(meant)}?`;
}
