// Loads a scenario file as the origin of sandboxes and as steps to play, or reports all its errors.

import { onOneLine } from '../../derive/text/visible.js';
import { isObject } from '../../domain/form/patch.js';
import { isWithin, type Path } from '../../domain/json/json-pointer.js';
import { emptyWorld } from '../../domain/world/world.js';
import type { Origin } from '../../engine/sandbox/state.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import { chosen } from '../checks/chosen-readings.js';
import { capturedNames, fittingStep } from '../checks/fitting-step.js';
import { layPatch } from '../checks/overlay.js';
import { type SchemaResult, shapeByParts, validResult } from '../checks/schema-problems.js';
import {
  type ArmingContext,
  faultErrors,
  holdErrors,
  instantErrors,
  stepErrors,
  stubErrors,
} from '../checks/step-checks.js';
import type { Folders } from '../files/folders.js';
import { type ScenarioForm, scenarioSchema } from '../format/scenario-format.js';
import type { Step } from '../format/step-format.js';
import { isProblems, type Problems, sortedProblems, type ValueError } from '../yaml/problem.js';
import { readSource, type Source } from '../yaml/source.js';
import { baseOf } from './fixture.js';

/** A loaded scenario. */
export interface Loaded {
  readonly origin: Origin;
  readonly title: string;
  readonly about: string;
  /** Every file that was read, the scenario itself first. */
  readonly files: readonly string[];
  /** The gap that its steps probe. */
  readonly gap?: GapId;
  readonly steps: readonly Step[];
  /** Line of a place of the scenario, such as `['steps', 0]`; 0 if it is not in the file. */
  lineOf(path: Path): number;
}

/** The file of the scenario itself, which names it among others. */
export function ownFile({ files }: Pick<Loaded, 'files'>): string {
  return files[0] ?? '';
}

/** Loads a scenario file under the given name; interruptible. */
export function* loadingScenarioFile(
  file: string,
  name: string,
  folders: Folders,
): Generator<unknown, Loaded | Problems> {
  const source = readSource(file, folders.largest);
  return isProblems(source) ? source : yield* scenarioFrom(source, name, folders);
}

/** The scenario of a file that was read already. */
export function* scenarioFrom(source: Source, name: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const whole = source.isChecked ? validResult : shapeByParts(scenarioSchema, source.value);
  const { value } = source;
  if (!isObject(value)) return { problems: sortedProblems([...source.slips, ...whole.errors.map(source.problem)]) };
  const shape = {
    errors: whole.errors.filter(({ path }) => !isOfReadings(path)),
    unfit: whole.unfit.filter(path => !isOfReadings(path)),
  };
  const base = yield* baseOf('fixture', source, shape, folders);
  const below = isProblems(base) ? undefined : base.world;
  const start = below ?? emptyWorld;
  const laid =
    value.world === undefined
      ? { world: start, errors: [] }
      : layPatch(start, value.world, within('world', shape.unfit));
  const form = value as unknown as ScenarioForm; // invalid parts are skipped below
  const { readings, errors } = chosen(value.readings ?? {}, ['readings']);
  const world = below && laid.world;
  const isKnown = source.isChecked && !isProblems(base) && base.isShipped; // they were loaded together when the package was built
  const all = [
    ...shape.errors,
    ...(below === undefined ? [] : laid.errors.map(error => ({ ...error, path: ['world', ...error.path] }))),
    ...errors,
    ...(isKnown ? [] : formErrors(form, shape, { world, restApi: folders.restApi })),
  ];
  const problems = [...source.slips, ...all.map(source.problem), ...(isProblems(base) ? base.problems : [])];
  if (problems.length > 0 || world === undefined || isProblems(base)) return { problems: sortedProblems(problems) };
  const { profile, clock, faults = [], stubs = [], title, about = '', gap } = form;
  const steps = (form.steps ?? []).map(asPlayed);
  const { lineOf } = source;
  const origin = {
    scenario: name,
    world,
    ...(profile !== undefined && { profile }),
    readings,
    ...(clock !== undefined && { clock }),
    ...(faults.length > 0 && { faults }),
    ...(stubs.length > 0 && { stubs }),
  };
  return {
    origin,
    title: onOneLine(title),
    about: onOneLine(about),
    files: [source.file, ...base.files],
    steps,
    lineOf,
    ...(gap !== undefined && { gap }),
  };
}

/** Errors beyond the schema: clock, faults and steps against the world and each other. */
function formErrors(form: ScenarioForm, { unfit }: SchemaResult, setting: ArmingContext): ValueError[] {
  const fits = (path: Path) => !unfit.some(place => isWithin(place, [path]) || isWithin(path, [place]));
  const found: ValueError[] = [];
  if (form.clock !== undefined && fits(['clock'])) found.push(...instantErrors(form.clock, ['clock']));
  const steps = Array.isArray(form.steps) ? form.steps : [];
  const unfitFaults = byIndex('faults', unfit);
  for (const [i, fault] of (Array.isArray(form.faults) ? form.faults : []).entries()) {
    if (unfitFaults.has(String(i))) continue;
    found.push(...faultErrors(fault, ['faults', i], setting));
    if (steps.length > 0) found.push(...holdErrors(fault, ['faults', i]));
  }
  const unfitStubs = byIndex('stubs', unfit);
  for (const [i, stub] of (Array.isArray(form.stubs) ? form.stubs : []).entries())
    if (!unfitStubs.has(String(i))) found.push(...stubErrors(stub, ['stubs', i], setting));
  const gap = fits(['gap']) ? form.gap : undefined;
  const captured: string[] = [];
  const unfitSteps = byIndex('steps', unfit);
  for (const [i, step] of steps.entries()) {
    const fitting = fittingStep(step, unfitSteps.get(String(i)) ?? []);
    if (fitting !== undefined) found.push(...stepErrors(fitting, ['steps', i], { ...setting, gap, captured }));
    captured.push(...capturedNames(step));
  }
  return found;
}

/** The invalid places in the elements of a list, by index: a file may have ten thousand invalid steps. */
function byIndex(key: string, places: readonly Path[]): ReadonlyMap<string, readonly Path[]> {
  const found = new Map<string, Path[]>();
  for (const [first, index, ...rest] of places) {
    if (first !== key || index === undefined) continue;
    const inElement = found.get(String(index)) ?? [];
    found.set(String(index), inElement);
    inElement.push(rest);
  }
  return found;
}

/** Whether a place is within readings of the scenario or of a step: the ledger gives better messages than the schema. */
function isOfReadings(path: Path): boolean {
  return path[0] === 'readings' || (path[0] === 'steps' && path[2] === 'readings');
}

/** A step with readings as texts: a file may write numbers. */
function asPlayed(step: Step): Step {
  const { say, readings } = step;
  return { ...step, say: onOneLine(say), ...(readings !== undefined && { readings: chosen(readings, []).readings }) };
}

/** The places below a key, relative to it. */
function within(key: string, places: readonly Path[]): Path[] {
  return places.flatMap(([first, ...rest]) => (first === key ? [rest] : []));
}
