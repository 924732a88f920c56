// What is not as it should be because something else comes of an operation than it is asked for: of each rule about an effect the alteration that fits
// best what a server has answered, and what that one predicts. Asks only our own server.
import { emptyWorld, type World } from '../../../domain/world.js';
import { operations } from '../../../operations/catalog.js';
import { ownFile } from '../../../scenario/load/story.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Planned } from '../../changes/plan.js';
import { alterationsOf } from './alterations/alterations.js';
import type { Alteration } from './alterations/altered-requests.js';
import { type Left, leftBehind, nothing } from './alterations/altered-worlds.js';
import type { Comparison } from './comparison.js';
import type { Effect, EffectOf } from './diagnosis.js';
import { canBeOfState, isSameState, marksOf } from './earlier-effects.js';
import { areAlike } from './other-readings.js';
import type { OwnServer, PlayConditions } from './own-server.js';

const NO_EFFECT: Effect = { shown: new Set(), alike: new Set() };
/** Of the alterations that fit where they are tried first, so many are tried everywhere. */
const MOST = 6;
/** Of those that fit in the file of the rule, so many are tried where most failed. */
const MOST_TRIED = 16;
/** Of these, so many are tried with what they leave behind as well. */
const MOST_LEFT = 2;
/** Where so many more steps fail with an alteration in another way than on the target than in the same, it is not played on. */
const MAX_WRONG = 4;
/** What has to be explained more by what was left behind. */
const REMOTE = 0.5;

/** A file, and how it is played on our own server. */
export interface Play {
  readonly planned: Planned;
  readonly alike: PlayConditions;
}

/** What is not as it should be, by rule and file. */
export interface Effects {
  readonly effectOf: EffectOf;
  /** The rules that show in files that are not about them, too, by what is left behind. */
  readonly leaving: ReadonlySet<string>;
}

export async function effectsIn(
  plays: readonly Play[],
  steps: readonly Comparison[],
  own: OwnServer,
): Promise<Effects> {
  const files = plays.map(one => new FileSteps(one, steps, own));
  const effects = new Map<string, Effect>();
  const leaving = new Set<string>();
  for (const rule of new Set(files.flatMap(({ suspected }) => [...suspected]))) {
    const all = alterationsOfRule(rule);
    if (all.length === 0) continue;
    const best = await new Fitting(rule, files).best(all);
    const concerned = files.filter(file => file.isAbout(rule) || (best.left !== undefined && file.deviating > 0));
    for (const file of concerned) effects.set(`${rule} ${file.name}`, await file.predicted(rule, best));
    if (best.left !== undefined) leaving.add(rule);
  }
  return { effectOf: (rule, file) => effects.get(`${rule} ${file}`) ?? NO_EFFECT, leaving };
}

/** An alteration, and what it has left behind before a file. */
interface Candidate {
  readonly alteration: Alteration;
  readonly left?: Left;
}

/** Finds the alteration of the effect of one rule that fits best what was answered. */
class Fitting {
  readonly #failing: readonly FileSteps[];
  /** Nothing failed in these, which are about the rule. */
  readonly #sound: readonly FileSteps[];

  constructor(
    private readonly rule: string,
    private readonly files: readonly FileSteps[],
  ) {
    this.#failing = files.filter(({ suspected }) => suspected.has(rule));
    this.#sound = files.filter(file => file.proves(rule) && file.suspected.size === 0);
  }

