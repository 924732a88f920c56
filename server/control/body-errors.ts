// Checks a body against the schema of its action, and finds the part that fits it: one error does not hide others.
import { isObject } from '../domain/form/patch.js';
import { type Path, pathOfPointer, valueAt } from '../domain/json/json-pointer.js';
import { expectedOf, nearest } from '../engine/nearest.js';
import { expectedText, foundText, isLong, type SchemaError, schemaErrors } from '../engine/request/validate.js';
import type { JsonSchema } from '../operations/schema.js';
import type { ValidationError } from '../scenario/yaml/problem.js';

export interface BodyErrors {
  readonly errors: readonly ValidationError[];
  /** The body if it fits; else its members that do. Required ones may be missing then; a list is there only if all of it fits. */
  readonly fitting: unknown;
}

/** `length`: that of its text. */
export function bodyErrors(schema: JsonSchema, body: unknown, length = 0): BodyErrors {
  const wrong = schemaErrors(schema, body, { length });
  if (wrong.length === 0) return { errors: [], fitting: body };
  const fitting = isObject(body) && !isLong(length) ? fittingPart(schema, body) : {};
  return { errors: wrong.map(error => shown(error, body)), fitting };
}

/** An error with the value found, and the nearest name for a probable typo. */
function shown(schemaError: SchemaError, body: unknown): ValidationError {
  const { pointer, problem, property, allowed, keyword } = schemaError;
  const named = property ?? valueAt(body, pathOfPointer(pointer));
  const hint = typeof named === 'string' ? nearest(named, allowed) : '';
  const place = pointer === '' ? 'The body' : pointer;
  const what = property === undefined ? expectedText(schemaError, hint) + foundText(schemaError) : problem;
  const isUnknown = property !== undefined && keyword !== 'required';
  return { ...schemaError, message: `${place} ${what}${hint}${isUnknown ? fieldsText(allowed) : ''}.` };
}

function fieldsText(names: readonly string[]): string {
  return names.length === 0 ? ': no fields are allowed' : `: ${expectedOf(names)}`;
}

function fittingPart(schema: JsonSchema, body: Readonly<Record<string, unknown>>): unknown {
  const part = structuredClone(body);
  for (;;) {
    const places = schemaErrors(schema, part).flatMap(placeOf);
    if (places.length === 0) return part;
    const removed = places.filter(place => remove(part, place));
    if (removed.length === 0) return {}; // it is wrong as a whole
  }
}

/** What to leave out. A body may lack fields, an object in it may not. */
function placeOf({ pointer, keyword, property }: SchemaError): Path[] {
  const place = pathOfPointer(pointer);
  if (keyword === 'required') return place.length === 0 ? [] : [place];
  return [property === undefined ? place : [...place, property]];
}

/** Removes the member at a place, or the list around it. Returns whether there was one. */
function remove(object: Record<string, unknown>, [first, ...rest]: Path): boolean {
  if (first === undefined || !Object.hasOwn(object, first)) return false;
  const inner = object[first];
  if (rest.length > 0 && isObject(inner)) return remove(inner, rest);
  return delete object[first];
}
