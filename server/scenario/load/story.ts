// A scenario file as what a sandbox starts from and what is then played in it, or as all that is wrong with it.
// Knows nothing of names and folders beyond the fixture that it names.
import { isObject } from '../../domain/form/patch.js';
import { emptyWorld, type World } from '../../domain/world.js';
import type { Origin } from '../../engine/sandbox/state.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import { capturedNames, fittingStep } from '../checks/fitting-step.js';
import { fitting, isWithin, type Shape, shapingByParts } from '../checks/schema-problems.js';
import { faultFlaws, instantFlaws, stepFlaws } from '../checks/step-checks.js';
import { type ScenarioForm, scenarioSchema } from '../format/scenario-format.js';
import type { Step } from '../format/step-format.js';
import { type Flaw, inOrder, isProblems, type Path, type Problems } from '../yaml/problem.js';
import { readingSource, type Source } from '../yaml/source.js';
import { namedFixture, type Settled } from './fixture.js';
import type { Folders } from './folders.js';
import { layingPatch } from './overlay.js';
import { chosen } from './readings-file.js';

/** A scenario, ready to be a sandbox and to be played. */
export interface Loaded {
  readonly origin: Origin;
  readonly title: string;
  readonly about: string;
  /** Every file it was read from, itself first. */
  readonly files: readonly string[];
  /** The gap that its steps ask about. */
  readonly gap?: GapId;
  readonly steps: readonly Step[];
  /** The line of its file on which a place of the scenario stands, such as `['steps', 0]`; 0 where it is not written down. */
  lineOf(path: Path): number;
}

/** Loads a scenario file under the name that its sandboxes will tell, and may be interrupted. */
export function* loadingStory(file: string, name: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const source = yield* readingSource(file);
  return isProblems(source) ? source : yield* storyFrom(source, name, folders);
}

/** The same of a file that has been read. */
export function* storyFrom(source: Source, name: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const whole = source.isChecked ? fitting : yield* shapingByParts(scenarioSchema, source.value);
  const { value } = source;
  if (!isObject(value)) return { problems: inOrder([...source.slips, ...whole.flaws.map(source.problem)]) };
  const shape = {
    flaws: whole.flaws.filter(({ path }) => !isOfReadings(path)),
    unfit: whole.unfit.filter(path => !isOfReadings(path)),
  };
  const base = yield* baseOf(value.fixture, source, shape, folders);
  const below = isProblems(base) ? undefined : base.world;
  const start = below ?? emptyWorld;
  const laid =
    value.world === undefined
      ? { world: start, flaws: [] }
      : yield* layingPatch(start, value.world, within('world', shape.unfit));
  const form = value as unknown as ScenarioForm; // parts that do not fit the schema are passed over below
  const { readings, flaws } = chosen(value.readings ?? {}, ['readings']);
  const world = below && laid.world;
  const all = [
    ...shape.flaws,
    ...(below === undefined ? [] : laid.flaws.map(flaw => ({ ...flaw, path: ['world', ...flaw.path] }))),
    ...flaws,
    ...formFlaws(form, shape, world),
  ];
  const problems = [...source.slips, ...all.map(source.problem), ...(isProblems(base) ? base.problems : [])];
  if (problems.length > 0 || world === undefined || isProblems(base)) return { problems: inOrder(problems) };
  const { profile, clock, faults = [], title, about = '', gap } = form;
  const steps = (form.steps ?? []).map(withReadings);
  const { lineOf } = source;
  const origin = {
    scenario: name,
    world,
    ...(profile !== undefined && { profile }),
    readings,
    ...(clock !== undefined && { clock }),
    ...(faults.length > 0 && { faults }),
  };
  return {
    origin,
    title,
    about,
    files: [source.file, ...base.files],
    steps,
    lineOf,
    ...(gap !== undefined && { gap }),
  };
}

function* baseOf(
  name: unknown,
  source: Source,
  { unfit }: Shape,
  folders: Folders,
): Generator<unknown, Settled | Problems> {
  if (name === undefined) return { world: emptyWorld, files: [] };
  if (typeof name !== 'string' || isWithin(['fixture'], unfit)) return { problems: [] }; // told with the shape
  return yield* namedFixture(name, source, ['fixture'], folders);
}

/** What the schema cannot see: clock, faults and steps against the world and against each other. */
function formFlaws(form: ScenarioForm, { unfit }: Shape, world: World | undefined): Flaw[] {
  const fits = (path: Path) => !unfit.some(place => isWithin(place, [path]) || isWithin(path, [place]));
  const found: Flaw[] = [];
  if (form.clock !== undefined && fits(['clock'])) found.push(...instantFlaws(form.clock, ['clock']));
  const unfitFaults = byIndex('faults', unfit);
  for (const [i, fault] of (Array.isArray(form.faults) ? form.faults : []).entries()) {
    if (unfitFaults(i).length === 0) found.push(...faultFlaws(fault, ['faults', i], world));
  }
  const gap = fits(['gap']) ? form.gap : undefined;
  const steps = Array.isArray(form.steps) ? form.steps : [];
  const captured: string[] = [];
  const unfitSteps = byIndex('steps', unfit);
  for (const [i, step] of steps.entries()) {
    const fitting = fittingStep(step, unfitSteps(i), ['steps', i]);
    if (fitting !== undefined) found.push(...stepFlaws(fitting, ['steps', i], { world, gap, captured }));
    captured.push(...capturedNames(step));
  }
  return found;
}

/** The places in each element of a list, or around all of them: sought once, since a file may have ten thousand steps that do not fit. */
function byIndex(key: string, places: readonly Path[]): (index: number) => readonly Path[] {
  const around = places.filter(path => path.length < 2 && (path[0] ?? key) === key);
  const inside = new Map<string, Path[]>();
  for (const path of places) {
    const [first, index] = path;
    if (first !== key || index === undefined) continue;
    const known = inside.get(String(index));
    if (known === undefined) inside.set(String(index), [path]);
    else known.push(path);
  }
  return index => [...around, ...(inside.get(String(index)) ?? [])];
}

/** Whether a place is among readings, those of the scenario or of a step: the ledger says more of them than the schema. */
function isOfReadings(path: Path): boolean {
  return path[0] === 'readings' || (path[0] === 'steps' && path[2] === 'readings');
}

/** A step whose readings are texts: written they may be numbers. */
function withReadings(step: Step): Step {
  return step.readings === undefined ? step : { ...step, readings: chosen(step.readings, []).readings };
}

/** The places below a key, as they are seen from there. */
function within(key: string, places: readonly Path[]): Path[] {
  return places.flatMap(([first, ...rest]) => (first === key ? [rest] : []));
}
