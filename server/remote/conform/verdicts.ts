// Derives the verdict on each rule from the results: conforms, contradicts, or undetermined with a reason. Pure.
import { operations, rules } from '../../operations/catalog.js';
import { ownFile } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';
import { isOfAnyStatus, isRefusal, isToBeRefused } from '../target/expected-refusals.js';
import { familyOf } from '../target/family.js';
import { type Shut, shutBy } from './capabilities.js';
import type { Diagnosis } from './diagnosis/diagnosis.js';
import type { Controls } from './diagnosis/reference.js';
import type { PlayedFile } from './played-file.js';

export interface Evidence {
  /** The file of the suite. */
  readonly file: string;
  readonly played: Played;
}

export interface Verdict {
  readonly rule: string;
  readonly judgement: 'conforms' | 'contradicts' | 'undetermined';
  /** The passed or contradicting steps. */
  readonly evidence: readonly Evidence[];
  /** Why it is undetermined, the most helpful reason first; beside a verdict, what was left out. */
  readonly reasons: readonly string[];
  /** Milliseconds of the steps about it. */
  readonly duration: number;
}

const VAGUE = 'as it is written it fits neither the readings nor the names of this server';
const REFUSED_OTHERWISE = 'it is refused, and the document leaves open with which status';
/** A cost in nats: an explanation that costs so much more is nearly three times less likely. */
const UNDECIDED = 1;
export const UNSEEN = 'what it changes cannot be seen in any documented answer';

