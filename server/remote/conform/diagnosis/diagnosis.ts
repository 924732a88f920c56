// Finds the smallest set of broken rules that explains every failed step and no passed one (minimum description length). Each assumption has a cost:
// that a rule is broken, and each passed step that depends on it in the same way.
import { rules as allRules, operationOf } from '../../../operations/catalog.js';
import { answerDifferences } from '../../../scenario/play/judging.js';
import { ANEW, circumstancesOf, isOfForm } from './circumstances.js';
import type { Comparison, Deviation } from './comparison.js';
import { canBeOfState, isChanging, isSameState, marksOf } from './earlier-effects.js';
import { type Rival, rivalOf, smallest } from './smallest-set.js';
import { alternatives, isRefusedInWords, rulesAtStake, shapes } from './suspects.js';

/** The steps of a file if a rule had no effect. */
export interface Effect {
  /** The steps that would not pass. */
  readonly shown: ReadonlySet<number>;
  /** Those that would fail in exactly the observed way. */
  readonly alike: ReadonlySet<number>;
}

export type EffectOf = (rule: string, file: string) => Effect;

export interface Diagnosis {
  /** The broken rules with the steps that each explains, its own steps first. */
  readonly broken: ReadonlyMap<string, readonly Comparison[]>;
  /** Failed steps that no rule explains. */
  readonly unexplained: readonly Comparison[];
  /** Total cost of the assumptions in nats; the lower wins. */
  readonly cost: number;
  /** The next best explanation without one of these rules. */
  readonly rival?: Rival;
}

/** Stands among the rules that are broken for a server that breaks now and then. */
export const UNSTABLE = 'unstable';

/** Costs: a broken rule; a further way of breaking; a failure without a reason. */
const BROKEN = 6;
const WAY = 0.5;
/** Cost of showing in the steps about another rule. */
const INDIRECT = 1.5;
const UNEXPLAINED = 10;
/** Distance of a rule to a step that it explains: `proved` by it, at stake in it, or its earlier effect is missing in it. */
const distance = {
  proved: 0,
  alike: 0.05,
  left: 0.1,
  own: 0.15,
  atStake: 0.2,
  wrong: 0.3,
  address: 0.4,
  chance: 0.3,
  follows: 0.6,
  suspected: 0.8,
  beside: 0.8,
  elsewhere: 1.2,
  before: 1.5,
} as const;
/** What a request has to do with a failure where all that failed share it, and nothing that passed has it. */
const SEPARATED = 3;
/** The same where it answers as it did before, though something has changed. */
const REMEMBERED = 0.5;
/** That a server which breaks now and then has broken every time. */
const ALWAYS = 3;
/** It has no effect in some cases only: a step that shows the effect speaks against that case only. */
const PARTIAL = 0.3;
const RARE = 0.3;
/** The most that speaks against it where all that failed are steps about it. */
const MISTAKEN = 2;

/** Why a rule may explain a step. Steps with the same way fail or pass together. */
interface Suspicion {
  readonly way: string;
  readonly distance: number;
}

interface Failure {
  readonly step: Comparison;
  readonly suspicions: ReadonlyMap<string, Suspicion>;
}

/** `leaving`: the rules whose effects show in other files, too, by what they leave behind. */
export function diagnose(
  steps: readonly Comparison[],
  effectOf: EffectOf,
  leaving: ReadonlySet<string> = new Set(),
): Diagnosis {
  const failures = failuresIn(steps, { effectOf, leaving });
  if (failures.length === 0) return { broken: new Map(), unexplained: [], cost: 0 };
  const passed = passedBy(steps, effectOf);
  const cost = (rules: readonly string[]) => costOf(rules, failures, passed);
  const candidates = [...new Set(failures.flatMap(({ suspicions }) => [...suspicions.keys()]))];
  const chosen = smallest(candidates, cost);
  const broken = new Map<string, Comparison[]>();
  const unexplained: Comparison[] = [];
  for (const failure of failures) {
    const rule = explanationOf(failure, chosen);
    if (rule === undefined) unexplained.push(failure.step);
    else broken.set(rule, [...(broken.get(rule) ?? []), failure.step]);
  }
  for (const [rule, some] of broken) broken.set(rule, aboutFirst(rule, some));
  const rival = rivalOf(chosen, candidates, cost);
  return { broken, unexplained, cost: cost(chosen), ...(rival !== undefined && { rival }) };
}