  /**
   * First tried in the file of the rule, whether anything failed there or not, and in that in which most failed; those that fit there in all in which
   * something did, and in those about the rule in which nothing did, with what they leave behind and without it. Of those that fit equally well the one
   * that fits the other files best.
   */
  async best(all: readonly Alteration[]): Promise<Candidate> {
    const { rule } = this;
    const most = [...this.#failing].sort((a, b) => b.deviating - a.deviating);
    const about = [...this.#failing, ...this.#sound].filter(file => file.proves(rule));
    const own = about.sort((a, b) => b.proofs(rule) - a.proofs(rule));
    const tried = [...new Set([...own.slice(0, 1), ...most.slice(0, 1)])];
    const begun = await this.#byFit(await this.#both(all, tried, ({ isLeft }) => isLeft === true), tried.slice(0, 1));
    const sorted = (await this.#byFit(begun.slice(0, MOST_TRIED), tried)).slice(0, MOST);
    const fresh = sorted.filter(({ left }) => left === undefined).map(({ alteration }) => alteration);
    const leaving = await this.#both(fresh.slice(0, MOST_LEFT), this.#abouts(), () => true);
    const whole = [...sorted, ...leaving.filter(({ left }) => left !== undefined)];
    const everywhere = this.files.filter(file => file.deviating > 0 || this.#sound.includes(file));
    const best = await this.#fittingBest(whole, everywhere);
    const others = this.#abouts().filter(file => !everywhere.includes(file));
    const [first] = best.length > 1 ? await this.#byFit(best, others) : best;
    return first ?? { alteration: nothing };
  }

  /** A candidate is given up once it cannot fit better than another one, whatever it predicts of the files that are left. */
  async #fittingBest(candidates: readonly Candidate[], files: readonly FileSteps[]): Promise<readonly Candidate[]> {
    const sorted = [...files].sort((a, b) => b.deviating - a.deviating);
    let best: readonly Candidate[] = [];
    let most = Number.NEGATIVE_INFINITY;
    for (const candidate of candidates) {
      let fit = candidate.left === undefined ? 0 : -REMOTE;
      let possible = sorted.reduce((sum, { deviating }) => sum + deviating, 0);
      for (const file of sorted) {
        if (fit + possible < most) break;
        possible -= file.deviating;
        fit += await file.fitOf(this.rule, candidate);
      }
      if (fit + possible > most) [best, most] = [[candidate], fit];
      else if (fit + possible === most) best = [...best, candidate];
    }
    return best;
  }

  #abouts(): readonly FileSteps[] {
    return this.files.filter(file => file.isAbout(this.rule));
  }

  /** Each of them, and once more with what it leaves behind in these files, if it leaves anything. */
  async #both(
    some: readonly Alteration[],
    files: readonly FileSteps[],
    isToBeLeft: (alteration: Alteration) => boolean,
  ): Promise<Candidate[]> {
    const found: Candidate[] = some.map(alteration => ({ alteration }));
    for (const alteration of some.filter(isToBeLeft)) {
      const ends: Array<readonly [World, World]> = [];
      for (const file of files) ends.push(...(await file.ends(this.rule, alteration)));
      const left = leftBehind(alteration.name, this.files[0]?.world ?? emptyWorld, ends);
      if (left !== undefined) found.push({ alteration, left });
    }
    return found;
  }

  async #byFit(candidates: readonly Candidate[], files: readonly FileSteps[]): Promise<Candidate[]> {
    const fits: Array<readonly [candidate: Candidate, fit: number]> = [];
    for (const candidate of candidates) {
      let fit = candidate.left === undefined ? 0 : -REMOTE;
      for (const file of files) fit += await file.fitOf(this.rule, candidate);
      fits.push([candidate, fit]);
    }
    return fits.sort(([, a], [, b]) => b - a).map(([candidate]) => candidate);
  }
}

/** By name: operations that keep the same rule share theirs. A rule about addresses is one of all operations. */
function alterationsOfRule(rule: string): readonly Alteration[] {
  const all = operations
    .filter(operation => rule.startsWith('address.') || Object.hasOwn(operation.rules, rule))
    .flatMap(({ id }) => alterationsOf(rule, id))
    .map(alteration => [alteration.name, alteration] as const);
  return [...new Map(all).values()];
}

/** The steps of one file of the suite, as they were answered and as they should have been. */
class FileSteps {
  readonly compared: readonly Comparison[];
  readonly #byIndex: ReadonlyMap<number, Comparison>;
  /** The rules whose effects may be missing where something failed. */
  readonly suspected: ReadonlySet<string>;