/** Kinds of reasons, those that the user can fix first. */
const kinds = ['unsteady', 'rival', 'shut', 'unplayable', 'ended', 'ground', 'unseen', 'reading'] as const;
interface Reason {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

/** The findings about one rule. */
class Found {
  readonly passed: Evidence[] = [];
  readonly failed: Evidence[] = [];
  readonly reasons: Reason[] = [];
  duration = 0;
}

/** One verdict for each rule. `admin`: the admin's name on the server. */
export function verdictsOn(
  rules: readonly string[],
  files: readonly PlayedFile[],
  admin: string,
  { unsound, blind, diagnosis, chance, inTracker }: Controls = { unsound: new Map(), blind: new Set() },
): readonly Verdict[] {
  const found = new Map(rules.map(rule => [rule, new Found()]));
  const shut = shutBy(files, admin, inTracker);
  const blame = blameOf(diagnosis);
  for (const file of files) {
    const name = ownFile(file.loaded);
    const controls = {
      vague: unsound.get(name) ?? new Set<number>(),
      isBlind: blind.has(name),
      unsteady: file.unsteady,
      chance,
    };
    judge(
      file,
      one => reasonIn(one, shut, file.unplayable, controls),
      rule => found.get(rule),
      blame,
    );
  }
  for (const [rule, steps] of diagnosis?.broken ?? [])
    found.get(rule)?.failed.push(...steps.map(({ file, played }) => ({ file, played })));
  for (const [rule, text] of rivalsOf(diagnosis)) found.get(rule)?.reasons.push({ kind: 'rival', text });
  return [...found].map(([rule, findings]) => verdictOn(rule, findings));
}

/** The rules that are part of an explanation nearly as good as the one that was found, with a sentence that says so. */
function rivalsOf(diagnosis: Diagnosis | undefined): ReadonlyArray<readonly [rule: string, text: string]> {
  const { broken, rival } = diagnosis ?? {};
  if (broken === undefined || rival === undefined || rival.more >= UNDECIDED) return [];
  const text = `if it were broken, that would explain nearly as well what failed as ${[...broken.keys()].join(' and ')} does`;
  return rival.rules.filter(rule => !broken.has(rule)).map(rule => [rule, text]);
}

function verdictOn(rule: string, { passed, failed, reasons, duration }: Found): Verdict {
  const sorted = [...reasons].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const texts = [...new Set(sorted.map(({ text }) => text))];
  const rest = { rule, duration, reasons: texts };
  if (failed.length > 0) return { ...rest, judgement: 'contradicts', evidence: failed };
  const isDoubtful = reasons.some(({ kind }) => kind === 'unsteady' || kind === 'rival');
  if (passed.length > 0 && !isDoubtful) return { ...rest, judgement: 'conforms', evidence: passed };
  const why = texts.length === 0 ? ['no step of the suite that was played is about it'] : texts;
  return { ...rest, judgement: 'undetermined', evidence: [], reasons: why };
}

/** The rule that explains a failed step, if the diagnosis found one. */
type Blame = (one: Played) => string | undefined;

function blameOf(diagnosis: Diagnosis | undefined): Blame {
  const blamed = [...(diagnosis?.broken ?? [])].flatMap(([rule, steps]) =>
    steps.map(({ played }) => [played, rule] as const),
  );
  const byStep = new Map(blamed);
  return one => byStep.get(one);
}

/** One file, step by step, until a prerequisite fails. */
function judge(
  { loaded, played, ended }: PlayedFile,
  reasonFor: (one: Played) => Reason | undefined,
  of: (rule: string) => Found | undefined,
  blame: Blame,
): void {
  const tell = (rules: readonly string[], reason: Reason) => {
    for (const rule of rules) of(rule)?.reasons.push(reason);
  };
  const passed: Array<readonly [rule: string, evidence: Evidence]> = [];
  let isOver = false;
  const after = (i: number) => loaded.steps.slice(i).flatMap(({ proves = [] }) => proves);
  for (const one of played) {
    const proves = one.step.proves ?? [];
    for (const rule of proves) addTime(of(rule), one.duration);
    const reason = reasonFor(one);
    if (reason !== undefined) {
      tell(proves, reason);
      const isChance = reason.kind === 'unsteady' && one.outcome === 'failed';
      const isGround = isChance || (proves.length === 0 && reason.kind !== 'reading');
      if (!isGround) continue;
      if (isRefused(one)) tell(withdrawn(passed), reason);
      tell(after(one.index), reason);
      isOver = true;
      break;
    }
    const evidence = { file: ownFile(loaded), played: one };
    if (one.outcome !== 'failed') {
      for (const rule of proves) passed.push([rule, evidence]);
      continue;
    }
    const broken = blame(one);
    if (broken === undefined) for (const rule of proves) of(rule)?.failed.push(evidence);
    if (broken !== undefined) forget(passed, broken);
    const why = broken === undefined ? 'here it did not' : `here it does not, which ${broken} explains`;
    const text = `it takes a server where ${JSON.stringify(one.step.say)} holds; ${why}`;
    tell(after(broken === undefined ? one.index + 1 : one.index), { kind: 'ground', text });
    isOver = true;
    break;
  }
  for (const [rule, evidence] of passed) of(rule)?.passed.push(evidence);
  if (ended !== undefined && !isOver) tell(after(played.length), { kind: 'ended', text: ended });
}

/** Whether the answer says that the step's prerequisites are missing. */
function isRefused({ outcome, received }: Played): boolean {
  return outcome === 'failed' && received !== undefined && received.status >= 400 && received.status < 500;
}

/** Withdraws claims of an effect, because a later step does not find it; returns their rules. */
function withdrawn(passed: Array<readonly [rule: string, evidence: Evidence]>): string[] {
  const gone = passed.filter(([rule]) => rules[rule]?.effect === true);
  passed.splice(0, passed.length, ...passed.filter(one => !gone.includes(one)));
  return gone.map(([rule]) => rule);
}

/** Discards the evidence of an operation that breaks another rule: it answered, but did something else or nothing. */
function forget(passed: Array<readonly [rule: string, evidence: Evidence]>, broken: string): void {
  const ids: readonly string[] = operations.filter(({ rules }) => Object.hasOwn(rules, broken)).map(({ id }) => id);
  const others = passed.filter(([, { played }]) => !ids.includes(played.step.call ?? ''));
  passed.splice(0, passed.length, ...others);
}

function addTime(found: Found | undefined, duration: number): void {
  if (found !== undefined) found.duration += duration;
}

interface StepControls {
  readonly vague: ReadonlySet<number>;
  readonly isBlind: boolean;
  readonly unsteady: PlayedFile['unsteady'];
  /** Two different answers to one request, if any. */
  readonly chance: string | undefined;
}

/** Why a step says nothing about its rules; for a prerequisite, why nothing can be built on it. */
function reasonIn(
  one: Played,
  shut: Shut,
  unplayable: ReadonlySet<number>,
  { vague, isBlind, unsteady, chance }: StepControls,
): Reason | undefined {
  const { step, outcome, why = '', index } = one;
  if (outcome === 'skipped') return { kind: unplayable.has(index) ? 'unplayable' : 'reading', text: why };
  const closed = shut(one);
  if (closed !== undefined) return { kind: 'shut', text: closed };
  const isGround = step.proves === undefined || step.proves.length === 0;
  if (chance !== undefined && (outcome === 'failed' || (unsteady.has(index) && !isGround)))
    return { kind: 'unsteady', text: `the server fails at random: ${chance}` };
  if (isRefusedOtherwise(one)) return { kind: 'reading', text: REFUSED_OTHERWISE };
  const isUnasked = one.received === undefined && outcome === 'failed';
  if ((isGround && outcome === 'failed') || isUnasked)
    return {
      kind: 'ground',
      text: `it takes a server where ${JSON.stringify(step.say)} holds; here ${differenceText(one)}`,
    };
  if (isGround) return undefined;
  if (outcome === 'failed') return vague.has(index) ? { kind: 'reading', text: VAGUE } : undefined;
  return isBlind || one.unchecked.includes('then') ? { kind: 'unseen', text: UNSEEN } : undefined;
}

/** Whether a step of the wiki is refused as it should be, with another status: the document gives none. */
function isRefusedOtherwise({ step, outcome, received, differences }: Played): boolean {
  if (outcome !== 'failed' || received === undefined || !isRefusal(received.status)) return false;
  const isOpen = isToBeRefused(step.expect) && !isOfAnyStatus(step.expect);
  return familyOf(step) === 'wiki' && isOpen && differences.every(({ of }) => of === 'status');
}

function differenceText({ differences: [first] }: Played): string {
  if (first === undefined) return 'it did not hold';
  return `the ${first.of}${first.pointer === '' ? '' : ` at ${first.pointer}`} ${first.says}`;
}
