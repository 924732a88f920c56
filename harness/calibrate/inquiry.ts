// Plays one probe against a foreign server and narrows the candidates with each response. If a prerequisite fails, nothing is concluded.
import { type GapId, readingNames, type SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { Expectation, Step } from '../../server/scenario/format/step-format.js';
import { responseDifferences, seenDifferences } from '../../server/scenario/play/compare-result.js';
import { differenceText } from '../../server/scenario/play/evidence.js';
import type { Played } from '../../server/scenario/play/player.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { subjectText } from '../changes/server-state.js';
import type { Deviation } from '../changes/subjects.js';
import type { Mapped } from '../names/mapped-steps.js';
import { playerFor, playStep, type RunContext, reasonsNotToPlay } from '../run/run-context.js';
import { familyOf } from '../target/family.js';
import { type Finding, findingFrom, type Observation } from './finding.js';

/** The context of a probe. */
export interface Surroundings extends RunContext {
  /** The readings known so far. */
  readonly known: SomeReadings;
  /** What is not as in the fixture: then nothing can be concluded. */
  readonly deviations: readonly Deviation[];
}

/** Plays a probe. Rejects with `Unreachable` if the server has gone; a connection that breaks once is no response. */
export async function inquire(probe: Mapped, gap: GapId, around: Surroundings): Promise<Finding> {
  const { signal, known, deviations } = around;
  const player = await playerFor(probe, around, known);
  const inquiry = new Inquiry(probe, gap, around);
  const [deviation] = deviations;
  if (deviation !== undefined) inquiry.fail(`the ${subjectText(deviation.subject)} could not be prepared`);
  await player.begin();
  let isBroken = false;
  for (const [index, step] of probe.loaded.steps.entries()) {
    if (signal.aborted) inquiry.fail('it was interrupted');
    if (signal.aborted || !inquiry.isAskable(step, index)) continue;
    try {
      inquiry.add(await playStep(player, index, probe, around));
      isBroken = false;
    } catch (error) {
      if (!(error instanceof Unreachable) || isBroken) throw error;
      isBroken = true;
      inquiry.fail(error.message);
    }
  }
  return inquiry.finding;
}

class Inquiry {
  readonly #observations: Observation[] = [];
  readonly #wanted = new Set<string>();
  readonly #obstacles = new Set<string>();
  readonly #reasons: ReadonlyMap<number, string>;
  #failure: string | undefined;

  constructor(
    probe: Mapped,
    private readonly gap: GapId,
    private readonly around: Surroundings,
  ) {
    this.#reasons = reasonsNotToPlay(probe, around);
  }

  /** Whether to send a step. Records steps that cannot be sent, and prerequisites among them. */
  isAskable(step: Step, index: number): boolean {
    const { absent, known } = this.around;
    const unmet = Object.entries(step.readings ?? {}).filter(([gap, reading]) => known[gap as GapId] !== reading);
    if (unmet.length > 0) {
      if (step.for !== undefined) this.#wanted.add(unmet.map(([gap, reading]) => `${gap}=${reading}`).join(' with '));
      return false;
    }
    const family = familyOf(step);
    const obstacle = this.#reasons.get(index) ?? (family === undefined ? undefined : absent.get(family)?.why);
    if (obstacle === undefined) return this.#failure === undefined || isRestoring(step);
    if (step.for !== undefined && step.expect === undefined) this.#obstacles.add(obstacle);
    else if (!isRestoring(step)) this.fail(obstacle);
    return false;
  }

  add({ step, outcome, why = '', sent, received, differences: [first], seen }: Played): void {
    if (outcome === 'skipped') {
      this.fail(why);
      return;
    }
    if (outcome === 'failed' && first !== undefined) this.fail(`"${step.say}" failed: ${differenceText(first)}`);
    if (sent === undefined || received === undefined || !isTelling(step, seen !== undefined)) return;
    const isFit = (reading: string, isLoose: boolean) => {
      const { expect, then } = step.for?.[reading] ?? {};
      const isRefused = isLoose && familyOf(step) === 'wiki' && isRefusal(received.status) && expectsRefusal(expect);
      const differences = isRefused ? [] : responseDifferences(expect, received, familyOf(step) === 'ppf');
      return differences.length === 0 && seenDifferences(then, seen ?? new Map()).length === 0;
    };
    this.#observations.push({
      say: step.say,
      asked: `${sent.method} ${sent.path}`,
      status: received.status,
      fits: this.#readings.filter(reading => isFit(reading, false)),
      fitsLoosely: this.#readings.filter(reading => isFit(reading, true)),
      response: `${received.status} ${received.text}`,
      isRead: seen !== undefined,
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
      ...(this.#failure !== undefined && { failure: this.#failure }),
    });
  }

  /** The readings of the ledger, and the target's own context path if that is a reading. */
  get #readings(): string[] {
    const { context } = this.around.target;
    return [...readingNames(this.gap), ...(this.gap === 'context-path' && context !== '' ? [context] : [])];
  }
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Whether only a refusal is expected. */
function expectsRefusal(expect: Expectation | undefined): boolean {
  if (expect?.status === undefined) return false;
  const isExpected = (status: number) =>
    responseDifferences({ status: expect.status }, { status, headers: {}, text: '' }).length === 0;
  return [400, 404, 409].some(isExpected) && ![200, 201, 204].some(isExpected);
}

/** Whether a step distinguishes readings, by its response or by the world afterwards. */
function isTelling(step: Step, isSeen: boolean): boolean {
  return isSeen ? step.for !== undefined : Object.values(step.for ?? {}).some(({ expect }) => expect !== undefined);
}

/** A step without expectations matters for its effect. */
function isRestoring(step: Step): boolean {
  return step.expect === undefined && step.for === undefined;
}
