// Lays the records or the patch of a file over a world, and reports names that do not exist afterwards. Places in errors lead into the laid value.

import { recordsNaming } from '../../domain/dangling-references.js';
import { collection, collectionNames, worldFrom } from '../../domain/form/form.js';
import { type CollectionName, type SparseWorldForm, worldSchema } from '../../domain/form/form-shapes.js';
import { type Dangling, danglingIn } from '../../domain/form/integrity.js';
import { isObject, removes, tryPatch, type WorldPatch, writtenBy } from '../../domain/form/patch.js';
import { firstOf } from '../../domain/iterables.js';
import { isWithin, type Path, pointerOf } from '../../domain/json/json-pointer.js';
import type { World } from '../../domain/world/world.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { MAX_LISTED_NAMES } from '../../engine/request/validate.js';
import { quoted, titleTaken } from '../../operations/lookups.js';
import { mappedKinds } from '../format/map-format.js';
import { keyError, MAX_PROBLEMS, type ValueError } from '../yaml/problem.js';
import { shapeByParts } from './schema-problems.js';

/** The word for a record of each collection. */
const recordNames: { readonly [C in CollectionName]: string } = { ...mappedKinds, favourites: 'user with favourites' };

export interface Laid {
  readonly world: World;
  readonly errors: readonly ValueError[];
}

/** Lays whole records over a world. `unfit`: places that do not fit the schema. */
export function layRecords(base: World, form: unknown, unfit: readonly Path[] = []): Laid {
  const fit = fitting(form, unfit);
  if (fit === undefined) return { world: base, errors: [] };
  const records = fit as SparseWorldForm; // invalid parts were removed
  const world = worldFrom(records, base);
  return { world, errors: danglingErrors(records, world, unfit) };
}

/** Lays a merge-patch over a world. `unfit`: places that do not fit the schema. */
export function layPatch(base: World, form: unknown, unfit: readonly Path[] = []): Laid {
  const fit = fitting(form, unfit);
  if (fit === undefined) return { world: base, errors: [] };
  const patch = fit as WorldPatch; // invalid parts were removed
  const world = tryPatch(base, patch);
  const written = writtenBy(base, patch);
  const shape = shapeByParts(worldSchema, written);
  const names = danglingErrors(written, world, [...unfit, ...shape.unfit]);
  const unknown = absent(base, patch);
  return { world, errors: [...outside(unfit, shape.errors), ...unknown, ...names, ...bereft(world, patch)] };
}

function outside(places: readonly Path[], errors: readonly ValueError[]): readonly ValueError[] {
  return places.length === 0 ? errors : errors.filter(({ path }) => !isWithin(path, places));
}

/** Errors for names that do not exist. Invalid places are skipped. */
function danglingErrors(form: SparseWorldForm, world: World, unfit: readonly Path[]): ValueError[] {
  return firstOf(errorsIn(form, world, unfit), MAX_PROBLEMS);
}

function* errorsIn(form: SparseWorldForm, world: World, unfit: readonly Path[]): Generator<ValueError> {
  for (const one of danglingIn(form, world)) if (!isWithin(one.path, unfit)) yield danglingError(one, world);
}

function danglingError({ path, found, wanted, allowed }: Dangling, world: World): ValueError {
  switch (wanted) {
    case 'other title': {
      const space = world.pages.get(String(path[1]))?.space ?? '';
      return { path, message: titleTaken(space, found) };
    }
    case 'other user name':
      return keyError(path, `${JSON.stringify(found)} is reserved for callers without credentials.`);
    case 'other token':
      return { path, message: 'Another user has this token: a token must be unique.' };
    default:
      return { path, of: path.length === 2 ? 'key' : 'value', message: unknownName(wanted, found, allowed()) };
  }
}

/** Message about an unknown name, with the nearest, or with all if there are few. */
export function unknownName(kind: string, name: string, allowed: Iterable<string>): string {
  const names = firstOf(allowed, MAX_COMPARED);
  const few = names.length <= MAX_LISTED_NAMES ? `: ${expectedOf([...names].sort())}` : '';
  return `Unknown ${kind} ${quoted(name)}${nearest(name, names)}${names.length === 0 ? `: the world has no ${kind}s` : few}.`;
}

/** Number of names that an unknown name is compared with. */
const MAX_COMPARED = 2000;

/** Null for a record that does not exist: more often an empty record than a deletion. */
function absent(base: World, patch: WorldPatch): ValueError[] {
  const unknown = removals(patch).filter(([name, key]) => collection(name).read(base, key) === undefined);
  return unknown.slice(0, MAX_PROBLEMS).map(([name, key]) => {
    const message = unknownName(recordNames[name], key, collection(name).keys(base));
    return keyError([name, key], `An empty value removes the record. ${message}`);
  });
}

/** Records that are removed here and still named elsewhere. Reads the whole world, so it runs only if something is removed. */
function bereft(world: World, patch: WorldPatch): ValueError[] {
  return removes(patch) ? firstOf(bereftIn(world, removals(patch)), MAX_PROBLEMS) : [];
}

function* bereftIn(world: World, removed: ReturnType<typeof removals>): Generator<ValueError> {
  const gone = new Set(removed.map(([name, key]) => pointerOf([recordNames[name], key])));
  for (const { path, wanted, found } of danglingIn(recordsNaming(removed, world, MAX_PROBLEMS), world)) {
    if (!gone.has(pointerOf([wanted, found]))) continue;
    const place = pointerOf(path);
    const message = `The ${wanted} ${JSON.stringify(found)} is removed, but ${place} still refers to it.`;
    yield { ...keyError([`${wanted}s`, found], message), referrer: path };
  }
}

function removals(patch: WorldPatch): Array<readonly [name: CollectionName, key: string]> {
  return collectionNames.flatMap(name =>
    Object.entries(patch[name] ?? {}).flatMap(([key, value]) => (value === null ? [[name, key] as const] : [])),
  );
}

/** The form without invalid parts, so that names in the rest can be checked; `undefined` if too little is left. */
function fitting(form: unknown, unfit: readonly Path[]): unknown {
  const isBroken = unfit.some(
    ([name, key]) => name === undefined || (key === undefined && Object.hasOwn(recordNames, name)),
  );
  if (unfit.length > MAX_PROBLEMS || isBroken || !isObject(form)) return undefined;
  return unfit.reduce(withoutPart, form);
}

/** An invalid record is emptied, so that its name still exists; one with an invalid number is left out. */
function withoutPart(form: Readonly<Record<string, unknown>>, path: Path): Readonly<Record<string, unknown>> {
  const [name = '', key, ...more] = path;
  const records = form[name];
  const isNumber = key === undefined || /^\d+$/.test(String(key));
  const isNumbered = name === 'pages' || name === 'filters' || name === 'dashboards';
  if (key === undefined || more.length > 0 || !isObject(records) || (isNumbered && !isNumber))
    return withoutKeys(form, path);
  if (!Object.hasOwn(records, key)) return form;
  return { ...form, [name]: { ...records, [key]: name === 'groups' ? [] : {} } };
}

/** An object without the value at a path. List elements are kept, so that indexes stay valid. */
export function withoutKeys<T>(value: T, [step = '', ...more]: Path): T {
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...rest } = value;
  return (more.length === 0 ? rest : { ...value, [step]: withoutKeys(inner, more) }) as T; // a part of the input
}
