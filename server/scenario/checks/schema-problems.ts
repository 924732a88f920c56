// What of a value does not fit its schema, told for people who write files. Knows schemas, and no format.

import { isObject } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import { nearest } from '../../engine/nearest.js';
import { type Misfit, misfits } from '../../engine/request/validate.js';
import type { JsonSchema } from '../../operations/schema.js';
import { type Flaw, MOST_LISTED, type Path, pathOf, pointerOf } from '../yaml/problem.js';
import {
  blankAfterColon,
  isRawBody,
  matcherMistake,
  mistakeHint,
  rawBodyHint,
  statusMeant,
} from './likely-mistakes.js';

export interface Shape {
  readonly flaws: readonly Flaw[];
  /** The places that do not fit, or that should be there and are not: what is judged elsewhere passes them over. */
  readonly unfit: readonly Path[];
}

/** Of what is known to fit. */
export const fitting: Shape = { flaws: [], unfit: [] };

/** Keywords that only repeat what the keywords within them say. */
const REPEATING: readonly string[] = ['if', 'propertyNames'];

/** `at` is where the value stands in a larger one. With `most` only the first flaws are told. */
export function shapeOf(schema: JsonSchema, value: unknown, at: Path = [], most?: number): Shape {
  const wrong = misfits(schema, value, { most }).filter(({ keyword }) => !REPEATING.includes(keyword));
  return {
    flaws: wrong.filter(misfit => !isOfRawObject(misfit, wrong, at)).map(misfit => flawOf(misfit, value, at)),
    unfit: wrong.map(({ pointer, property }) => [
      ...at,
      ...pathOf(pointer),
      ...(property === undefined ? [] : [property]),
    ]),
  };
}

/**
 * The same for a whole file, part by part. To compile a schema costs more than to read a file, so the schema of a part is asked only where
 * the file has that part.
 */
export function shapeByParts(schema: JsonSchema, value: unknown): Shape {
  return inOneGo(shapingByParts(schema, value));
}

/** The same, which may be interrupted. With `most` only the first flaws of each part are told. */
export function* shapingByParts(schema: JsonSchema, value: unknown, most?: number): Generator<unknown, Shape> {
  const { frame, parts } = partsOf(schema);
  const shapes = [shapeOf(frame, value, [], most)];
  for (const [name, part] of Object.entries(parts)) {
    if (!isObject(value) || !Object.hasOwn(value, name)) continue;
    for (const some of inSlices(value[name])) {
      yield;
      shapes.push(shapeOf(part, some, [name], most));
    }
  }
  return { flaws: shapes.flatMap(({ flaws }) => flaws), unfit: shapes.flatMap(({ unfit }) => unfit) };
}

/** Records of a part that are judged in one piece: what is due of one does not depend on the others. */
const SLICE = 2_000;

function* inSlices(part: unknown): Generator<unknown> {
  const records = isObject(part) ? Object.entries(part) : [];
  if (records.length <= SLICE) yield part;
  else for (let i = 0; i < records.length; i += SLICE) yield Object.fromEntries(records.slice(i, i + SLICE));
}

interface Parts {
  readonly frame: JsonSchema;
  readonly parts: Readonly<Record<string, JsonSchema>>;
}

const knownParts = new WeakMap<JsonSchema, Parts>();

/** A schema that knows its properties only by name, and the schema of each property. */
function partsOf(schema: JsonSchema): Parts {
  const known = knownParts.get(schema);
  if (known !== undefined) return known;
  const { $id: _, $defs, properties, ...rest } = schema;
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>); // the schema of a file has properties
  const made = {
    frame: { ...rest, properties: Object.fromEntries(named.map(([name]) => [name, {}])) },
    parts: Object.fromEntries(named.map(([name, part]) => [name, { ...part, ...($defs !== undefined && { $defs }) }])),
  };
  knownParts.set(schema, made);
  return made;
}

/** Whether a place is one of these, or lies in one of them. */
export function isWithin(path: Path, places: readonly Path[]): boolean {
  return places.some(place => place.every((step, i) => i < path.length && String(step) === String(path[i])));
}

/** Each key of a raw body that is an object without bytes: that it should be text is told once. */
function isOfRawObject({ keyword, pointer }: Misfit, wrong: readonly Misfit[], at: Path): boolean {
  if (keyword !== 'additionalProperties' || !isRawBody([...at, ...pathOf(pointer)])) return false;
  return wrong.some(other => other.keyword === 'required' && other.pointer === pointer);
}

function flawOf(misfit: Misfit, value: unknown, at: Path): Flaw {
  const { keyword, problem, property, allowed, found } = misfit;
  const inner = pathOf(misfit.pointer);
  const path = [...at, ...inner];
  const subject = path.length === 0 ? 'This' : pointerOf(path);
  const written = valueAt(value, inner);
  if (keyword === 'required' && isRawBody(path))
    return { path, message: `${subject} is ${found}: ${rawBodyHint(written)}.` };
  if (keyword === 'required')
    return { path, of: 'key', message: `${subject} lacks the key ${JSON.stringify(property)}.` };
  const place = property === undefined ? path : [...path, property];
  const mistake = matcherMistake(place, property === undefined ? written : undefined);
  if (mistake !== undefined) return { ...mistake, of: 'key' };
  if (property !== undefined) return { path: place, of: 'key', message: keyMessage(misfit, property) };
  if (keyword === 'maxProperties' && isObject(written))
    return { path, message: `A matcher stands alone, and this one has ${Object.keys(written).length} keys.` };
  const isName = keyword === 'enum' && typeof written === 'string';
  const meant = isName ? nearest(written, allowed) : statusMeant(path, written);
  const told = keyword === 'minProperties' ? 'must have something in it' : problem;
  const right = meant !== '' && allowed.length > MOST_LISTED ? `must be one of ${allowed.length} names` : told;
  return { path, message: `${subject} ${right}, and it is ${found}${meant}${mistakeHint(path, problem, written)}.` };
}

function keyMessage({ keyword, problem, allowed }: Misfit, property: string): string {
  if (keyword !== 'additionalProperties') return `${JSON.stringify(property)} ${problem}.`;
  const blank = blankAfterColon(property, allowed);
  if (blank !== undefined) return `There is no key ${JSON.stringify(property)} here: ${blank}.`;
  const right = allowed.length === 0 ? '' : `: allowed are ${allowed.join(', ')}`;
  return `There is no key ${JSON.stringify(property)} here${nearest(property, allowed)}${right}.`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined;
  }, value);
}
