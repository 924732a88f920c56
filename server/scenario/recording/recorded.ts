// A capsule as a scenario: each request a step that expects the answer there was, proves its rules and tells what it changed.
// What no step can ask is left out and told; what it changed is then laid over the world, so that the rest still holds.

import { evolveAll } from '../../domain/facts.js';
import { worldDifference } from '../../domain/form/difference.js';
import { applyPatch, isObject, isSame, patchBetween, type WorldPatch } from '../../domain/form/patch.js';
import { inOneGo } from '../../domain/in-one-go.js';
import { ANONYMOUS, type World } from '../../domain/world.js';
import type { Fault } from '../../engine/faults/fault.js';
import { performAgain, urlWithin } from '../../engine/journal/replay-entry.js';
import { parseReadings } from '../../engine/request/readings.js';
import { defaultReadings, type GapId, gapIds, type Readings, type SomeReadings } from '../../operations/gaps/gaps.js';
import { matcherFlaws } from '../checks/expectations.js';
import type { ScenarioForm } from '../format/scenario-format.js';
import type { Expectation, Step } from '../format/step-format.js';
import { bodyOf } from '../play/judging.js';
import { type Beginning, beginningAt } from './base-fixture.js';
import type { Capsule } from './capsule-format.js';
import { firstDifference } from './compare.js';
import { askingAgain } from './entry-to-step.js';
import { isBroken, onceAgain } from './fault-again.js';
import { fitted, type LeftOut } from './forwarded-entries.js';
import { proofOf } from './proof.js';
import { type Replayed, replay } from './replay.js';
import { secretless } from './secretless.js';

/** Which entries, by their ids. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Recorded {
  readonly scenario: ScenarioForm;
  readonly leftOut: readonly LeftOut[];
}

/** `world`: the one that the capsule begins with. `undefined`: the capsule has no entry in the range. */
export function recorded(capsule: Capsule, world: World, range: Range): Recorded | undefined {
  return inOneGo(recording(capsule, world, range));
}

/** The same, which may be interrupted. */
export function* recording(written: Capsule, world: World, range: Range): Generator<unknown, Recorded | undefined> {
  const isMeant = (entry: number) => entry >= range.from && entry <= range.to;
  const { capsule, statusOnly, leftOut: foreign } = fitted(written, world);
  const before = foreign.filter(({ entry }) => isMeant(entry));
  const { now } = capsule.clock;
  const all: Replayed[] = [];
  for (const replayed of replay(capsule, world, now)) {
    if (isMeant(replayed.entry.id)) all.push(replayed);
    yield;
  }
  const [first] = all;
  if (first === undefined) return before.length === 0 ? undefined : { scenario: nothing(capsule), leftOut: before };
  const beginning = beginningAt(first.before.world, capsule);
  const stage = new Stage(beginning, first.readings, statusOnly);
  const outcomes: Array<Step | LeftOut> = [];
  for (const replayed of all) {
    outcomes.push(stage.step(replayed));
    yield;
  }
  const readings = differing(defaultReadings, first.readings);
  const last = all.at(-1)?.entry.id ?? first.entry.id;
  const scenario: ScenarioForm = {
    title: `What was asked of ${capsule.sandbox}`,
    about: `Entries ${first.entry.id} to ${last} of its journal, recorded by cwx-fake ${capsule.version}.`,
    ...(beginning.fixture !== undefined && { fixture: beginning.fixture }),
    ...(Object.keys(beginning.patch).length > 0 && { world: beginning.patch }),
    ...(Object.keys(readings).length > 0 && { readings }),
    clock: now,
    steps: outcomes.flatMap(outcome => ('why' in outcome ? [] : [outcome])),
  };
  const leftOut = [...before, ...outcomes.flatMap(outcome => ('why' in outcome ? [outcome] : []))];
  return { scenario, leftOut: leftOut.sort((a, b) => a.entry - b.entry) };
}

function nothing({ sandbox }: Capsule): ScenarioForm {
  return { title: `What was asked of ${sandbox}`, steps: [] };
}

/** The world as the scenario leaves it after each step. */
class Stage {
  readonly #start: World;
  #world: World;
  /** What was the case where the stage is known to be the same. */
  #known: World | undefined;

  constructor(
    { world }: Beginning,
    private readonly readings: Readings,
    /** Entries of whose answers nothing but the status is expected. */
    private readonly statusOnly: ReadonlySet<number>,
  ) {
    this.#start = world;
    this.#world = world;
  }

