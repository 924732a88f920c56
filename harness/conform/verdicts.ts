// Derives the verdict on each rule from the results: conforms, contradicts, or undetermined with a reason. Pure.

import { isObject } from '../../server/domain/form/patch.js';
import { operations, rules } from '../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import { differenceText } from '../../server/scenario/play/evidence.js';
import { type Played, unmetReading } from '../../server/scenario/play/player.js';
import type { Diagnosis, FailedStep, LikelyFault } from './diagnosis.js';
import { pushesNothing } from './faults/catalogue.js';
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
  known: SomeReadings = {},
): readonly Verdict[] {
  const blamed = blamedBy(failed, explanations, files);
  const telling = new Set(failed.map(({ played }) => played));
  return wanted.map(rule => verdictOn(rule, files, { blamed, unstable, explanations, telling, known }));
}

/** Rules about what no REST resource shows, and about the licence, which no documented operation sets. */
const undeterminable: ReadonlySet<string> = new Set([
  'ppf.licensed-only',
  'spaces.sidebar-link',
  'spaces.copy-default-admin',
  'spaces.copy-remove-admin',
]);

/** Whether a run against a sound server would have determined the rule. */
export function isMissed({ rule, judgement }: Verdict): boolean {
  return judgement === 'undetermined' && !undeterminable.has(rule);
}

interface Blame {
  readonly steps: readonly FailedStep[];
  readonly fault?: string;
  /** A server that keeps the document may look the same. */
  readonly isInnocent?: boolean;
}

/** The broken rules: those of the explanations, or else the suspects. */
function blamedBy(
  failed: readonly FailedStep[],
  explanations: readonly LikelyFault[],
  files: readonly PlayedFile[],
): ReadonlyMap<string, Blame> {
  if (explanations.length > 0)
    return new Map(
      explanations.flatMap(({ faults, steps }) => {
        const [first, ...others] = faults;
        const common = first?.rules.filter(rule => others.every(({ rules: own }) => own.includes(rule))) ?? [];
        return common.map(rule => [
          rule,
          {
            steps,
            ...(first !== undefined && { fault: first.says, isInnocent: first.change === pushesNothing }),
          },
        ]);
      }),
    );
  return suspects(failed, files);
}

/** The operations, each with the rule about its effect. */
const effects = new Map<string, string | undefined>(
  operations.map(({ id, rules: own }) => [
    id,
    id in own ? id : Object.keys(own).find(rule => rules[rule]?.effect === true),
  ]),
);

/** The rules that a step proves, and the effect of its operation. */
function rulesOfStep({ proves = [], call }: Played['step']): readonly string[] {
  return [...proves, ...[(call && effects.get(call)) ?? []].flat()];
}

/** The rules that most of the first failed steps of each file are about and few passed ones (by Ochiai's measure). */
function suspects(failed: readonly FailedStep[], files: readonly PlayedFile[]): ReadonlyMap<string, Blame> {
  const proving = failed.filter(({ played }) => played.step.proves !== undefined);
  const firsts = [...new Map(proving.toReversed().map(one => [one.file, one])).values()];
  const about = firsts.map(step => ({ step, rules: new Set(suspectedIn(step, files)) }));
  const passed = files.flatMap(({ played }) => played.filter(({ outcome }) => outcome === 'passed'));
  const scored = [...new Set(about.flatMap(one => [...one.rules]))].map(rule => {
    const steps = about.filter(one => one.rules.has(rule)).map(({ step }) => step);
    const others = passed.filter(({ step }) => rulesOfStep(step).includes(rule)).length;
    return { rule, steps, score: steps.length / Math.sqrt(steps.length + others) };
  });
  const most = Math.max(...scored.map(({ score }) => score));
  return new Map(scored.filter(({ score }) => score === most).map(({ rule, steps }) => [rule, { steps }]));
}

/** The rules of a failed step (those whose effect cannot be read: only if its status is wrong), and the effects of earlier steps that none has shown since. */
function suspectedIn({ file, played }: FailedStep, files: readonly PlayedFile[]): readonly string[] {
  const all = files.find(one => one.file === file)?.played ?? [];
  const before = all.slice(0, all.indexOf(played));
  const isStatusWrong = played.differences.some(({ of }) => of === 'status');
  const shown = before.findLastIndex(({ outcome, seen }) => outcome === 'passed' && seen !== undefined);
  return [
    ...rulesOfStep(played.step).filter(rule => isStatusWrong || !undeterminable.has(rule)),
    ...before.slice(shown + 1).flatMap(({ step: { call } }) => (call && effects.get(call)) ?? []),
  ];
}

function rulesOf(faults: LikelyFault['faults']): string[] {
  return [...new Set(faults.flatMap(one => one.rules))];
}

interface Context {
  readonly blamed: ReadonlyMap<string, Blame>;
  readonly unstable: string | undefined;
  readonly explanations: readonly LikelyFault[];
  /** The failed steps, without those that fail on a correct server too. */
  readonly telling: ReadonlySet<Played>;
  readonly known: SomeReadings;
}

