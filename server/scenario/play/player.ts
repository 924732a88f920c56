// Plays a scenario, step by step, against any target: asks, judges, and tells what came of it. The one engine of demos, tests and probes.
// Knows targets only by their port, and no terminal.
import type { HttpRequest } from '../../derive/call.js';
import type { SomeReadings } from '../../operations/gaps.js';
import type { Expectation, Step } from '../step-format.js';
import type { Loaded } from '../story.js';
import { requestOf } from './asking.js';
import { filled } from './captures.js';
import { answerDifferences, bodyOf, captured, proofDifferences, worldDifferences } from './judging.js';
import type { Difference } from './match.js';
import type { Insight, Received, Target } from './target.js';

/** What came of one step. */
export interface Played {
  /** From 0. */
  readonly index: number;
  /** Where it stands in its file; 0 where that is not known. */
  readonly line: number;
  /** The step as it was played, with what was captured filled in. */
  readonly step: Step;
  /** `skipped`: it was not played, for the reason in `why`. */
  readonly outcome: 'held' | 'failed' | 'skipped';
  readonly why?: string;
  /** Absent: the step asks nothing, or was skipped. */
  readonly sent?: HttpRequest;
  readonly received?: Received;
  readonly differences: readonly Difference[];
  /** What of the step this target cannot show. */
  readonly unchecked: readonly ('then' | 'proves')[];
  readonly insight?: Insight;
  /** Milliseconds. */
  readonly duration: number;
}

export interface PlaySettings {
  /** Passwords by user name, over those of the scenario's world. */
  readonly passwords?: ReadonlyMap<string, string>;
  /** Of a target without a backstage: what it is known to follow. */
  readonly known?: SomeReadings;
  /** Of a target with one: the readings under which it is played, over those of the scenario. */
  readonly readings?: SomeReadings;
  /** What `${run}` stands for: letters and digits. */
  readonly run?: string;
}

/** What a run is called where nothing remains of it. */
const RUN = 'RUN1';

export class Player {
  #captured = new Map<string, unknown>();

  constructor(
    readonly loaded: Loaded,
    readonly target: Target,
    private readonly settings: PlaySettings = {},
  ) {}

  /** Starts from the beginning. */
  async begin(): Promise<void> {
    const { run = RUN } = this.settings;
    this.#captured = new Map([
      ['run', run],
      ['context', this.target.context],
    ]);
    await this.target.backstage?.begin(this.loaded, this.settings.readings ?? {});
  }

  /** Plays from the beginning to the end. */
  async *all(): AsyncGenerator<Played, void> {
    await this.begin();
    for (const index of this.loaded.steps.keys()) yield await this.play(index);
  }

  /** Plays one step on what those before have left. */
  async play(index: number): Promise<Played> {
    const written = this.loaded.steps[index];
    if (written === undefined) throw new RangeError(`the scenario has no step ${index}`);
    const started = performance.now();
    const step = filled(written, this.#captured);
    const result = await this.#play(step);
    return { index, line: this.loaded.lineOf(['steps', index]), duration: performance.now() - started, ...result };
  }

  /** What is known of the readings that the target follows. */
  get readings(): SomeReadings {
    const { known, readings } = this.settings;
    return this.target.backstage === undefined ? { ...known } : { ...this.loaded.origin.readings, ...readings };
  }

  async #play(step: Step): Promise<Omit<Played, 'index' | 'line' | 'duration'>> {
    const { backstage } = this.target;
    const why = backstage === undefined ? this.#reasonToSkip(step) : undefined;
    if (why !== undefined) return { step, outcome: 'skipped', why, differences: [], unchecked: [] };
    if (step.faults !== undefined) await backstage?.arm(step.faults);
    const sent = requestOf(step, {
      world: this.loaded.origin.world,
      passwords: this.settings.passwords ?? new Map(),
      context: this.target.context,
      readings: this.readings,
      asksReadings: backstage !== undefined,
    });
    const received = sent && (await this.target.send(sent));
    const insight = received && (backstage === undefined ? undefined : await backstage.insight());
    const differences = await this.#differences(step, received, insight);
    return {
      step,
      outcome: differences.length === 0 ? 'held' : 'failed',
      ...(sent !== undefined && { sent }),
      ...(received !== undefined && { received }),
      ...(insight !== undefined && { insight }),
      differences,
      unchecked: this.#unchecked(step, insight),
    };
  }

  async #differences(step: Step, received: Received | undefined, insight: Insight | undefined): Promise<Difference[]> {
    const expectation = this.expectationOf(step);
    const { backstage } = this.target;
    const kept = captured(received === undefined ? {} : (step.capture ?? {}), received && bodyOf(received));
    for (const [name, value] of kept.values) this.#captured.set(name, value);
    return [
      ...(received === undefined ? [] : answerDifferences(expectation.expect, received)),
      ...kept.differences,
      ...(backstage === undefined ? [] : await worldDifferences(expectation.then, backstage)),
      ...(insight === undefined ? [] : proofDifferences(step.proves ?? [], insight)),
    ];
  }

  /** What is expected of a step: what it says, and, where it is a probe, what it says of the reading that the target is known to follow. */
  expectationOf(step: Step): { readonly expect?: Expectation; readonly then?: unknown } {
    const { gap } = this.loaded;
    const probe = gap === undefined ? undefined : step.for?.[this.readings[gap] ?? ''];
    return { ...step, ...probe };
  }

  #reasonToSkip(step: Step): string | undefined {
    const { readings = {}, call, request, faults } = step;
    if (call === undefined && request === undefined && this.expectationOf(step).then !== undefined)
      return 'it looks at the world, which this target does not show';
    if (faults !== undefined) return 'it arms faults, which this target does not take';
    for (const [gap, reading] of Object.entries(readings)) {
      const known = this.readings[gap as keyof SomeReadings];
      if (known === undefined)
        return `it is about ${gap}=${reading}, and which reading this target follows is not known`;
      if (known !== reading) return `it is about ${gap}=${reading}, and this target follows ${gap}=${known}`;
    }
    return undefined;
  }

  #unchecked(step: Step, insight: Insight | undefined): Played['unchecked'] {
    if (this.target.backstage !== undefined && (insight !== undefined || step.proves === undefined)) return [];
    const isHidden = this.target.backstage === undefined;
    return [
      ...(isHidden && this.expectationOf(step).then !== undefined ? (['then'] as const) : []),
      ...(step.proves !== undefined && insight === undefined ? (['proves'] as const) : []),
    ];
  }
}