function aboutFirst(rule: string, steps: readonly Comparison[]): Comparison[] {
  const isAbout = ({ played }: Comparison) => played.step.proves?.includes(rule) === true;
  return [...steps.filter(isAbout), ...steps.filter(step => !isAbout(step))];
}

function failuresIn(steps: readonly Comparison[], effects: Pick<Before, 'effectOf' | 'leaving'>): Failure[] {
  const failures: Failure[] = [];
  const anywhere = doneOtherwise(steps);
  let file: string | undefined;
  let earlier = new Set<string>();
  let carried = new Map<string, Set<string>>();
  for (const step of steps) {
    if (step.file !== file) [file, earlier, carried] = [step.file, new Set(), new Map()];
    for (const rule of marksOf(step)) earlier.add(rule);
    const { tolerated, deviation = tolerated } = step;
    if (deviation === undefined) continue;
    const suspicions = suspicionsOf(step, deviation, { earlier, carried, anywhere, ...effects });
    const isToBeExplained = suspicions.size > 0 || step.isDoubtful === true; // some reading has to fit the answers of a probe
    if (isToBeExplained && tolerated === undefined) failures.push({ step, suspicions });
    if (!isChanging(step.operation)) continue;
    for (const [rule, { way }] of suspicions) {
      if (way !== 'before' && rule !== UNSTABLE)
        carried.set(rule, (carried.get(rule) ?? new Set()).add(step.operation));
    }
  }
  return failures;
}

/** The rules that explain changes which nobody should have been able to ask for: they may show in any file. */
function doneOtherwise(steps: readonly Comparison[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const step of steps) {
    const { deviation, operation } = step;
    if (deviation !== 'accepted' || step.due !== 400 || !isChanging(operation)) continue;
    const rules = rulesAtStake(step, deviation).map(({ rule }) => rule);
    for (const rule of rules.filter(one => alternatives[one] !== undefined))
      found.set(rule, (found.get(rule) ?? new Set()).add(operation));
  }
  return found;
}

interface Before {
  /** The rules whose effects came before it in its file. */
  readonly earlier: ReadonlySet<string>;
  /** The rules that may explain what failed before it, with the operations whose changes were not made then. */
  readonly carried: ReadonlyMap<string, ReadonlySet<string>>;
  readonly effectOf: EffectOf;
  /** The rules that explain changes which should have been refused, in any file, with the operations. */
  readonly anywhere: ReadonlyMap<string, ReadonlySet<string>>;
  /** The rules whose effects show in files that are not about them, too. */
  readonly leaving: ReadonlySet<string>;
}

function suspicionsOf(step: Comparison, deviation: Deviation, before: Before): Map<string, Suspicion> {
  const found = new Map<string, Suspicion>();
  const suspect = (rule: string, suspicion: Suspicion) => {
    const known = found.get(rule);
    if (known === undefined || suspicion.distance < known.distance) found.set(rule, suspicion);
  };
  const { played, file } = step;
  const proves = played.step.proves ?? [];
  const atStake = rulesAtStake(step, deviation);
  for (const { rule, where } of atStake) {
    const way = `${wayOf(rule, step, deviation)} ${where}`;
    suspect(rule, { way, distance: distanceTo(rule, step, deviation) });
  }
  for (const rule of canBeOfState(step, deviation) ? before.earlier : []) {
    if (deviation !== 'effect' && !isSameState(rule, step.operation, deviation)) continue;
    const { shown, alike } = before.effectOf(rule, file);
    if (alike.has(played.index))
      suspect(rule, { way: 'effect', distance: proves.includes(rule) ? distance.proved : distance.alike });
    else if (shown.has(played.index))
      suspect(rule, { way: 'effect', distance: proves.includes(rule) ? distance.proved : distance.atStake });
    else if (allRules[rule]?.effect)
      suspect(rule, { way: 'before', distance: distanceBefore(proves.includes(rule), alike.size > 0) });
  }
  for (const rule of canBeOfState(step, deviation) ? before.leaving : []) {
    if (!before.earlier.has(rule) && before.effectOf(rule, file).alike.has(played.index))
      suspect(rule, { way: 'effect', distance: distance.left });
  }
  if (step.isUnsettled) suspect(UNSTABLE, { way: `chance ${step.operation}`, distance: distance.chance });
  for (const [rule, operations] of canBeOfState(step, deviation) ? before.carried : []) {
    if ([...operations].some(operation => isSameState(operation, step.operation, deviation)))
      suspect(rule, { way: 'follows', distance: distance.follows });
  }
  for (const [rule, operations] of canBeOfState(step, deviation) ? before.anywhere : []) {
    if ([...operations].some(operation => isSameState(operation, step.operation, deviation)))
      suspect(rule, { way: 'elsewhere', distance: distance.elsewhere });
  }
  const isOfProof = atStake.length === 0 && found.size === 0;
  const proved = deviation === 'conflict' ? proves.filter(rule => !rule.startsWith('address.')) : proves; // of a state, not an address
  for (const rule of proved)
    suspect(rule, {
      way: `proof ${wayOf('', step, deviation)}`,
      distance: isOfProof ? distance.proved : distance.suspected,
    });
  return found;
}