  constructor(
    private readonly play: Play,
    steps: readonly Comparison[],
    private readonly own: OwnServer,
  ) {
    this.compared = steps.filter(({ file }) => file === this.name);
    this.#byIndex = new Map(this.compared.map(step => [step.played.index, step]));
    this.suspected = new Set(this.compared.flatMap((step, i) => earlierRules(step, this.compared.slice(0, i + 1))));
  }

  get name(): string {
    return ownFile(this.play.planned.written);
  }

  get deviating(): number {
    return this.compared.filter(isDeviating).length;
  }

  isAbout(rule: string): boolean {
    return this.compared.some(step => marksOf(step).includes(rule));
  }

  proves(rule: string): boolean {
    return this.proofs(rule) > 0;
  }

  /** How many of its steps are about a rule. */
  proofs(rule: string): number {
    return this.compared.filter(({ played }) => played.step.proves?.includes(rule)).length;
  }

  get world(): World | undefined {
    return this.own.beginningOf(this.play.planned);
  }

  async predicted(rule: string, candidate: Candidate): Promise<Effect> {
    const failed = (await this.#played(rule, candidate)).filter(isFailed);
    return {
      shown: new Set(failed.map(({ index }) => index)),
      alike: new Set(failed.filter(step => this.#isAlike(step)).map(({ index }) => index)),
    };
  }

  /** The world at the end with the alteration, and without it. */
  async ends(rule: string, alteration: Alteration): Promise<ReadonlyArray<readonly [World, World]>> {
    const { planned, alike } = this.play;
    const end = this.own.endOf(await this.#played(rule, { alteration }));
    const right = this.own.endOf(await this.own.play(planned, alike));
    return end === undefined || right === undefined ? [] : [[end, right]];
  }

  /** What fails just so with a candidate, less what fails in another way or does not fail there. */
  async fitOf(rule: string, candidate: Candidate): Promise<number> {
    let fit = 0;
    const fits = (played: Played) => {
      fit += this.#fitOf(played);
      return fit < -MAX_WRONG;
    };
    const played = await this.#played(rule, candidate, fits);
    return played.reduce((sum, one) => sum + this.#fitOf(one), 0);
  }

  #fitOf(predicted: Played): number {
    const step = this.#byIndex.get(predicted.index);
    if (step === undefined || !isFailed(predicted)) return 0;
    const isAlike = this.#isAlike(predicted);
    if (step.tolerated !== undefined && isAlike) return 0;
    if (isAlike && isDeviating(step)) return 1;
    return isDeviating(step) ? -0.2 : -1;
  }

  #isAlike(predicted: Played): boolean {
    const step = this.#byIndex.get(predicted.index);
    return step !== undefined && areAlike(predicted, step.played);
  }

  #played(
    rule: string,
    { alteration, left }: Candidate,
    isEnough?: PlayConditions['isEnough'],
  ): Promise<readonly Played[]> {
    const meant = new Set(this.compared.filter(step => marksOf(step).includes(rule)).map(({ played }) => played.index));
    const isMeant = (_: unknown, index: number) => meant.has(index);
    const { planned, alike } = this.play;
    const altered = { alteration, isMeant, ...(left !== undefined && { left }) };
    return this.own.play(planned, { ...alike, altered, ...(isEnough !== undefined && { isEnough }) });
  }
}

function earlierRules(step: Comparison, before: readonly Comparison[]): string[] {
  const { deviation, operation } = step;
  if (deviation === undefined || !canBeOfState(step, deviation)) return [];
  return before.flatMap(marksOf).filter(rule => deviation === 'effect' || isSameState(rule, operation, deviation));
}

function isFailed({ outcome }: Played): boolean {
  return outcome === 'failed';
}

function isDeviating({ deviation }: Comparison): boolean {
  return deviation !== undefined;
}