  step(replayed: Replayed): Step | LeftOut {
    const { entry, before, after, result } = replayed;
    const left = (why: string): LeftOut => ({ entry: entry.id, asked: `${entry.method} ${urlWithin(entry)}`, why });
    if (firstDifference(replayed) !== undefined) return left('At another time it is answered otherwise.');
    const change =
      this.#known === before.world
        ? {}
        : (patchBetween(secretless(this.#world), secretless(before.world)) as WorldPatch); // of two worlds written out
    const world = applyPatch(this.#world, change);
    if (this.#known !== before.world && !isSame(secretless(world), secretless(before.world)))
      return left('The sandbox had gone back, and ids would be given again.');
    const fault = onceAgain(replayed);
    const shown = proofOf(entry, this.#start, world);
    if (shown === undefined) return left('Its caller cannot be shown by user and password.');
    const chosen = entry.readings === undefined ? { readings: {} } : parseReadings(entry.readings);
    if ('problem' in chosen) return left('It chose readings that there are not.');
    const own = { ...differing(this.readings, replayed.readings), ...chosen.readings };
    const asked = askingAgain(entry, { start: this.#start, readings: this.readings, own, shown });
    if ('why' in asked) return left(asked.why);
    const { as, ...asking } = asked;
    const then = expected(worldDifference(before.world, after.world));
    const step: Step = {
      say: sayOf(replayed),
      ...(as !== undefined && { as }),
      ...(Object.keys(change).length > 0 && { world: change }),
      ...(fault !== undefined && { faults: [fault] satisfies Fault[] }),
      ...asking,
      expect: expectationOf(replayed, this.statusOnly.has(entry.id)),
      ...(Object.keys(then).length > 0 && { then }),
      ...provesOf(replayed),
    };
    const unwritable = unwritableIn(step);
    if (unwritable !== undefined) return left(unwritable);
    this.#world = evolveAll(world, result.facts);
    this.#known = after.world;
    return step;
  }
}

function differing(base: Readings, readings: Readings): SomeReadings {
  const others = gapIds.filter((gap: GapId) => readings[gap] !== base[gap]).map(gap => [gap, readings[gap]]);
  return Object.fromEntries(others) as SomeReadings; // each gap with its own reading
}

function sayOf({ entry }: Replayed): string {
  const who = entry.caller ?? entry.unasked ?? (entry.unproved === undefined ? ANONYMOUS : 'somebody unproved');
  return `Entry ${entry.id}: ${who} asks ${entry.operation ?? `${entry.method} ${urlWithin(entry)}`}`;
}

/** The answer to HEAD has no body on its way, and one that tells the path tells the sandbox, which is another when it is played. */
function expectationOf(replayed: Replayed, isStatusOnly: boolean): Expectation {
  const { method, answer } = replayed.entry;
  const { status, body } = answer;
  if (isBroken(replayed)) return { connection: 'broken' };
  if (isStatusOnly || method === 'HEAD' || tellsSandbox(replayed)) return { status };
  return { status, body: body === undefined || body === '' ? { $absent: true } : bodyOf({ text: body }) };
}

function tellsSandbox({ entry, before, readings }: Replayed): boolean {
  if (entry.operation !== undefined) return entry.operation.startsWith('hosts.'); // their links name it
  const bodies = ['', '/~a'].map(at => {
    const elsewhere = { ...entry, url: `${at}${urlWithin(entry)}` };
    return performAgain(elsewhere, before, { readings }).result.answer.body;
  });
  return bodies[0] !== bodies[1];
}

/** As in the header: where an address was served as it should be, only what came after it. */
function provesOf({ entry: { rules, fault } }: Replayed): Pick<Step, 'proves'> {
  const deciding = rules.filter(rule => !rule.startsWith('address.'));
  const proves = deciding.length > 0 ? deciding : rules;
  return fault !== undefined || proves.length === 0 ? {} : { proves };
}

/** A merge-patch as what a step expects afterwards: what was taken away is absent. A scenario cannot name what has a blank name. */
function expected(patch: object): object {
  return Object.fromEntries(
    Object.entries(patch)
      .filter(([key]) => key.trim() !== '')
      .map(([key, value]: [string, unknown]) => [
        key,
        value === null ? { $absent: true } : isObject(value) ? expected(value) : value,
      ]),
  );
}

/** Texts and keys that mean something else in a scenario. */
function unwritableIn({ say: _, ...step }: Step): string | undefined {
  if (JSON.stringify(step).includes('${')) return 'It holds ${, which a scenario fills in.';
  if (hasBlankName(step.world)) return 'What was there before it has a blank name, which a scenario cannot write.';
  const isMatched = matcherFlaws(step.expect?.body, []).length > 0;
  return isMatched ? 'Its answer has keys with a dollar, which a scenario takes for matchers.' : undefined;
}

function hasBlankName(value: unknown): boolean {
  return isObject(value) && Object.entries(value).some(([key, inner]) => key.trim() === '' || hasBlankName(inner));
}
