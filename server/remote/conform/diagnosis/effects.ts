// What is not as it should be because something else comes of an operation than it is asked for: of each rule about an effect the alteration that fits
// best what a server has answered, and what that one predicts. Asks only our own server.
import { operations } from '../../../operations/catalog.js';
import type { Planned } from '../../changes/plan.js';
import { alterationsOf } from './alterations.js';
import type { Alteration } from './altered-requests.js';
import { nothing } from './altered-worlds.js';
import type { Comparison } from './comparison.js';
import type { Effect, EffectOf } from './diagnosis.js';
import { canBeOfState, isSameState, marksOf } from './earlier-effects.js';
import { areAlike } from './other-readings.js';
import type { OwnServer, PlayConditions } from './own-server.js';

const NO_EFFECT: Effect = { shown: new Set(), alike: new Set() };
/** Of the alterations that fit where they are tried first, so many are tried everywhere. */
const MOST = 6;

/** A file, and how it is played on our own server. */
export interface Play {
  readonly planned: Planned;
  readonly alike: PlayConditions;
}

export async function effectsIn(
  plays: readonly Play[],
  steps: readonly Comparison[],
  own: OwnServer,
): Promise<EffectOf> {
  const files = plays.map(one => new FileSteps(one, steps));
  const failing = files.filter(({ suspected }) => suspected.size > 0);
  const effects = new Map<string, Effect>();
  for (const rule of new Set(failing.flatMap(({ suspected }) => [...suspected]))) {
    const all = alterationsOfRule(rule);
    if (all.length === 0) continue;
    const predict = (file: FileSteps, alteration: Alteration) => file.predicted(rule, alteration, own);
    const sound = files.filter(file => file.proves(rule) && !failing.includes(file));
    const alteration = await fittingBest(rule, all, { failing, sound }, predict);
    for (const file of files)
      if (file.isAbout(rule)) effects.set(`${rule} ${file.name}`, await predict(file, alteration));
  }
  return (rule, file) => effects.get(`${rule} ${file}`) ?? NO_EFFECT;
}

type Predict = (file: FileSteps, alteration: Alteration) => Promise<Effect>;

/**
 * First tried in the file of the rule, whether anything failed there or not, and in that in which most failed; those that fit there in all in which something did, and in those about the rule in
 * which nothing did.
 */
async function fittingBest(
  rule: string,
  all: readonly Alteration[],
  { failing, sound }: Readonly<Record<'failing' | 'sound', readonly FileSteps[]>>,
  predict: Predict,
): Promise<Alteration> {
  const about = failing.filter(file => file.suspected.has(rule));
  const most = [...about].sort((a, b) => b.deviating - a.deviating);
  const own = [...about, ...sound].filter(file => file.proves(rule)).sort((a, b) => b.proofs(rule) - a.proofs(rule));
  const tried = new Set([...own.slice(0, 1), ...most.slice(0, 1)]);
  const sorted = await byFit(all, [...tried], predict);
  const [best] = await byFit(sorted.slice(0, MOST), [...about, ...sound], predict);
  return best ?? nothing;
}

/** By name: operations that keep the same rule share theirs. A rule about addresses is one of all operations. */
function alterationsOfRule(rule: string): readonly Alteration[] {
  const all = operations
    .filter(operation => rule.startsWith('address.') || Object.hasOwn(operation.rules, rule))
    .flatMap(({ id }) => alterationsOf(rule, id))
    .map(alteration => [alteration.name, alteration] as const);
  return [...new Map(all).values()];
}

async function byFit(
  alterations: readonly Alteration[],
  files: readonly FileSteps[],
  predict: Predict,
): Promise<Alteration[]> {
  const fits: Array<readonly [alteration: Alteration, fit: number]> = [];
  for (const alteration of alterations) {
    let fit = 0;
    for (const file of files) fit += file.fitOf(await predict(file, alteration));
    fits.push([alteration, fit]);
  }
  return fits.sort(([, a], [, b]) => b - a).map(([alteration]) => alteration);
}

/** The steps of one file of the suite, as they were answered and as they should have been. */
class FileSteps {
  readonly compared: readonly Comparison[];
  /** The rules whose effects may be missing where something failed. */
  readonly suspected: ReadonlySet<string>;

  constructor(
    private readonly play: Play,
    steps: readonly Comparison[],
  ) {
    this.compared = steps.filter(({ file }) => file === this.name);
    this.suspected = new Set(this.compared.flatMap((step, i) => earlierRules(step, this.compared.slice(0, i + 1))));
  }

  get name(): string {
    return this.play.planned.written.files[0] ?? '';
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

  async predicted(rule: string, alteration: Alteration, own: OwnServer): Promise<Effect> {
    const here = new Map(this.compared.map(({ played }) => [played.index, played]));
    const meant = new Set(this.compared.filter(step => marksOf(step).includes(rule)).map(({ played }) => played.index));
    const altered = { alteration, isMeant: (_: unknown, index: number) => meant.has(index) };
    const { planned, alike } = this.play;
    const played = await own.play(planned, { ...alike, altered });
    const failed = played.filter(({ outcome }) => outcome === 'failed');
    return {
      shown: new Set(failed.map(({ index }) => index)),
      alike: new Set(failed.filter(step => areAlike(step, here.get(step.index))).map(({ index }) => index)),
    };
  }

  /** What failed just so, less what failed in another way or did not fail. */
  fitOf({ shown, alike }: Effect): number {
    const fits = this.compared.map(step => {
      const { index } = step.played;
      if (!shown.has(index)) return 0;
      if (alike.has(index) && isDeviating(step)) return 1;
      return isDeviating(step) ? -0.2 : -1;
    });
    return fits.reduce<number>((sum, fit) => sum + fit, 0);
  }
}

function earlierRules(step: Comparison, before: readonly Comparison[]): string[] {
  const { deviation, operation } = step;
  if (deviation === undefined || !canBeOfState(step, deviation)) return [];
  return before.flatMap(marksOf).filter(rule => deviation === 'effect' || isSameState(rule, operation));
}

function isDeviating({ deviation }: Comparison): boolean {
  return deviation !== undefined;
}
