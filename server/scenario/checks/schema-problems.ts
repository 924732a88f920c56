// Schema errors in a value, worded for people who write files.

import { isObject } from '../../domain/form/patch.js';
import { type Path, pathOfPointer, pointerOf, valueAt } from '../../domain/json/json-pointer.js';
import { keptFor } from '../../domain/kept-for.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { expectedText, foundText, type SchemaError, schemaErrors } from '../../engine/request/validate.js';
import type { JsonSchema } from '../../operations/schema.js';
import { MAX_PROBLEMS, type ValueError } from '../yaml/problem.js';
import { keyHint, matcherHint, statusMeant, typoHint } from './typo-hints.js';

export interface SchemaResult {
  readonly errors: readonly ValueError[];
  /** Invalid or missing places: other checks skip them. */
  readonly unfit: readonly Path[];
}

/** The result for a valid value. */
export const validResult: SchemaResult = { errors: [], unfit: [] };

/** Keywords whose errors only repeat those of the keywords within them. */
const REPEATING: readonly string[] = ['if', 'propertyNames'];

/** Further schema errors are not looked for. One problem may cause several. */
const MAX_SCHEMA_ERRORS = 4 * MAX_PROBLEMS;

/** `at`: place of the value in a larger one; `whole`: name of that one in messages. */
export function shapeOf(schema: JsonSchema, value: unknown, at: Path = [], whole = 'The file'): SchemaResult {
  const wrong = schemaErrors(schema, value, { most: MAX_SCHEMA_ERRORS }).filter(
    ({ keyword }) => !REPEATING.includes(keyword),
  );
  return {
    errors: wrong.map(schemaError => errorOf(schemaError, value, at, whole)),
    unfit: wrong.map(({ pointer, property }) => [
      ...at,
      ...pathOfPointer(pointer),
      ...(property === undefined ? [] : [property]),
    ]),
  };
}

/**
 * What does not fit in a whole file, part by part: compiling a schema costs more than reading a file, so only the schemas of existing parts are compiled. Parts
 * after many errors are not looked at.
 */
export function shapeByParts(schema: JsonSchema, value: unknown): SchemaResult {
  const { frame, parts } = partsOf(schema);
  const shape = shapeOf(frame, value);
  const [errors, unfit] = [[...shape.errors], [...shape.unfit]];
  for (const [name, part] of Object.entries(parts)) {
    if (!isObject(value) || !Object.hasOwn(value, name)) continue;
    for (const some of slicesOf(value[name])) {
      if (errors.length >= MAX_SCHEMA_ERRORS) break;
      const further = shapeOf(part, some, [name]);
      errors.push(...further.errors);
      unfit.push(...further.unfit);
    }
  }
  return { errors, unfit };
}

/** Records checked together. */
const SLICE = 2_000;

function* slicesOf(part: unknown): Generator<unknown> {
  const records = isObject(part) ? Object.entries(part) : [];
  if (records.length <= SLICE) yield part;
  else for (let i = 0; i < records.length; i += SLICE) yield Object.fromEntries(records.slice(i, i + SLICE));
}

interface Parts {
  readonly frame: JsonSchema;
  readonly parts: Readonly<Record<string, JsonSchema>>;
}

/** A schema that has only named properties, and their schemas. */
const partsOf = keptFor((schema: JsonSchema): Parts => {
  const { $id: _, $defs, properties, ...rest } = schema;
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>); // the schema of a file has properties
  return {
    frame: { ...rest, properties: Object.fromEntries(named.map(([name]) => [name, {}])) },
    parts: Object.fromEntries(named.map(([name, part]) => [name, { ...part, ...($defs !== undefined && { $defs }) }])),
  };
});

function errorOf(schemaError: SchemaError, value: unknown, at: Path, whole: string): ValueError {
  const { keyword, problem, property, allowed } = schemaError;
  const inner = pathOfPointer(schemaError.pointer);
  const path = [...at, ...inner];
  const subject = path.length === 0 ? whole : pointerOf(path);
  const written = valueAt(value, inner);
  if (keyword === 'required')
    return { path, of: 'key', message: `${subject} is missing the key ${JSON.stringify(property)}.` };
  const place = property === undefined ? path : [...path, property];
  const mistake = matcherHint(place, property === undefined ? written : undefined);
  if (mistake !== undefined) return { ...mistake, of: 'key' };
  if (property !== undefined) return { path: place, of: 'key', message: keyMessage(schemaError, property) };
  if (keyword === 'maxProperties' && isObject(written))
    return {
      path,
      message: `A matcher must be the only key of its object, but there are ${Object.keys(written).length} keys.`,
    };
  if (path.length === 0 && written === null)
    return { path, message: `${whole} is empty: it must contain an object. For an empty object, write {}.` };
  const isName = keyword === 'enum' && typeof written === 'string';
  const meant = isName ? nearest(written, allowed) : statusMeant(path, written);
  return {
    path,
    message: `${subject} ${expectedText(schemaError, meant)}${foundText(schemaError)}${meant}${isName && meant !== '' ? '' : typoHint(path, problem, written)}.`,
  };
}

function keyMessage({ keyword, problem, allowed }: SchemaError, property: string): string {
  if (keyword !== 'additionalProperties') return `${JSON.stringify(property)} ${problem}.`;
  const hint = keyHint(property, allowed);
  if (hint !== undefined) return `Unknown key ${JSON.stringify(property)}: ${hint}.`;
  const right = allowed.length === 0 ? '' : `: ${expectedOf(allowed)}`;
  return `Unknown key ${JSON.stringify(property)}${nearest(property, allowed)}${right}.`;
}
