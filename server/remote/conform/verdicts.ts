// What was played becomes an answer for each rule: it conforms, it contradicts, or neither can be said, and why. Pure.
// Knows no server and no terminal.
import { operations, rules } from '../../operations/catalog.js';
import type { Played } from '../../scenario/play/player.js';
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
  /** The steps that held, or that contradict. */
  readonly evidence: readonly Evidence[];
  /** Why nothing can be said, the most helpful first; and, beside a judgement, what was left out. */
  readonly reasons: readonly string[];
  /** Milliseconds that the steps took which are about it. */
  readonly duration: number;
}

const VAGUE = 'as it is written it fits neither the readings nor the names of this server';
export const UNSEEN = 'what it changes cannot be seen in any documented answer';

/** The kinds of reasons, the more helpful before the others: what can be mended from outside comes first. */
const kinds = ['unsteady', 'shut', 'unplayable', 'ended', 'ground', 'unseen', 'reading'] as const;
interface Reason {
  readonly kind: (typeof kinds)[number];
  readonly text: string;
}

/** What was found of one rule. */
class Found {
  readonly held: Evidence[] = [];
  readonly failed: Evidence[] = [];
  readonly reasons: Reason[] = [];
  duration = 0;
}

/** One verdict for each of the rules. `admin`: the name there of the user who is to be an admin. */
export function verdictsOn(
  rules: readonly string[],
  files: readonly PlayedFile[],
  admin: string,
  { unsound, blind, diagnosis, chance }: Controls = { unsound: new Map(), blind: new Set() },
): readonly Verdict[] {
  const found = new Map(rules.map(rule => [rule, new Found()]));
  const shut = shutBy(files, admin);
  const blame = blameOf(diagnosis);
  for (const file of files) {
    const [name = ''] = file.loaded.files;
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
  return [...found].map(([rule, findings]) => verdictOn(rule, findings));
}

function verdictOn(rule: string, { held, failed, reasons, duration }: Found): Verdict {
  const sorted = [...reasons].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const texts = [...new Set(sorted.map(({ text }) => text))];
  const rest = { rule, duration, reasons: texts };
  if (failed.length > 0) return { ...rest, judgement: 'contradicts', evidence: failed };
  const isUnsteady = reasons.some(({ kind }) => kind === 'unsteady');
  if (held.length > 0 && !isUnsteady) return { ...rest, judgement: 'conforms', evidence: held };
  const why = texts.length === 0 ? ['no step of the suite that was played is about it'] : texts;
  return { ...rest, judgement: 'undetermined', evidence: [], reasons: why };
}

/** The rule that explains why a step failed, where a diagnosis has found one. */
type Blame = (one: Played) => string | undefined;

function blameOf(diagnosis: Diagnosis | undefined): Blame {
  const blamed = [...(diagnosis?.broken ?? [])].flatMap(([rule, steps]) =>
    steps.map(({ played }) => [played, rule] as const),
  );
  const byStep = new Map(blamed);
  return one => byStep.get(one);
}

/** One file, step by step, until its ground gives way. */
function judge(
  { loaded, played, ended }: PlayedFile,
  reasonFor: (one: Played) => Reason | undefined,
  of: (rule: string) => Found | undefined,
  blame: Blame,
): void {
  const tell = (rules: readonly string[], reason: Reason) => {
    for (const rule of rules) of(rule)?.reasons.push(reason);
  };
  const held: Array<readonly [rule: string, evidence: Evidence]> = [];
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
      if (isRefused(one)) tell(withdrawn(held), reason);
      tell(after(one.index), reason);
      isOver = true;
      break;
    }
    const evidence = { file: loaded.files[0] ?? '', played: one };
    if (one.outcome !== 'failed') {
      for (const rule of proves) held.push([rule, evidence]);
      continue;
    }
    const broken = blame(one);
    if (broken === undefined) for (const rule of proves) of(rule)?.failed.push(evidence);
    if (broken !== undefined) forget(held, broken);
    const why = broken === undefined ? 'here it did not' : `here it does not, which ${broken} explains`;
    const text = `it takes a server where ${JSON.stringify(one.step.say)} holds; ${why}`;
    tell(after(broken === undefined ? one.index + 1 : one.index), { kind: 'ground', text });
    isOver = true;
    break;
  }
  for (const [rule, evidence] of held) of(rule)?.held.push(evidence);
  if (ended !== undefined && !isOver) tell(after(played.length), { kind: 'ended', text: ended });
}

/** Whether a server that is at work says that it cannot be: what should be there is not. */
function isRefused({ outcome, received }: Played): boolean {
  return outcome === 'failed' && received !== undefined && received.status >= 400 && received.status < 500;
}

/** Takes back that something had come about, since what was to be built on it is not there; gives the rules that said so. */
function withdrawn(held: Array<readonly [rule: string, evidence: Evidence]>): string[] {
  const gone = held.filter(([rule]) => rules[rule]?.effect === true);
  held.splice(0, held.length, ...held.filter(one => !gone.includes(one)));
  return gone.map(([rule]) => rule);
}

/** Leaves out what an operation seemed to prove that breaks another rule: it has answered, and done something else or nothing. */
function forget(held: Array<readonly [rule: string, evidence: Evidence]>, broken: string): void {
  const ids: readonly string[] = operations.filter(({ rules }) => Object.hasOwn(rules, broken)).map(({ id }) => id);
  const others = held.filter(([, { played }]) => !ids.includes(played.step.call ?? ''));
  held.splice(0, held.length, ...others);
}

function addTime(found: Found | undefined, duration: number): void {
  if (found !== undefined) found.duration += duration;
}

interface StepControls {
  readonly vague: ReadonlySet<number>;
  readonly isBlind: boolean;
  readonly unsteady: PlayedFile['unsteady'];
  /** How the server has answered one request in two ways, if it has. */
  readonly chance: string | undefined;
}

/** Why a step says nothing of the rules it is about; for a step that is about none, why nothing can be built on it. */
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
  const isUnasked = one.received === undefined && outcome === 'failed';
  if ((isGround && outcome === 'failed') || isUnasked)
    return {
      kind: 'ground',
      text: `it takes a server where ${JSON.stringify(step.say)} holds; here ${toldDifference(one)}`,
    };
  if (isGround) return undefined;
  if (outcome === 'failed') return vague.has(index) ? { kind: 'reading', text: VAGUE } : undefined;
  return isBlind || one.unchecked.includes('then') ? { kind: 'unseen', text: UNSEEN } : undefined;
}

function toldDifference({ differences: [first] }: Played): string {
  if (first === undefined) return 'it did not hold';
  return `the ${first.of}${first.pointer === '' ? '' : ` at ${first.pointer}`} ${first.says}`;
}
