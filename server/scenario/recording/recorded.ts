// Writes the journal of a sandbox as a scenario: each request becomes a step that expects the original response, proves its rules and shows its
// changes. Requests that a step cannot send are left out with a reason; their changes become a patch, so that later steps still pass.

import { evolveAll } from '../../domain/facts.js';
import { isPushedAlike } from '../../domain/form/beyond-form.js';
import { worldDifference } from '../../domain/form/difference.js';
import { collectionNames } from '../../domain/form/form.js';
import { applyPatch, isObject, isSame, patchBetween, type WorldPatch } from '../../domain/form/patch.js';
import { ANONYMOUS, type World } from '../../domain/world/world.js';
import type { Fault } from '../../engine/faults/fault.js';
import type { Stub } from '../../engine/faults/stub.js';
import { replayEntry, urlWithin } from '../../engine/look-back/replay-entry.js';
import { refers } from '../../engine/patterns/captures.js';
import { bodyOf } from '../../engine/patterns/match.js';
import { parseReadings } from '../../engine/request/readings.js';
import { readingsIn } from '../../engine/sandbox/sandbox-decision.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import { isOfEveryAddress } from '../../operations/address.js';
import { isResourceId } from '../../operations/catalog/catalog.js';
import { defaultReadings, type GapId, gapIds, type Readings, type SomeReadings } from '../../operations/gaps/gaps.js';
import { matcherErrors } from '../checks/expectations.js';
import type { ScenarioForm } from '../format/scenario-format.js';
import type { Expectation, Step } from '../format/step-format.js';
import { type BaseWorld, beginningAt } from './base-fixture.js';
import { stepFor } from './entry-to-step.js';
import { endedEarly, onceAgain } from './fault-again.js';
import { fitted, type LeftOut } from './forwarded-entries.js';
import { HAS_PLACEHOLDER, stubMatching } from './forwarded-stub.js';
import { recordedCaller } from './recorded-caller.js';
import { type Replayed, replay, replayable, stateDecidedOn } from './replay.js';
import { secretless } from './secretless.js';

/** Entries by id. */
export interface EntryRange {
  readonly from: number;
  readonly to: number;
}

export interface Recorded {
  readonly scenario: ScenarioForm;
  readonly leftOut: readonly LeftOut[];
}

/** A scenario with more would be too large to play. */
const MAX_RECORDS = 20_000;

/** Whether a scenario can contain the world of a sandbox. */
export function recordingProblem({ state: { world } }: CachedSandbox): string | undefined {
  const records = collectionNames.reduce((sum, name) => sum + world[name].size, 0);
  return records <= MAX_RECORDS
    ? undefined
    : `The world has ${records} records, but a recorded scenario can have at most ${MAX_RECORDS}. Record in a smaller world.`;
}

/** Interruptible. `version`: of cwx-fake. `undefined`: the journal has no entry in the range. */
export function* recording(
  sandbox: CachedSandbox,
  range: EntryRange,
  version: string,
): Generator<unknown, Recorded | undefined> {
  const entries = replayable(sandbox).filter(({ id }) => id <= range.to);
  const [oldest] = entries;
  const first = entries.find(({ id }) => id >= range.from);
  if (oldest === undefined || first === undefined) return undefined;
  const { scenario } = sandbox.state.origin;
  const start = stateDecidedOn(sandbox, oldest.before);
  const ground = { world: start.world, readings: readingsIn(start, sandbox.server), now: first.at };
  const fit = fitted(entries, ground);
  const outcomes: Array<Step | LeftOut> = fit.leftOut.filter(({ entry }) => entry >= range.from);
  let begun: { readonly beginning: BaseWorld; readonly writer: StepWriter; readonly readings: Readings } | undefined;
  for (const replayed of replay(sandbox, fit, first)) {
    if (begun === undefined) {
      const beginning = beginningAt(replayed.before.world, scenario);
      const { readings } = replayed;
      begun = { beginning, readings, writer: new StepWriter(beginning, readings, fit.statusOnly, first.at) };
    }
    outcomes.push(begun.writer.step(replayed));
    yield;
  }
  const leftOut = outcomes.flatMap(outcome => ('why' in outcome ? [outcome] : [])).sort((a, b) => a.entry - b.entry);
  const title = `Requests of ${sandbox.name}`;
  if (begun === undefined) return { scenario: { title, steps: [] }, leftOut };
  const { fixture, patch } = begun.beginning;
  const readings = differing(defaultReadings, begun.readings);
  return {
    scenario: {
      title,
      about: `Entries ${first.id} to ${entries.at(-1)?.id ?? first.id} of its journal, recorded by cwx-fake ${version}.`,
      ...(fixture !== undefined && { fixture }),
      ...(Object.keys(patch).length > 0 && { world: patch }),
      ...(Object.keys(readings).length > 0 && { readings }),
      clock: first.at,
      steps: outcomes.flatMap(outcome => ('why' in outcome ? [] : [outcome])),
    },
    leftOut,
  };
}

/** The world as the scenario leaves it after each step. */
class StepWriter {
  readonly #start: World;
  #world: World;
  /** The previous result, to compute what changed. */
  #known: World | undefined;
  #now: string;

  constructor(
    { world }: BaseWorld,
    private readonly readings: Readings,
    /** Entries whose status is the only expectation. */
    private readonly statusOnly: ReadonlySet<number>,
    now: string,
  ) {
    this.#start = world;
    this.#world = world;
    this.#now = now;
  }

