// Plays a scenario step by step against any target: sends requests, compares, and returns results. Used by demos, tests and probes.

import type { HttpRequest } from '../../derive/sending/call.js';
import type { MatchDifference } from '../../engine/patterns/match.js';
import { bodyOf } from '../../engine/patterns/match.js';
import { realTime } from '../../engine/real-time.js';
import type { ClockOrder } from '../../engine/sandbox/clock.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { profileReadings } from '../../operations/gaps/profiles.js';
import type { Expectation, Step } from '../format/step-format.js';
import type { Loaded } from '../load/load-scenario.js';
import {
  captured,
  connectionDifferences,
  proofDifferences,
  provedBy,
  readVisible,
  responseDifferences,
  seenDifferences,
  type VisibleRecords,
  worldDifferences,
} from './compare-result.js';
import { filledStep, fillingDifferences, sendingDifferences } from './filling.js';
import { contextUnder, requestOfStep } from './step-request.js';
import {
  type Insight,
  isBrokenOff,
  type Received,
  type SandboxControl,
  type Target,
  type WorldView,
} from './target.js';

/** Result of one step. */
export interface Played {
  /** From 0. */
  readonly index: number;
  /** Line in its file; 0 if unknown. */
  readonly line: number;
  /** The step as played, with captured values filled in. */
  readonly step: Step;
  /** `skipped`: not played; `why` gives the reason. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly why?: string;
  /** Absent: the step sends no request, or was skipped. */
  readonly sent?: HttpRequest;
  /** Also absent if the connection broke before the response was complete. */
  readonly received?: Received;
  /** How the connection broke. */
  readonly broken?: string;
  readonly differences: readonly MatchDifference[];
  /** The parts of the step that this target cannot show. */
  readonly unchecked: readonly ('then' | 'proves')[];
  readonly insight?: Insight;
  /** What was read of the world through other resources, if the server is not ours. */
  readonly seen?: VisibleRecords;
  /** Milliseconds. */
  readonly duration: number;
}

export interface PlaySettings {
  /** Passwords by user name; they win over those of the scenario's world. */
  readonly passwords?: ReadonlyMap<string, string>;
  /** Readings that a target without control is known to follow. */
  readonly known?: SomeReadings;
  /** Readings for a target with control, over those of the scenario. */
  readonly readings?: SomeReadings;
  /** Whether the bodies of responses may have more fields than a step expects: the document forbids none. */
  readonly mayHaveMore?: boolean;
  /** The value of `${run}`: letters and digits. */
  readonly run?: string;
  /** A view of the world of a target without control. */
  readonly view?: WorldView | undefined;
}

/** The result of a request: a response, or how the connection broke. */
type Exchange = Pick<Played, 'received' | 'broken'>;

/** The run id if nothing of the run remains. */
const RUN = 'RUN1';

export class Player {
  #captured: Map<string, unknown>;
  /** The readings of a target with control, once it has reported them; before that, those of the scenario. */
  #followed: SomeReadings;
  /** Rules that earlier steps have proved by their own responses: later steps can show their effects. */
  readonly #proved = new Set<string>();
  /** Names that skipped steps would have captured. */
  readonly #withheld = new Set<string>();

  constructor(
    readonly loaded: Loaded,
    readonly target: Target,
    private readonly settings: PlaySettings = {},
  ) {
    const { profile, readings } = loaded.origin;
    this.#followed = { ...(profile && profileReadings(profile)), ...readings, ...settings.readings };
    this.#captured = this.#given();
  }

  /** Starts from the beginning. */
  async begin(): Promise<void> {
    const { control } = this.target;
    if (control !== undefined) this.#followed = await control.begin(this.loaded, this.settings.readings ?? {});
    this.#captured = this.#given();
    this.#proved.clear();
    this.#withheld.clear();
  }

  /** Plays from the beginning to the end. */
  async *all(): AsyncGenerator<Played, void> {
    await this.begin();
    for (const index of this.loaded.steps.keys()) yield await this.play(index);
  }

  /** Plays one step on the current state. */
  async play(index: number): Promise<Played> {
    const written = this.#step(index);
    const started = realTime.uptime();
    const result = await this.#play(written);
    return { index, line: this.loaded.lineOf(['steps', index]), duration: realTime.uptime() - started, ...result };
  }

  /** The result of a step that is not played; later steps that need what it captures are skipped too. */
  skipped(index: number, why: string): Played {
    const step = this.#step(index);
    for (const name of Object.keys(step.capture ?? {})) this.#withheld.add(name);
    const line = this.loaded.lineOf(['steps', index]);
    return { index, line, step, outcome: 'skipped', why, differences: [], unchecked: [], duration: 0 };
  }

