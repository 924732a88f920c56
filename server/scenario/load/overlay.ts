// Lays what a file says of a world over the world below it, and tells each name that is then the name of nothing.
// Knows no file: flaws have places in the value that was laid.
import { buildingWorld, collection, collectionNames } from '../../domain/form/form.js';
import type { CollectionName, SparseWorldForm } from '../../domain/form/form-shapes.js';
import { type Dangling, findingDangling } from '../../domain/form/integrity.js';
import { isObject, removes, tryingPatch, type WorldPatch, writing } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import { findingRecordsNaming } from '../../domain/naming.js';
import type { World } from '../../domain/world.js';
import { nearest } from '../../engine/nearest.js';
import { quoted } from '../../operations/lookups.js';
import { isWithin, shapingByParts } from '../checks/schema-problems.js';
import { recordNames, worldSchema } from '../format/world-format.js';
import { type Flaw, MOST_LISTED, MOST_PROBLEMS, type Path, pointerOf } from '../yaml/problem.js';

export interface Laid {
  readonly world: World;
  readonly flaws: readonly Flaw[];
}

/**
 * Lays whole records over a world. `unfit` are the places of the form that do not fit its schema. `passed`: what is wished of some names and
 * need not be.
 */
export function layRecords(
  base: World,
  form: unknown,
  unfit: readonly Path[] = [],
  passed: ReadonlyArray<Dangling['wanted']> = [],
): Laid {
  return inOneGo(layingRecords(base, form, unfit, passed));
}

/** The same, which may be interrupted. */
export function* layingRecords(
  base: World,
  form: unknown,
  unfit: readonly Path[] = [],
  passed: ReadonlyArray<Dangling['wanted']> = [],
): Generator<unknown, Laid> {
  const fit = fitting(form, unfit);
  if (fit === undefined) return { world: base, flaws: [] };
  const records = fit as SparseWorldForm; // what does not fit the schema of records has been taken out
  const world = yield* buildingWorld(records, base);
  return { world, flaws: yield* danglingFlaws(records, world, unfit, passed) };
}

/** Lays a merge-patch over a world. `unfit` as above. */
export function layPatch(base: World, form: unknown, unfit: readonly Path[] = []): Laid {
  return inOneGo(layingPatch(base, form, unfit));
}

/** The same, which may be interrupted: a patch of a megabyte writes tens of thousands of records. */
export function* layingPatch(base: World, form: unknown, unfit: readonly Path[] = []): Generator<unknown, Laid> {
  const fit = fitting(form, unfit);
  if (fit === undefined) return { world: base, flaws: [] };
  const patch = fit as WorldPatch; // what does not fit the schema of patches has been taken out
  const world = yield* tryingPatch(base, patch);
  const written = yield* writing(base, patch);
  const shape = yield* shapingByParts(worldSchema, written);
  const names = yield* danglingFlaws(written, world, [...unfit, ...shape.unfit]);
  const unknown = yield* absent(base, patch);
  return { world, flaws: [...outside(unfit, shape.flaws), ...unknown, ...names, ...(yield* bereft(world, patch))] };
}

function outside(places: readonly Path[], flaws: readonly Flaw[]): readonly Flaw[] {
  return places.length === 0 ? flaws : flaws.filter(({ path }) => !isWithin(path, places));
}

/** Names that are the name of nothing. What does not fit is passed over before it is taken for a name. */
function* danglingFlaws(
  form: SparseWorldForm,
  world: World,
  unfit: readonly Path[],
  passed: ReadonlyArray<Dangling['wanted']> = [],
): Generator<unknown, Flaw[]> {
  const flaws: Flaw[] = [];
  for (const one of findingDangling(form, world)) {
    yield;
    if (one === undefined || passed.includes(one.wanted) || isWithin(one.path, unfit)) continue;
    flaws.push(danglingFlaw(one, world));
    if (flaws.length === MOST_PROBLEMS) break;
  }
  return flaws;
}

