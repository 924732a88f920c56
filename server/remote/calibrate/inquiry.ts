// One probe played against a server that is not ours: what each answer leaves of the readings. What a probe takes for granted must hold,
// or nothing is concluded. Knows nothing of other gaps but what is known of them.
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

/** What surrounds a probe. */
export interface Surroundings {
  readonly passwords: ReadonlyMap<string, string>;
  readonly run: string;
  /** What the server is known to follow by now. */
  readonly known: SomeReadings;
  /** The families that are not there, and why. */
  readonly absent: ReadonlyMap<Family, string>;
  /** Rejects with `Unreachable` where nobody answers any more. */
  checkReachable(): Promise<void>;
  /** Is told of each step that was asked; without an answer, it is not known what came of it. */
  asked(probe: Mapped, index: number, received?: Received): void;
  /** What is seen beside the answers. */
  readonly view: WorldView | undefined;
  /** Ends it after the request that is under way. */
  readonly signal: AbortSignal | undefined;
}

/** Plays a probe from beginning to end. A server that breaks off is one that does not answer this question. */
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

/** What came of a step, or how the server broke off. */
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
  readonly #wanted = new Set<string>();
  readonly #obstacles = new Set<string>();
  #failure: string | undefined;

  constructor(
    private readonly probe: Mapped,
    private readonly gap: GapId,
    private readonly context: string,
    private readonly around: Surroundings,
  ) {}

  /** Whether a step is to be asked. What cannot be is noted, and so is what the probe stands on and cannot be asked. */
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

  /** The first reason counts: what comes after it follows from it. */
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
      ...(this.#failure !== undefined && { failure: this.#failure }),
    });
  }

  /** Those of the ledger, and the target's own context path where that is a reading. */
  get #readings(): string[] {
    const isOwn = this.gap === 'context-path' && this.context !== '';
    return [...readingNames(this.gap), ...(isOwn ? [this.context] : [])];
  }
}

/** Whether a step tells readings apart: by its answer, or by what is seen afterwards. */
function isTelling(step: Step, isSeen: boolean): boolean {
  return isSeen ? step.for !== undefined : Object.values(step.for ?? {}).some(({ expect }) => expect !== undefined);
}

/** A step that expects nothing is there for what it leaves behind. */
function putsBack(step: Step): boolean {
  return step.expect === undefined && step.for === undefined;
}
