// What was played becomes an answer for each rule: it conforms, it contradicts, or neither can be said, and why. Pure.
// Knows no server and no terminal.
import type { Played } from '../../scenario/play/player.js';
import { type Shut, shutBy } from './capabilities.js';
import type { PlayedFile } from './played-file.js';
import type { Controls } from './reference.js';

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
const kinds = ['shut', 'unplayable', 'ended', 'ground', 'unseen', 'reading'] as const;
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
  { unsound, blind }: Controls = { unsound: new Map(), blind: new Set() },
): readonly Verdict[] {
  const found = new Map(rules.map(rule => [rule, new Found()]));
  const shut = shutBy(files, admin);
  for (const file of files) {
    const [name = ''] = file.loaded.files;
    const controls = { vague: unsound.get(name) ?? new Set<number>(), isBlind: blind.has(name) };
    judge(
      file,
      one => reasonIn(one, shut, file.unplayable, controls),
      rule => found.get(rule),
    );
  }
  return [...found].map(([rule, findings]) => verdictOn(rule, findings));
}

function verdictOn(rule: string, { held, failed, reasons, duration }: Found): Verdict {
  const sorted = [...reasons].sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const texts = [...new Set(sorted.map(({ text }) => text))];
  const rest = { rule, duration, reasons: texts };
  if (failed.length > 0) return { ...rest, judgement: 'contradicts', evidence: failed };
  if (held.length > 0) return { ...rest, judgement: 'conforms', evidence: held };
  const why = texts.length === 0 ? ['no step of the suite that was played is about it'] : texts;
  return { ...rest, judgement: 'undetermined', evidence: [], reasons: why };
}

/** One file, step by step, until its ground gives way. */
function judge(
  { loaded, played, ended }: PlayedFile,
  reasonFor: (one: Played) => Reason | undefined,
  of: (rule: string) => Found | undefined,
): void {
  const tell = (rules: readonly string[], reason: Reason) => {
    for (const rule of rules) of(rule)?.reasons.push(reason);
  };
  const after = (i: number) => loaded.steps.slice(i).flatMap(({ proves = [] }) => proves);
  for (const one of played) {
    const proves = one.step.proves ?? [];
    for (const rule of proves) addTime(of(rule), one.duration);
    const reason = reasonFor(one);
    if (reason !== undefined) {
      tell(proves, reason);
      const isGround = proves.length === 0 && reason.kind !== 'reading';
      if (!isGround) continue;
      tell(after(one.index), reason);
      return;
    }
    const evidence = { file: loaded.files[0] ?? '', played: one };
    for (const rule of proves) of(rule)?.[one.outcome === 'failed' ? 'failed' : 'held'].push(evidence);
    if (one.outcome !== 'failed') continue;
    tell(after(one.index + 1), {
      kind: 'ground',
      text: `it takes a server where ${JSON.stringify(one.step.say)} holds; here it did not`,
    });
    return;
  }
  if (ended !== undefined) tell(after(played.length), { kind: 'ended', text: ended });
}

function addTime(found: Found | undefined, duration: number): void {
  if (found !== undefined) found.duration += duration;
}

/** Why a step says nothing of the rules it is about; for a step that is about none, why nothing can be built on it. */
function reasonIn(
  one: Played,
  shut: Shut,
  unplayable: ReadonlySet<number>,
  { vague, isBlind }: { readonly vague: ReadonlySet<number>; readonly isBlind: boolean },
): Reason | undefined {
  const { step, outcome, why = '', index } = one;
  if (outcome === 'skipped') return { kind: unplayable.has(index) ? 'unplayable' : 'reading', text: why };
  const closed = shut(one);
  if (closed !== undefined) return { kind: 'shut', text: closed };
  const isGround = step.proves === undefined || step.proves.length === 0;
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