function danglingFlaw({ path, found, wanted, allowed }: Dangling, world: World): Flaw {
  switch (wanted) {
    case 'other title': {
      const space = world.pages.get(String(path[1]))?.space ?? '';
      return {
        path,
        message: `The space ${JSON.stringify(space)} has another page with the title ${JSON.stringify(found)}.`,
      };
    }
    case 'other user name':
      return {
        path,
        of: 'key',
        message: `${JSON.stringify(found)} is the caller without credentials: no user bears that name.`,
      };
    case 'other token':
      return { path, message: 'Another user has this token: a token belongs to one.' };
    default:
      return { path, of: path.length === 2 ? 'key' : 'value', message: unknownName(wanted, found, allowed()) };
  }
}

/** That there is nothing of a name, what was probably meant, and what there is where that is little. */
export function unknownName(kind: string, name: string, allowed: Iterable<string>): string {
  const names = firstOf(allowed, MOST_COMPARED);
  const few = names.length <= MOST_LISTED ? `: there are ${[...names].sort().join(', ')}` : '';
  return `There is no ${kind} ${quoted(name)}${nearest(name, names)}${names.length === 0 ? ': there are none' : few}.`;
}

/** A wrong name is compared with so many others. */
const MOST_COMPARED = 2000;

function firstOf<T>(values: Iterable<T>, most: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length === most) break;
    first.push(value);
  }
  return first;
}

/** What is taken away and was never there: more often an empty record than a wish. */
function* absent(base: World, patch: WorldPatch): Generator<unknown, Flaw[]> {
  const flaws: Flaw[] = [];
  for (const [name, key] of removals(patch)) {
    yield;
    const { read, keys } = collection(name);
    if (read(base, key) !== undefined) continue;
    const unknown = unknownName(recordNames[name], key, keys(base));
    flaws.push({ path: [name, key], of: 'key', message: `An empty value takes away. ${unknown}` });
    if (flaws.length === MOST_PROBLEMS) break;
  }
  return flaws;
}

/** What is taken away here and still named elsewhere. Costs a look at the whole world, so it is asked only where something goes. */
function* bereft(world: World, patch: WorldPatch): Generator<unknown, Flaw[]> {
  if (!removes(patch)) return [];
  const removed = removals(patch);
  const gone = new Set<string>();
  for (const [name, key] of removed) {
    gone.add(pointerOf([recordNames[name], key]));
    yield;
  }
  const left = yield* findingRecordsNaming(removed, world, MOST_PROBLEMS);
  const flaws: Flaw[] = [];
  for (const one of findingDangling(left, world)) {
    yield;
    if (one === undefined || !gone.has(pointerOf([one.wanted, one.found]))) continue;
    const { path, wanted, found } = one;
    const message = `The ${wanted} ${JSON.stringify(found)} is taken away, but ${pointerOf(path)} still names it.`;
    flaws.push({ path: [`${wanted}s`, found], of: 'key', message });
    if (flaws.length === MOST_PROBLEMS) break;
  }
  return flaws;
}

function removals(patch: WorldPatch): Array<readonly [name: CollectionName, key: string]> {
  return collectionNames.flatMap(name =>
    Object.entries(patch[name] ?? {}).flatMap(([key, value]) => (value === null ? [[name, key] as const] : [])),
  );
}

/** The form without what does not fit, so that the names in the rest can be checked; `undefined` where too little would be left. */
function fitting(form: unknown, unfit: readonly Path[]): unknown {
  if (unfit.length > MOST_PROBLEMS) return undefined;
  const isBroken = unfit.some(([name]) => name === undefined) || unfit.some(path => isCollection(path));
  if (isBroken || !isObject(form)) return undefined;
  return unfit.reduce<Readonly<Record<string, unknown>>>((fit, path) => without(fit, path), form);
}

function isCollection([name, ...more]: Path): boolean {
  return more.length === 0 && collectionNames.some(known => known === name);
}

/** A record that does not fit is emptied, so that its name stays known. */
function without(form: Readonly<Record<string, unknown>>, path: Path): Readonly<Record<string, unknown>> {
  const [name = '', key, ...more] = path;
  const records = form[name];
  if (key === undefined || !isObject(records)) return removed(form, [name]);
  const record = more.length > 0 ? removed(records[key], more) : name === 'groups' ? [] : {};
  return { ...form, [name]: { ...records, [key]: record } };
}

/** An object without what is at a path. An element of a list stays, so that the others keep their places. */
function removed<T>(value: T, [step = '', ...more]: Path): T {
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...rest } = value;
  return (more.length === 0 ? rest : { ...value, [step]: removed(inner, more) }) as T; // a part of what it was
}