  #step(index: number): Step {
    const step = this.loaded.steps[index];
    if (step === undefined) throw new RangeError(`the scenario has no step ${index}`);
    return step;
  }

  /** The known readings of the target. */
  get readings(): SomeReadings {
    return this.target.control === undefined ? (this.settings.known ?? {}) : this.#followed;
  }

  async #play(written: Step): Promise<Omit<Played, 'index' | 'line' | 'duration'>> {
    const { control } = this.target;
    const step = filledStep(written, this.#captured);
    const unfilled = fillingDifferences(written, this.#captured, this.loaded.steps);
    const why = control === undefined ? this.#reasonToSkip(step, unfilled) : undefined;
    if (why !== undefined) {
      for (const name of Object.keys(step.capture ?? {})) this.#withheld.add(name);
      return { step, outcome: 'skipped', why, differences: [], unchecked: [] };
    }
    if (unfilled.length > 0) return { step, outcome: 'failed', differences: unfilled, unchecked: [] };
    const unchangeable = control === undefined ? [] : await this.#prepare(step, control);
    if (unchangeable.length > 0) return { step, outcome: 'failed', differences: unchangeable, unchecked: [] };
    const sent = this.#requestOf(step);
    const unsendable = sent === undefined ? [] : sendingDifferences(step, sent);
    if (unsendable.length > 0) return { step, outcome: 'failed', differences: unsendable, unchecked: [] };
    const came = sent === undefined ? {} : await this.#ask(sent);
    const insight = sent && (await control?.insight());
    const seen = await this.#seen(step);
    const differences = [
      ...(await this.#differences(step, came, insight)),
      ...seenDifferences(this.expectationOf(step).then, seen),
    ];
    if (differences.length === 0) for (const rule of provedBy(step, insight)) this.#proved.add(rule);
    return {
      step,
      outcome: differences.length === 0 ? 'passed' : 'failed',
      ...(sent !== undefined && { sent }),
      ...came,
      ...(insight !== undefined && { insight }),
      ...(seen.size > 0 && { seen }),
      differences,
      unchecked: this.#unchecked(step, seen),
    };
  }

  #requestOf(step: Step): HttpRequest | undefined {
    return requestOfStep(step, {
      world: this.loaded.origin.world,
      passwords: this.settings.passwords ?? new Map(),
      context: this.target.context,
      readings: this.readings,
      asksReadings: this.target.control !== undefined,
    });
  }

  /** The response. Our own sandbox survives a broken connection; another server may be gone. */
  async #ask(sent: HttpRequest): Promise<Exchange> {
    try {
      return { received: await this.target.send(sent) };
    } catch (error) {
      if (this.target.control === undefined || !isBrokenOff(error)) throw error;
      return { broken: error.broken.how };
    }
  }

  /** Prepares the sandbox for the step. */
  async #prepare(step: Step, control: SandboxControl): Promise<MatchDifference[]> {
    const { reset, clock, readings, faults, stubs, world } = step;
    if (reset) this.#followed = await control.begin(this.loaded, this.settings.readings ?? {});
    const unturned = clock === undefined ? [] : await control.turn(clockOrderOf(clock));
    if (unturned.length > 0)
      return unturned.map(({ message }) => ({
        of: 'request' as const,
        pointer: '/clock',
        expected: clock,
        found: undefined,
        says: `cannot be set: ${message}`,
      }));
    if (readings !== undefined && !sendsRequest(step)) this.#followed = await control.choose(readings);
    for (const [name, given] of Object.entries({ faults, stubs })) {
      const refusal = given && (await control.arm({ [name]: given }));
      if (refusal !== undefined)
        return [
          {
            of: 'request',
            pointer: `/${name}`,
            expected: given,
            found: undefined,
            says: `cannot be set: ${refusal}`,
          },
        ];
    }
    const errors = world === undefined ? [] : await control.patch(world);
    return errors.map(({ pointer = '', message }) => ({
      of: 'patch' as const,
      pointer,
      expected: world,
      found: undefined,
      says: `cannot be applied to the world: ${message}`,
    }));
  }

  async #differences(
    step: Step,
    { received, broken }: Exchange,
    insight: Insight | undefined,
  ): Promise<MatchDifference[]> {
    const expectation = this.expectationOf(step);
    const { control } = this.target;
    const kept = captured(received === undefined ? {} : (step.capture ?? {}), received && bodyOf(received));
    for (const [name, value] of kept.values) this.#captured.set(name, value);
    return [
      ...connectionDifferences(expectation.expect, received, broken, insight),
      ...(received === undefined ? [] : responseDifferences(expectation.expect, received, this.settings.mayHaveMore)),
      ...kept.differences,
      ...(control === undefined ? [] : await worldDifferences(expectation.then, control)),
      ...(control === undefined ? [] : proofDifferences(step.proves ?? [], insight, this.#proved)),
    ];
  }

  /** What a server that is not ours shows of the world that the step mentions, under any reading. */
  async #seen({ then, for: probes = {} }: Step): Promise<VisibleRecords> {
    const { view } = this.settings;
    if (view === undefined || this.target.control !== undefined) return new Map();
    return readVisible([then, ...Object.values(probes).map(probe => probe.then)], view);
  }

  /** The expectation of a step, with that of the reading that the target is known to follow. */
  expectationOf(step: Step): { readonly expect?: Expectation; readonly then?: unknown } {
    const { gap } = this.loaded;
    const reading = gap && this.readings[gap];
    const probes = new Map(Object.entries(step.for ?? {}));
    return { ...step, ...(reading !== undefined && probes.get(reading)) };
  }

  #reasonToSkip(step: Step, unfilled: readonly MatchDifference[]): string | undefined {
    const { readings = {}, faults, stubs, world, clock, reset } = step;
    const isLooking = !sendsRequest(step) && this.expectationOf(step).then !== undefined;
    if (isLooking && this.settings.view === undefined) return 'it checks the world, which this target does not show';
    if (faults !== undefined) return 'it sets faults, which this target does not support';
    if (stubs !== undefined) return 'it adds stubs, which this target does not support';
    if (this.loaded.origin.stubs !== undefined && sendsRequest(step))
      return 'its scenario has stubs, which this target does not support';
    if (this.loaded.origin.faults !== undefined && sendsRequest(step))
      return 'its scenario sets faults, which this target does not support';
    if (this.expectationOf(step).expect?.connection !== undefined)
      return 'it expects a broken connection, which only a fault can cause';
    if (world !== undefined) return 'it changes the world, which this target does not support';
    if (clock !== undefined) return 'it sets the clock, which this target does not support';
    if (reset) return 'it restarts the scenario, which this target does not support';
    if (step.readings !== undefined && !sendsRequest(step))
      return 'it sets readings, which this target does not support';
    const withheld = unfilled.map(({ expected }) => String(expected)).find(name => this.#withheld.has(name));
    if (withheld !== undefined) return `it needs \${${withheld}}, but the step that captures it was skipped`;
    const { gap } = this.loaded;
    if (gap !== undefined && step.for !== undefined && step.proves !== undefined && this.readings[gap] === undefined)
      return `it depends on ${gap}, but the reading that this server follows is unknown`;
    return unmetReading(readings, this.readings);
  }

  #unchecked(step: Step, seen: VisibleRecords): Played['unchecked'] {
    if (this.target.control !== undefined) return [];
    return [
      ...(this.expectationOf(step).then === undefined || seen.size > 0 ? [] : (['then'] as const)),
      ...(step.proves === undefined ? [] : (['proves'] as const)),
    ];
  }

  #given(): Map<string, unknown> {
    return new Map([
      ['run', this.settings.run ?? RUN],
      ['context', contextUnder(this.readings['context-path'], this.target.context)],
    ]);
  }
}

function sendsRequest({ call, request }: Step): boolean {
  return (call ?? request) !== undefined;
}

function clockOrderOf(clock: string): ClockOrder {
  return clock.startsWith('+') ? { advance: clock.slice(1) } : { set: clock };
}

/** Which of the readings that a step needs a server does not follow, as far as it is known; `undefined`: none. */
export function unmetReading(needed: Step['readings'], followed: SomeReadings): string | undefined {
  for (const [gap, reading] of Object.entries(needed ?? {})) {
    const known = followed[gap as keyof SomeReadings];
    if (known === undefined) return `it needs ${gap}=${reading}, but the reading that this server follows is unknown`;
    if (known !== reading && !(isLiteral(known) && isLiteral(reading)))
      return `it needs ${gap}=${reading}, but this server follows ${known}`;
  }
  return undefined;
}

/** Whether a reading is a literal context path: another server uses its own instead. */
function isLiteral(reading: string): boolean {
  return reading.startsWith('/');
}