/** How far the rule of an earlier change is from a step that fails in another way than it is thought to. */
function distanceBefore(isProved: boolean, isSeen: boolean): number {
  if (isProved) return distance.wrong;
  return isSeen ? distance.beside : distance.before;
}

/**
 * How far a rule is from a step in which it is at stake. That nothing invalid is refused is considered only if several rules are broken, or if it is
 * refused in words.
 */
function distanceTo(rule: string, step: Comparison, deviation: Deviation): number {
  const { played, operation } = step;
  if (rule === 'ppf.invalid-is-400' && deviation === 'accepted' && !isRefusedInWords(step)) return distance.suspected;
  if (played.step.proves?.includes(rule)) return distance.proved;
  if (rule === operation) return distance.own;
  const isMisread = deviation === 'unserved' && shapes.has(rule); // it would have to look for other names
  return isMisread || rule.startsWith('address.') ? distance.address : distance.atStake;
}

/** One operation and deviation: a rule is kept or broken there. One about addresses is about all operations. */
function wayOf(rule: string, { operation, due }: Comparison, deviation: Deviation): string {
  const whole = rule.startsWith('address.') ? 'any' : operation;
  return `${whole} ${due < 400 ? 'served' : 'refused'} ${deviation}`;
}

interface PassedSteps {
  count: number;
  /** What any of them has to do with. */
  readonly circumstances: Set<string>;
}

type Passed = (rule: string, way: string) => PassedSteps;

/** The steps that passed and that a rule, if it were broken in this way, would have failed. */
function passedBy(steps: readonly Comparison[], effectOf: EffectOf): Passed {
  const passed = steps.filter(({ deviation, played }) => deviation === undefined && played.outcome === 'passed');
  const deviations: readonly Deviation[] = [
    ...(['unserved', 'denied', 'refused', 'conflict', 'error', 'status', 'content', 'effect'] as const),
    ...(['accepted', 'refused otherwise'] as const),
  ];
  const found = new Map<string, PassedSteps>();
  const of = (rule: string, way: string): PassedSteps => {
    const key = `${rule} ${way}`;
    const known = found.get(key) ?? { count: 0, circumstances: new Set() };
    found.set(key, known);
    return known;
  };
  const count = (step: Comparison, rule: string, way: string) => {
    const passed = of(rule, way);
    passed.count += 1;
    for (const circumstance of circumstancesOf(step)) passed.circumstances.add(circumstance);
  };
  for (const step of passed) {
    const { played, file } = step;
    for (const deviation of deviations) {
      if (!isNoticed(step, deviation)) continue;
      for (const { rule, where } of rulesAtStake(step, deviation))
        count(step, rule, `${wayOf(rule, step, deviation)} ${where}`);
      for (const rule of played.step.proves ?? []) count(step, rule, `proof ${wayOf('', step, deviation)}`);
    }
    for (const rule of Object.keys(allRules))
      if (effectOf(rule, file).shown.has(played.index)) count(step, rule, 'effect');
    count(step, UNSTABLE, `chance ${step.operation}`);
  }
  return of;
}

/** The most likely status of an answer with this deviation. */
const likely: Readonly<Record<Deviation, number>> = {
  unserved: 404,
  denied: 403,
  refused: 400,
  conflict: 409,
  error: 500,
  status: 201,
  content: 0,
  effect: 0,
  accepted: 200,
  'refused otherwise': 422,
};

/** Whether a step would have failed with this deviation. */
function isNoticed({ due, played: { step, seen } }: Comparison, deviation: Deviation): boolean {
  if (deviation === 'effect') return seen !== undefined && step.then !== undefined;
  if (due >= 400 !== (deviation === 'accepted' || deviation === 'refused otherwise')) return false;
  if (deviation === 'content') return step.expect !== undefined && 'body' in step.expect;
  const { status } = step.expect ?? {};
  const answer = { status: likely[deviation], headers: {}, text: '' };
  return status !== undefined && answerDifferences({ status }, answer).length > 0;
}