  step(replayed: Replayed): Step | LeftOut {
    const { entry, before, after, result } = replayed;
    const left = (why: string): LeftOut => ({ entry: entry.id, asked: `${entry.method} ${urlWithin(entry)}`, why });
    const { status, body } = entry.response;
    if (result.response.status !== status || result.response.body !== body)
      return left('The fake now responds to it differently.');
    const change =
      this.#known === before.world
        ? {}
        : (patchBetween(secretless(this.#world), secretless(before.world)) as WorldPatch); // both are complete world forms
    const world = applyPatch(this.#world, change);
    if (this.#known !== before.world && !isSame(secretless(world), secretless(before.world)))
      return left('The sandbox was rewound before it, so ids would repeat.');
    const fault = onceAgain(replayed);
    const stub = stubAgain(replayed);
    const shown = recordedCaller(entry, this.#start, world);
    if (shown === undefined) return left('Its caller cannot be expressed as a user and password.');
    const chosen = entry.readings === undefined ? { readings: {} } : parseReadings(entry.readings);
    if ('problem' in chosen) return left('It chose unknown readings.');
    const own = { ...differing(this.readings, replayed.readings), ...chosen.readings };
    const { 'ppf-effect': effect } = { ...replayed.readings, ...chosen.readings };
    if (entry.operation === 'ppf.pull' && effect === 'pushed-only' && !isPushedAlike(world, before.world))
      return left('It depends on which favourites were pushed before, which a scenario cannot express.');
    const asked = stepFor(entry, { start: this.#start, readings: this.readings, own, shown });
    if ('why' in asked) return left(asked.why);
    const { as, ...asking } = asked;
    const then = expected(worldDifference(before.world, after.world));
    const step: Step = {
      say: sayOf(replayed),
      ...(as !== undefined && { as }),
      ...(replayed.now !== this.#now && { clock: replayed.now }),
      ...(Object.keys(change).length > 0 && { world: change }),
      ...(fault !== undefined && { faults: [fault] satisfies Fault[] }),
      ...(stub !== undefined && { stubs: [stub] satisfies Stub[] }),
      ...asking,
      expect: expectationOf(replayed, this.statusOnly.has(entry.id)),
      ...(Object.keys(then).length > 0 && { then }),
      ...provesOf(replayed),
    };
    const unwritable = unwritableIn(step);
    if (unwritable !== undefined) return left(unwritable);
    this.#world = evolveAll(world, result.facts);
    this.#known = after.world;
    this.#now = replayed.now;
    return step;
  }
}

function differing(base: Readings, readings: Readings): SomeReadings {
  const others = gapIds.filter((gap: GapId) => readings[gap] !== base[gap]).map(gap => [gap, readings[gap]]);
  return Object.fromEntries(others) as SomeReadings; // each gap with its own reading
}

function sayOf({ entry }: Replayed): string {
  const who =
    entry.caller ??
    entry.ignoredCaller ??
    (entry.credentialsProblem === undefined ? ANONYMOUS : 'an unauthenticated user');
  return `Entry ${entry.id}: ${who} calls ${entry.operation ?? `${entry.method} ${urlWithin(entry)}`}`;
}

/** A response to HEAD has no body, one with the request path names the sandbox, and one with the nearest stub names it: these differ when it is played. */
function expectationOf(replayed: Replayed, isStatusOnly: boolean): Expectation {
  const { method, response, nearestStub } = replayed.entry;
  const { status, body } = response;
  if (endedEarly(replayed)) return { connection: 'broken' };
  if (isStatusOnly || method === 'HEAD' || nearestStub !== undefined || namesSandbox(replayed)) return { status };
  return { status, body: body === undefined || body === '' ? { $absent: true } : bodyOf({ text: body }) };
}

function namesSandbox({ entry, before, readings }: Replayed): boolean {
  if (entry.operation !== undefined) return isResourceId(entry.operation); // links contain it
  const bodies = ['', '/~a'].map(at => {
    const elsewhere = { ...entry, url: `${at}${urlWithin(entry)}` };
    return replayEntry(elsewhere, before, { readings }).result.response.body;
  });
  return bodies[0] !== bodies[1];
}

/** As in the header: address rules only if nothing else decided. */
function provesOf({ entry: { rules, fault } }: Replayed): Pick<Step, 'proves'> {
  const deciding = rules.filter(rule => !isOfEveryAddress(rule));
  const proves = deciding.length > 0 ? deciding : rules;
  return fault !== undefined || proves.length === 0 ? {} : { proves };
}

/** A merge-patch as an expectation: removed values are absent. A scenario cannot name records with blank names. */
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

/** Texts and keys with a special meaning in a scenario. */
function unwritableIn({ say: _, ...step }: Step): string | undefined {
  if (JSON.stringify(step).includes('${')) return HAS_PLACEHOLDER;
  if (hasBlankName(step.world)) return 'The world before it has a blank name, which a scenario cannot contain.';
  const isMatched = matcherErrors(step.expect?.body, []).length > 0;
  return isMatched ? 'Its response has keys that a scenario would interpret as matchers ($).' : undefined;
}

function hasBlankName(value: unknown): boolean {
  return isObject(value) && Object.entries(value).some(([key, inner]) => key.trim() === '' || hasBlankName(inner));
}

/** The stub that responded to a request, without its trigger; `undefined`: none did. */
function stubAgain({ entry, before, result }: Replayed): Stub | undefined {
  const given = result.stub && before.stubs[Number.parseInt(result.stub.name, 10) - 1]?.given;
  if (given === undefined) return undefined;
  const { status } = given;
  const { headers, body } = refers(given) // as it was sent, without placeholders
    ? { headers: result.response.headers, body: bodyOf({ text: result.response.body ?? '' }) }
    : given;
  return {
    ...stubMatching(entry),
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
  };
}
