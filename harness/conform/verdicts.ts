// Derives the verdict on each rule from the results: conforms, contradicts, or undetermined with a reason. Pure.
import { rules } from '../../server/operations/catalog/catalog.js';
import { differenceText } from '../../server/scenario/play/evidence.js';
import type { Played } from '../../server/scenario/play/player.js';
import type { Diagnosis, Explanation, FailedStep } from './diagnosis.js';
import type { PlayedFile } from './suite-run.js';

export interface Verdict {
  readonly rule: string;
  readonly judgement: 'conforms' | 'contradicts' | 'undetermined';
  /** The passed or contradicting steps. */
  readonly evidence: readonly FailedStep[];
  /** The named fault of a contradicted rule, as "behaves like a server that …". */
  readonly fault?: string;
  /** Why it is undetermined. */
  readonly reason?: string;
  /** Milliseconds of the steps about it. */
  readonly duration: number;
}

export function verdictsOn(
  wanted: readonly string[],
  files: readonly PlayedFile[],
  /** Why the server is not judged, if so. */
  unstable: string | undefined,
  { explanations, failed }: Diagnosis,
): readonly Verdict[] {
  const blamed = blamedBy(failed, explanations);
  const telling = new Set(failed.map(({ played }) => played));
  return wanted.map(rule => verdictOn(rule, files, { blamed, unstable, explanations, telling }));
}

interface Blame {
  readonly steps: readonly FailedStep[];
  readonly fault?: string;
}

/** The broken rules. Without an explanation: what the first failed step of each file proves. */
function blamedBy(failed: readonly FailedStep[], explanations: readonly Explanation[]): ReadonlyMap<string, Blame> {
  const sure = explanations.filter(({ faults }) => rulesOf(faults).length === 1);
  if (explanations.length > 0)
    return new Map(
      sure.map(({ faults: [fault], isNamed, steps }) => [
        fault?.rule ?? '',
        { steps, ...(isNamed && fault !== undefined && { fault: fault.says }) },
      ]),
    );
  const proving = failed.filter(({ played }) => played.step.proves !== undefined);
  const firsts = [...new Map([...proving].reverse().map(one => [one.file, one])).values()];
  const proved = new Set(firsts.flatMap(({ played }) => played.step.proves ?? []));
  return new Map(
    [...proved].map(rule => [rule, { steps: firsts.filter(({ played }) => played.step.proves?.includes(rule)) }]),
  );
}

function rulesOf(faults: Explanation['faults']): string[] {
  return [...new Set(faults.map(({ rule }) => rule))];
}

interface Context {
  readonly blamed: ReadonlyMap<string, Blame>;
  readonly unstable: string | undefined;
  readonly explanations: readonly Explanation[];
  /** The failed steps, without those that fail on a correct server too. */
  readonly telling: ReadonlySet<Played>;
}

function verdictOn(
  rule: string,
  files: readonly PlayedFile[],
  { blamed, unstable, explanations, telling }: Context,
): Verdict {
  const own = files.flatMap(({ file, played }) =>
    played.filter(({ step }) => step.proves?.includes(rule)).map(one => ({ file, played: one })),
  );
  const duration = own.reduce((sum, { played }) => sum + played.duration, 0);
  const undetermined = (reason: string) => ({
    rule,
    judgement: 'undetermined' as const,
    evidence: [],
    duration,
    reason,
  });
  const failed = own.filter(({ played }) => played.outcome === 'failed');
  const blame = blamed.get(rule);
  if (unstable !== undefined && (failed.length > 0 || blame !== undefined))
    return undetermined(`the server is unstable: ${unstable}`);
  if (blame !== undefined) {
    const { steps, fault } = blame;
    const isOwn = ({ played }: FailedStep) => played.step.proves?.includes(rule) === true;
    const evidence = [...steps.filter(isOwn), ...steps.filter(step => !isOwn(step))];
    return { rule, judgement: 'contradicts', evidence, duration, ...(fault !== undefined && { fault }) };
  }
  const rival = explanations.find(({ faults }) => rulesOf(faults).includes(rule));
  if (rival !== undefined) return undetermined(ambiguity(rule, rival));
  const first = failed.find(({ played }) => telling.has(played));
  if (first !== undefined) return undetermined(`"${first.played.step.say}" failed, but ${cause(first, explanations)}`);
  const passed = own.filter(({ played }) => played.outcome === 'passed');
  const isUnseen = rules[rule]?.effect === true && !passed.some(({ played }) => played.seen !== undefined);
  if (passed.length > 0 && !isUnseen) return { rule, judgement: 'conforms', evidence: passed, duration };
  const skipped = own.find(({ played }) => played.outcome === 'skipped');
  const unfinished = files.find(({ ended }) => ended !== undefined); // it and all later files
  if (isUnseen && passed.length > 0)
    return undetermined('its effect cannot be read through the REST API of this server');
  const lacking = failed.length > 0 ? 'its steps need data that earlier steps could not prepare' : undefined;
  return undetermined(
    unfinished?.ended ?? skipped?.played.why ?? lacking ?? 'no step of the suite tests it on this server',
  );
}

function ambiguity(rule: string, { faults }: Explanation): string {
  const says = faults.find(one => one.rule === rule)?.says ?? '';
  const others = rulesOf(faults).filter(one => one !== rule);
  return `perhaps the server ${says}, but a fault in ${others.join(' or ')} would look the same`;
}

/** What explains a failed step of another rule. */
function cause(step: FailedStep, explanations: readonly Explanation[]): string {
  const found = explanations.find(({ steps }) => steps.some(({ played }) => played === step.played));
  const [difference] = step.played.differences;
  const text =
    difference === undefined ? 'the cause is unknown' : `${differenceText(difference)}; the cause is unclear`;
  return found === undefined ? text : `a fault in ${rulesOf(found.faults).join(' or ')} explains this failure`;
}
