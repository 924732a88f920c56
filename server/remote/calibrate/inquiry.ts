// Plays one probe against a foreign server and narrows the candidates with each answer. If a prerequisite fails, nothing is concluded.
import { type GapId, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Family } from '../../operations/operation.js';
import type { Step } from '../../scenario/format/step-format.js';
import { differenceText } from '../../scenario/play/evidence.js';
import { answerDifferences, seenDifferences } from '../../scenario/play/judging.js';
import { type Played, Player } from '../../scenario/play/player.js';
import { type Received, type Target, Unreachable, type WorldView } from '../../scenario/play/target.js';
import type { Mapped } from '../names/mapped-steps.js';
import { familyOf } from '../target/family.js';
import { type Finding, findingFrom, type Observation } from './finding.js';

/** The context of a probe. */
export interface Surroundings {
  readonly passwords: ReadonlyMap<string, string>;
  readonly run: string;
  /** The readings known so far. */
  readonly known: SomeReadings;
  /** The missing families, and why. */
  readonly absent: ReadonlyMap<Family, string>;
  /** Rejects with `Unreachable` if the server no longer answers. */
  checkReachable(): Promise<void>;
  /** Called for each requested step; without an answer, its effect is unknown. */
  asked(probe: Mapped, index: number, received?: Received): void;
  /** The view of the server's world. */
  readonly view: WorldView | undefined;
  /** Stops after the current request. */
  readonly signal: AbortSignal | undefined;
}

/** Plays a probe. A server that breaks off does not answer this question. */
export async function inquire(probe: Mapped, gap: GapId, target: Target, around: Surroundings): Promise<Finding> {
  const { passwords, known, run, view } = around;
  const player = new Player(probe.loaded, target, { passwords, known, run, view, mayHaveMore: true });
  const inquiry = new Inquiry(probe, gap, target.context, around);
  await player.begin();
  for (const [index, step] of probe.loaded.steps.entries()) {
    if (around.signal?.aborted) inquiry.fail('it was interrupted');
    if (around.signal?.aborted || !inquiry.isAskable(step, index)) continue;
    const played = await answered(player.play(index));
    around.asked(probe, index, 'message' in played ? undefined : played.received);
    if ('message' in played) {
      inquiry.fail(played.message);
      await around.checkReachable();
    } else inquiry.take(played);
  }
  return inquiry.finding;
}

/** The result of a step, or how the connection broke. */
async function answered(playing: Promise<Played>): Promise<Played | Unreachable> {
  try {
    return await playing;
  } catch (error) {
    if (error instanceof Unreachable) return error;
    throw error;
  }
}

class Inquiry {
  readonly #observations: Observation[] = [];
  readonly #played: Played[] = [];
  readonly #wanted = new Set<string>();
  readonly #obstacles = new Set<string>();
  #failure: string | undefined;

  constructor(
    private readonly probe: Mapped,
    private readonly gap: GapId,
    private readonly context: string,
    private readonly around: Surroundings,
  ) {}

  /** Whether to request a step. Records steps that cannot be requested, and prerequisites among them. */
  isAskable(step: Step, index: number): boolean {
    const { absent, known, view } = this.around;
    const unmet = Object.entries(step.readings ?? {}).filter(([gap, reading]) => known[gap as GapId] !== reading);
    if (unmet.length > 0) {
      if (isTelling(step, view !== undefined))
        this.#wanted.add(unmet.map(([gap, reading]) => `${gap}=${reading}`).join(' with '));
      return false;
    }
    const family = familyOf(step);
    const obstacle = this.probe.reasons.get(index) ?? (family === undefined ? undefined : absent.get(family));
    if (obstacle === undefined) return this.#failure === undefined || putsBack(step);
    if (step.for !== undefined && step.expect === undefined) this.#obstacles.add(obstacle);
    else if (!putsBack(step)) this.fail(obstacle);
    return false;
  }

  take(played: Played): void {
    const {
      step,
      outcome,
      sent,
      received,
      differences: [first],
    } = played;
    this.#played.push(played);
    if (outcome === 'failed' && first !== undefined) this.fail(`"${step.say}" does not hold: ${differenceText(first)}`);
    if (sent === undefined || received === undefined || !isTelling(step, played.seen !== undefined)) return;
    const fits = this.#readings.filter(
      reading =>
        answerDifferences(step.for?.[reading]?.expect, received, familyOf(step) === 'ppf').length === 0 &&
        seenDifferences(step.for?.[reading]?.then, played.seen ?? new Map()).length === 0,
    );
    this.#observations.push({
      say: step.say,
      asked: `${sent.method} ${sent.path}`,
      status: received.status,
      fits,
      played,
    });
  }

  /** The first reason counts: the others follow from it. */
  fail(why: string): void {
    this.#failure ??= why;
  }

  get finding(): Finding {
    return findingFrom({
      gap: this.gap,
      readings: this.#readings,
      observations: this.#observations,
      wanted: [...this.#wanted],
      obstacles: [...this.#obstacles],
      played: this.#played,
      ...(this.#failure !== undefined && { failure: this.#failure }),
    });
  }

  /** The readings of the ledger, and the target's own context path if that is a reading. */
  get #readings(): string[] {
    const isOwn = this.gap === 'context-path' && this.context !== '';
    return [...readingNames(this.gap), ...(isOwn ? [this.context] : [])];
  }
}

/** Whether a step distinguishes readings, by its answer or by the world afterwards. */
function isTelling(step: Step, isSeen: boolean): boolean {
  return isSeen ? step.for !== undefined : Object.values(step.for ?? {}).some(({ expect }) => expect !== undefined);
}

/** A step without expectations matters for its effect. */
function putsBack(step: Step): boolean {
  return step.expect === undefined && step.for === undefined;
}