/**
 * A passed step about a rule speaks against it being broken. If a rule explains steps about other rules, the passed steps that depend on it in the
 * same way count.
 */
function costOf(rules: readonly string[], failures: readonly Failure[], passed: Passed): number {
  const failed = new Map<string, FailedWay>();
  const others = new Set<string>();
  let cost = rules.length * BROKEN;
  for (const failure of failures) {
    const rule = explanationOf(failure, rules);
    const suspicion = rule === undefined ? undefined : failure.suspicions.get(rule);
    if (rule === undefined || suspicion === undefined) {
      cost += UNEXPLAINED;
      continue;
    }
    const { proves = [] } = failure.step.played.step;
    const isAbout = proves.includes(rule) && suspicion.distance <= distance.wrong;
    const key = `${rule} ${suspicion.way}`;
    const known = failed.get(key) ?? { rule, way: suspicion.way, steps: [], others: [], distance: 0 };
    known.steps.push(failure.step);
    known.distance += suspicion.distance;
    if (!isAbout) known.others.push(failure.step);
    failed.set(key, known);
    if (!isAbout) for (const other of proves) others.add(`${rule} ${other}`);
  }
  for (const one of failed.values()) cost += WAY + costOfDistance(one) + unlikelinessOf(one, passed(one.rule, one.way));
  return cost + others.size * INDIRECT;
}

/** What a rule explains of steps that are healthy or broken together. */
interface FailedWay {
  readonly rule: string;
  readonly way: string;
  readonly steps: Comparison[];
  /** Those of them that are about other rules. */
  readonly others: Comparison[];
  /** Of all of them together. */
  distance: number;
}

/** Each further step of the same way adds less, unless nothing but its place in the file speaks for it. */
function costOfDistance({ way, steps, distance: whole }: FailedWay): number {
  if (way === 'before') return whole;
  return (whole / steps.length) * (1 + Math.log(steps.length));
}

function unlikelinessOf({ rule, way, others }: FailedWay, passed: PassedSteps): number {
  const { length } = others;
  if (length === 0) return way === 'effect' ? Math.min(MISTAKEN, RARE * passed.count) : 0;
  const unlikely = unlikeliness(length, passed.count);
  if (rule === UNSTABLE) return unlikely + (passed.count === 0 ? ALWAYS : 0);
  if (way === 'effect') return Math.min(unlikely, PARTIAL * length + RARE * passed.count, MISTAKEN * passed.count);
  if (alternatives[rule] !== undefined && way.includes(' served ')) return unlikely; // the lists decide, and nothing else
  const separating = separatingIn(others, passed).filter(one => isOwn(one, rule));
  if (separating.length === 0) return unlikely;
  return Math.min(unlikely, separating.includes(ANEW) ? REMEMBERED : SEPARATED);
}

/** Whether a rule can be broken in this circumstance only, and no other rule says so. */
function isOwn(circumstance: string, rule: string): boolean {
  if (rule === 'address.json-bodies') return isOfForm(circumstance);
  return operationOf(rule) === undefined || !circumstance.startsWith('method ');
}

/** The circumstances that all failed steps share and no passed step has. */
function separatingIn([first, ...rest]: readonly Comparison[], { circumstances }: PassedSteps): readonly string[] {
  if (first === undefined) return [];
  const shared = [...circumstancesOf(first)].filter(one => rest.every(step => circumstancesOf(step).has(one)));
  return shared.filter(one => !circumstances.has(one));
}

/** Cost in nats of exactly these failures among the steps, if each fails with the same probability. */
function unlikeliness(failed: number, passed: number): number {
  const share = failed / (failed + passed);
  return -(failed * Math.log(share) + (passed === 0 ? 0 : passed * Math.log(1 - share)));
}

/** The nearest of these rules to the failed step. */
function explanationOf({ suspicions }: Failure, rules: readonly string[]): string | undefined {
  let nearest: string | undefined;
  for (const rule of rules) {
    const here = suspicions.get(rule)?.distance;
    if (here !== undefined && here < (suspicions.get(nearest ?? '')?.distance ?? Number.POSITIVE_INFINITY))
      nearest = rule;
  }
  return nearest;
}