function verdictOn(
  rule: string,
  files: readonly PlayedFile[],
  { blamed, unstable, explanations, telling, known }: Context,
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
  if (blame?.isInnocent) return undetermined(`perhaps the server ${blame.fault}, or it only records pushes`);
  if (blame !== undefined) {
    const { steps, fault } = blame;
    const isOwn = ({ played }: FailedStep) => played.step.proves?.includes(rule) === true;
    const evidence = [...steps.filter(isOwn), ...steps.filter(step => !isOwn(step))];
    const says = fault ?? evidence[0]?.says;
    return { rule, judgement: 'contradicts', evidence, duration, ...(says !== undefined && { fault: says }) };
  }
  const rival = explanations.find(({ faults }) => rulesOf(faults).includes(rule));
  if (rival !== undefined) return undetermined(ambiguity(rule, rival));
  const first = failed.find(({ played }) => telling.has(played));
  if (first !== undefined) return undetermined(`"${first.played.step.say}" failed, but ${cause(first, explanations)}`);
  const passed = own.filter(({ played }) => played.outcome === 'passed');
  const fitting = own.filter(({ played: { step } }) => unmetReading(step.readings, known) === undefined);
  const unseen = rules[rule]?.effect === true ? unseenEffects(passed, fitting) : [];
  const isSeen = rules[rule]?.effect !== true || passed.some(({ played }) => played.seen !== undefined);
  if (passed.length > 0 && undeterminable.has(rule)) return undetermined('no REST resource shows its effect');
  if (known['ppf-effect'] === 'record-only' && rule in unlessRecorded)
    return undetermined(unlessRecorded[rule as keyof typeof unlessRecorded]);
  if (passed.length > 0 && isSeen && unseen.length === 0)
    return { rule, judgement: 'conforms', evidence: passed, duration };
  const isSkipped = ({ played }: FailedStep) => played.outcome === 'skipped';
  const skipped = fitting.find(isSkipped) ?? own.find(isSkipped);
  const unfinished = files.find(({ ended }) => ended !== undefined); // it and all later files
  if (passed.length > 0 && !own.some(isSkipped))
    return undetermined(
      `its effect cannot be read through the REST API of this server${unseen.map(part => `, ${part}`).join('')}`,
    );
  const lacking = failed.length > 0 ? 'its steps need data that earlier steps could not prepare' : undefined;
  return undetermined(
    unfinished?.ended ?? skipped?.played.why ?? lacking ?? 'no step of the suite tests it on this server',
  );
}

const bothWays = 'no favourites changed: perhaps the server only records requests, or it reports success for a';
const unlessRecorded = {
  'ppf.push': `${bothWays} push without doing it`,
  'ppf.pull': `${bothWays} pull without doing it`,
};

function ambiguity(rule: string, { faults }: LikelyFault): string {
  const says = faults.find(one => one.rules.includes(rule))?.says ?? '';
  const others = rulesOf(faults).filter(one => one !== rule);
  return `perhaps the server ${says}, but a fault in ${others.join(' or ')} would look the same`;
}

/** What explains a failed step of another rule. */
function cause(step: FailedStep, explanations: readonly LikelyFault[]): string {
  const found = explanations.find(({ steps }) => steps.some(({ played }) => played === step.played));
  const [difference] = step.played.differences;
  const text =
    difference === undefined ? 'the cause is unknown' : `${differenceText(difference)}; the cause is unclear`;
  return found === undefined ? text : `a fault in ${rulesOf(found.faults).join(' or ')} explains this failure`;
}

/** No REST resource shows these. */
const hidden: ReadonlySet<string> = new Set(['spaces.admins', 'spaces.sidebar']);

/** The parts of the world, such as `favourites.filters`, that steps expect and that none of the passed ones has shown. */
export function unseenEffects(passed: readonly FailedStep[], all: readonly FailedStep[]): string[] {
  const shown = new Set(
    passed.flatMap(({ played: { seen, step } }) =>
      expectedIn(step.then).flatMap(({ place, key, fields }) => {
        const value = seen?.get(`${place}/${key}`)?.value;
        const isShown = (field: string) => !isObject(value) || field === '' || Object.hasOwn(value, field);
        return seen?.has(`${place}/${key}`) ? fields.filter(isShown).map(field => partOf(place, field)) : [];
      }),
    ),
  );
  const expected = all.flatMap(({ played: { step } }) =>
    expectedIn(step.then).flatMap(({ place, fields }) => fields.map(field => partOf(place, field))),
  );
  return [...new Set(expected)].filter(part => !shown.has(part) && !hidden.has(part));
}

function partOf(place: string, field: string): string {
  return field === '' ? place : `${place}.${field}`;
}

/** The records in `then`, with the fields of each; a record that is a list, or absent, has the field ''. */
function expectedIn(then: unknown) {
  return Object.entries(isObject(then) ? then : {}).flatMap(([place, records]) =>
    Object.entries(isObject(records) ? records : {}).map(([key, record]) => {
      const fields = isObject(record) ? Object.keys(record).filter(field => !field.startsWith('$')) : [];
      return { place, key, fields: fields.length === 0 ? [''] : fields };
    }),
  );
}
