// Loads a fixture file as a world: its base, its recipe, and what it lays over them.
import { isObject } from '../../domain/form/patch.js';
import { isWithin, type Path } from '../../domain/json/json-pointer.js';
import { emptyWorld, type World } from '../../domain/world/world.js';
import { expectedOf, nearest } from '../../engine/nearest.js';
import { quoted } from '../../operations/lookups.js';
import { layPatch, layRecords } from '../checks/overlay.js';
import { type SchemaResult, shapeByParts, validResult } from '../checks/schema-problems.js';
import { type Folders, findNamed, isForRunningServer, liesIn, namesBeside, packageRoot } from '../files/folders.js';
import { extendingSchema, type FixtureForm, ownSchema } from '../format/fixture-format.js';
import { isProblems, type Problem, type Problems, sortedProblems } from '../yaml/problem.js';
import { readSource, type Source } from '../yaml/source.js';
import { making, recipeProblem } from './recipe.js';

export interface BuiltFixture {
  readonly world: World;
  /** Every file that was read, the fixture itself first. */
  readonly files: readonly string[];
  /** Whether the package ships each of them, so that what builds on it was checked with it. */
  readonly isShipped: boolean;
}

/** A longer chain of `extends` is an error and would overflow the stack. */
const MAX_EXTENDING = 50;

/** Loads a fixture file; interruptible. `above`: the files that build on it, nearest first. */
export function* loadingFixture(
  file: string,
  folders: Folders,
  above: readonly string[] = [],
): Generator<unknown, BuiltFixture | Problems> {
  const source = readSource(file, folders.largest);
  return isProblems(source) ? source : yield* buildingFixture(source, folders, above);
}

/** Loads a fixture by name. A source may build on another fixture of the same name. */
function* namedFixture(
  name: string,
  source: Source,
  path: Path,
  folders: Folders,
  above: readonly string[] = [],
): Generator<unknown, BuiltFixture | Problems> {
  const invalid = (message: string): Problems => ({ problems: [source.problem({ path, message })] });
  const found = findNamed(name, folders.fixtures, source.file);
  if ('outside' in found) return invalid(`${quoted(name)} is outside the fixtures folder.`);
  if ('missing' in found) {
    const isItself = 'file' in findNamed(name, folders.fixtures);
    return invalid(isItself ? 'A fixture cannot extend itself.' : noSuch('fixture', name, folders.fixtures));
  }
  const chain = [source.file, ...above];
  if (chain.includes(found.file))
    return invalid(`${JSON.stringify(name)} extends this fixture too, which makes a cycle.`);
  if (chain.length >= MAX_EXTENDING)
    return invalid(
      `${quoted(name)} makes a chain of ${chain.length + 1} fixtures that extend one another, but at most ${MAX_EXTENDING} are allowed.`,
    );
  return yield* loadingFixture(found.file, folders, chain);
}

/** Message about an unknown name, with the existing ones. */
export function noSuch(kind: string, name: string, folders: readonly string[]): string {
  const names = namesBeside(name, folders);
  return `Unknown ${kind} ${quoted(name)}${nearest(name, names)}: ${names.length === 0 ? `there are no ${kind}s` : expectedOf(names)}.`;
}

/** The worlds of shipped fixtures that are written down whole, by their value: each is built once. */
const shipped = new WeakMap<object, World>();

/** Builds the world of a file that was read already. */
export function* buildingFixture(
  source: Source,
  folders: Folders,
  above: readonly string[] = [],
): Generator<unknown, BuiltFixture | Problems> {
  const { file, value, isChecked } = source;
  const isWhole = isObject(value) && !Object.hasOwn(value, 'extends') && !Object.hasOwn(value, 'generate');
  if (!isChecked || !isWhole) return yield* building(source, folders, above);
  const world = shipped.get(value);
  if (world !== undefined) return { world, files: [file], isShipped: liesIn(file, [packageRoot()]) };
  const built = yield* building(source, folders, above);
  if (!isProblems(built)) shipped.set(value, built.world);
  return built;
}

function* building(
  source: Source,
  folders: Folders,
  above: readonly string[],
): Generator<unknown, BuiltFixture | Problems> {
  const isExtending = isObject(source.value) && Object.hasOwn(source.value, 'extends');
  const schema = isExtending ? extendingSchema : ownSchema;
  const shape = source.isChecked ? validResult : shapeByParts(schema, source.value);
  const base = yield* baseOf('extends', source, shape, folders, above);
  const own = [...source.slips, ...shape.errors.map(source.problem)];
  if (isProblems(base)) return { problems: sortedProblems([...own, ...base.problems]) };
  const { world, problems } = yield* overlaid(source, shape, base.world, isForRunningServer(folders));
  const all = [...own, ...problems];
  return all.length > 0
    ? { problems: sortedProblems(all) }
    : {
        world,
        files: [source.file, ...base.files],
        isShipped: source.isChecked && base.isShipped && liesIn(source.file, [packageRoot()]),
      };
}

/** The fixture that a file names in `extends` or `fixture`. */
export function* baseOf(
  key: 'extends' | 'fixture',
  source: Source,
  { unfit }: SchemaResult,
  folders: Folders,
  above?: readonly string[],
): Generator<unknown, BuiltFixture | Problems> {
  const name = isObject(source.value) ? source.value[key] : undefined;
  if (name === undefined) return { world: emptyWorld, files: [], isShipped: true };
  if (typeof name !== 'string' || isWithin([key], unfit)) return { problems: [] }; // reported with the schema errors
  return yield* namedFixture(name, source, [key], folders, above);
}

function* overlaid(
  source: Source,
  { errors, unfit }: SchemaResult,
  base: World,
  isInServer: boolean,
): Generator<unknown, { world: World; problems: readonly Problem[] }> {
  if (!isObject(source.value)) return { world: base, problems: [] };
  const { extends: below, generate, ...rest } = source.value as FixtureForm; // invalid parts are left out below
  const isSound = errors.length === 0 || !unfit.some(([key]) => key === 'generate' || key === undefined);
  const recipe = isSound ? generate : undefined;
  const problem = recipe && recipeProblem(recipe, base, isInServer);
  if (problem !== undefined)
    return { world: base, problems: [source.problem({ path: ['generate'], of: 'key', message: problem })] };
  const made = recipe === undefined ? base : yield* making(recipe, base);
  const laid = (below === undefined ? layRecords : layPatch)(made, rest, unfit);
  return { world: laid.world, problems: laid.errors.map(source.problem) };
}
