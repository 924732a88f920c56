// Two controls for the suite: a correct server, and one on which requests have no effect. A step that fails on the first says nothing against a
// server; one that passes on the second says nothing for it.
import { rules } from '../../../operations/catalog.js';
import { type GapId, readingNames, type SomeReadings } from '../../../operations/gaps/gaps.js';
import type { Step } from '../../../scenario/format/step-format.js';
import { ownFile } from '../../../scenario/load/story.js';
import type { Played } from '../../../scenario/play/player.js';
import { assumedBy, type Doubt } from '../../calibrate/knowledge.js';
import type { Planned } from '../../changes/plan.js';
import type { NamesThere } from '../../names/name-map.js';
import { shutBy } from '../capabilities.js';
import type { PlayedFile } from '../played-file.js';
import { nothing } from './alterations/altered-worlds.js';
import { type Comparison, compare, isRefusedToo } from './comparison.js';
import { type Diagnosis, diagnose, UNSTABLE } from './diagnosis.js';
import { effectsIn } from './effects.js';
import { areAlike, type OtherReading, readingsFitting } from './other-readings.js';
import type { OwnServer, PlayConditions } from './own-server.js';
import { carriedIn } from './wrong-state.js';

export interface Controls {
  /** Users whom the tracker itself lets in, where push and pull do not. Default: nobody was asked about. */
  readonly inTracker?: ReadonlySet<string>;
  /** By file, the steps that fail even on a correct server with these readings. */
  readonly unsound: ReadonlyMap<string, ReadonlySet<number>>;
  /** The files whose result would be the same without any effect. */
  readonly blind: ReadonlySet<string>;
  /** The explanation of the failures; absent: none that a correct server has not. */
  readonly diagnosis?: Diagnosis;
  /** Two different answers to one request: then a failure may be random and says nothing. */
  readonly chance?: string;
  /** Other readings that would explain some failures. */
  readonly otherReadings?: readonly OtherReading[];
  /** The gaps that decide about failures and whose readings could not be found out. */
  readonly open?: readonly OpenGap[];
}

/** A gap whose reading is one of several. */
export interface OpenGap {
  readonly gap: GapId;
  readonly candidates: readonly string[];
}

/** Each reading that may be that of the gap. */
export function readingsOf({ gap, candidates }: OpenGap): readonly SomeReadings[] {
  return candidates.map(reading => ({ [gap]: reading }) as SomeReadings); // a reading of that gap
}

/** The results of a run, and what they are compared with. */
export interface Findings extends PlayConditions {
  readonly files: readonly PlayedFile[];
  readonly names: NamesThere;
  readonly doubts: readonly Doubt[];
  /** The files that would pass without any effect. */
  readonly blind: ReadonlySet<string>;
  /** Users whom the tracker itself lets in, where push and pull do not. */
  readonly inTracker: ReadonlySet<string>;
  /** Two different answers to one request, if there were any. */
  readonly chance: string | undefined;
  /** The gaps whose readings could not be found out, since something did not hold that their probes stand on. */
  readonly hindered: readonly OpenGap[];
  /** Whether it broke at a step, and did something else when it was asked again. */
  isUnsettled(played: Played): boolean;
}

/** The files that would pass on a server on which requests have no effect. */
export async function blindFiles(
  planned: readonly Planned[],
  { known, shown }: PlayConditions,
  own: OwnServer,
): Promise<ReadonlySet<string>> {
  const showsEffect = (played: Played) => isFailed(played) && played.step.proves !== undefined;
  const altered = { alteration: nothing, isMeant: isToHaveEffect };
  const blind = new Set<string>();
  for (const one of planned) {
    if (!one.mapped.loaded.steps.some(isToHaveEffect)) continue;
    const played = await own.play(one, { known, shown, altered, isEnough: showsEffect });
    if (!played.some(showsEffect)) blind.add(ownFile(one.written));
  }
  return blind;
}

/** Explains the failures of a run by what a correct server answers. */
export async function controlsOf(planned: readonly Planned[], findings: Findings, own: OwnServer): Promise<Controls> {
  const { files, shown, doubts, chance } = findings;
  const failed = new Set(files.filter(({ played }) => played.some(isFailed)).map(({ loaded }) => ownFile(loaded)));
  const blind = new Set([...findings.blind].filter(name => !failed.has(name)));
  if (chance !== undefined) return { unsound: new Map(), blind, chance };
  const failing = planned.filter(one => failed.has(ownFile(one.written)));
  const right = doubts.length > 0 ? undefined : await failingThere(failing, findings, own);
  if (right !== undefined) return { unsound: right, blind };
  const best = await leastAssuming(planned, findings, own);
  const { steps, references, diagnosis } = best;
  const unstable = diagnosis.broken.get(UNSTABLE)?.[0];
  if (unstable !== undefined) return { unsound: new Map(), blind, chance: chanceIn(unstable) };
  const strange = steps.filter(({ deviation }) => deviation !== undefined);
  return {
    unsound: unsoundAmong(files, references),
    blind,
    otherReadings: await readingsFitting(planned, strange, { known: best.known, shown }, own),
    open: best.open,
    diagnosis,
  };
}

/** By file, the steps that fail on a correct server as well; `undefined`: others have failed, too. */
async function failingThere(
  failing: readonly Planned[],
  findings: Findings,
  own: OwnServer,
): Promise<Controls['unsound'] | undefined> {
  const { files, known, shown } = findings;
  const references = new Map<string, readonly Played[]>();
  for (const one of failing) references.set(ownFile(one.written), await own.play(one, { known, shown }));
  const isStrange = comparisonsOf(findings, references).some(({ deviation }) => deviation !== undefined);
  return isStrange ? undefined : unsoundAmong(files, references);
}

function unsoundAmong(
  files: readonly PlayedFile[],
  references: ReadonlyMap<string, readonly Played[]>,
): Controls['unsound'] {
  return new Map(
    files.map(file => [ownFile(file.loaded), unsoundIn(file, references.get(ownFile(file.loaded)) ?? [])]),
  );
}

/** The steps that fail on a correct server too, or are refused there as well. */
function unsoundIn({ played }: PlayedFile, reference: readonly Played[]): ReadonlySet<number> {
  const right = new Map(reference.map(one => [one.index, one]));
  const refused = played.filter(one => isRefusedToo(one, right.get(one.index)));
  return new Set([...reference.filter(isFailed), ...refused].map(({ index }) => index));
}

interface Explained {
  readonly known: SomeReadings;
  readonly steps: readonly Comparison[];
  readonly references: ReadonlyMap<string, readonly Played[]>;
  readonly diagnosis: Diagnosis;
}

/** Where more than so many rules are broken, hardly anything stands, and asking on would tell no more. */
export const MAX_BROKEN = 5;
/** What it costs to assume a reading of a gap that the server's answers have left open. */
const ASSUMED = 1;
/** No more of them are tried. */
const MAX_ASSUMED = 4;

/** The diagnosis under what is known, or, where that costs less, under a reading of a gap that could not be found out. */
async function leastAssuming(
  planned: readonly Planned[],
  findings: Findings,
  own: OwnServer,
): Promise<Explained & Required<Pick<Controls, 'open'>>> {
  let best = await explained(planned, findings, findings.known, own);
  const strange = best.steps.filter(({ deviation }) => deviation !== undefined);
  const concerned = findings.hindered.filter(({ gap }) => strange.some(step => isConcerned(step, gap)));
  const isHopeless = best.diagnosis.broken.size > MAX_BROKEN;
  const others = concerned.map(({ gap, candidates }) => ({
    gap,
    candidates: candidates.filter(reading => reading !== readingNames(gap)[0]),
  }));
  const assumptions = isHopeless ? [] : [...others, ...findings.doubts.map(asOpen)].flatMap(readingsOf);
  for (const assumed of assumptions.slice(0, MAX_ASSUMED)) {
    const doubts = findings.doubts.map(doubt => underAssumed(doubt, assumed));
    const other = await explained(planned, { ...findings, doubts }, { ...findings.known, ...assumed }, own);
    const isWhole = strange.every(step => isCompared(step, other));
    if (isWhole && other.diagnosis.cost + ASSUMED < best.diagnosis.cost) best = other;
  }
  const asked = findings.hindered.filter(({ gap }) => isOfSteps(gap, strange, planned));
  const doubted = findings.doubts.map(({ gap, reading }) => ({ gap, candidates: [best.known[gap] ?? reading] }));
  return { ...best, open: [...new Set([...concerned, ...asked, ...doubted])] };
}

/** The other readings that a probe may have shown. */
function asOpen({ gap, others }: Doubt): OpenGap {
  return { gap, candidates: others };
}

function underAssumed(doubt: Doubt, assumed: SomeReadings): Doubt {
  const reading = assumed[doubt.gap];
  return reading === undefined ? doubt : doubt.under(reading);
}

/** Whether a gap may decide about an answer. What push and pull report depends on what was a favourite before. */
function isConcerned({ gaps, family }: Comparison, gap: GapId): boolean {
  return gaps.includes(gap) || (family === 'ppf' && gap.startsWith('ppf-'));
}

/** Whether a file in which something failed has steps that are played under a reading of a gap only. */
function isOfSteps(gap: GapId, strange: readonly Comparison[], planned: readonly Planned[]): boolean {
  const failed = new Set(strange.map(({ file }) => file));
  return planned.some(
    one => failed.has(ownFile(one.written)) && one.written.steps.some(({ readings }) => readings?.[gap] !== undefined),
  );
}

/** Whether a step is held against the same under other readings, or is what a correct server answers there. */
function isCompared({ file, played }: Comparison, { steps, references }: Explained): boolean {
  const right = references.get(file)?.find(({ index }) => index === played.index);
  return steps.some(other => other.played === played) || areAlike(played, right);
}

async function explained(
  planned: readonly Planned[],
  findings: Findings,
  known: SomeReadings,
  own: OwnServer,
): Promise<Explained> {
  const followed: SomeReadings = { ...known, ...assumedBy(findings.doubts) };
  const alike = { known: findings.known, followed, shown: findings.shown };
  const references = new Map<string, readonly Played[]>();
  for (const one of planned) references.set(ownFile(one.written), await own.play(one, alike));
  const steps = [...comparisonsOf(findings, references), ...(await doubted(findings.doubts, alike, own))];
  const plays = [
    ...planned.map(one => ({ planned: one, alike })),
    ...findings.doubts.map(doubt => ({ planned: doubt.probe, alike: underReading(doubt, alike) })),
  ];
  const { effectOf, leaving } = await effectsIn(plays, steps, own);
  return { known, steps, references, diagnosis: diagnose(steps, effectOf, leaving) };
}

function chanceIn({ played: { sent, received } }: Comparison): string {
  const request = `${sent?.method} ${sent?.path.split('?')[0]}`;
  return `${request} was answered with ${received?.status} now and then, and otherwise when it was asked again`;
}

function comparisonsOf(
  { files, names, isUnsettled, inTracker }: Findings,
  references: ReadonlyMap<string, readonly Played[]>,
): readonly Comparison[] {
  const shut = shutBy(files, names.adminThere, inTracker);
  const { licence } = names.world;
  return files.flatMap(file => {
    const isOtherLicence = file.loaded.origin.world.licence.ppf !== licence.ppf; // nobody can bring that about
    if (isOtherLicence && file.played.some(({ step, outcome }) => step.proves === undefined && outcome === 'failed'))
      return [];
    const right = new Map(references.get(ownFile(file.loaded))?.map(one => [one.index, one]));
    const anew = answeredAnew(references.get(ownFile(file.loaded)) ?? []);
    const carried = carriedIn(file.played, right);
    return file.played
      .filter(one => shut(one) === undefined)
      .flatMap(one => {
        const found = compare(ownFile(file.loaded), one, right.get(one.index));
        if (found === undefined) return [];
        const more = { ...found, isAnsweredAnew: anew.has(one.index), isCarried: carried.has(one.index) };
        return isUnsettled(one) ? { ...more, isUnsettled: true as const } : more;
      });
  });
}

/** The steps whose request has another answer than the last time. */
function answeredAnew(reference: readonly Played[]): ReadonlySet<number> {
  const last = new Map<string, string>();
  const found = new Set<number>();
  for (const { sent, received, index } of reference) {
    if (sent === undefined || received === undefined) continue;
    const request = `${sent.method} ${sent.path} ${sent.body === undefined ? '' : Buffer.from(sent.body).toString('utf8')}`;
    const answer = `${received.status} ${received.text}`;
    if ((last.get(request) ?? answer) !== answer) found.add(index);
    last.set(request, answer);
  }
  return found;
}

/** Answers that no reading allows, although all earlier steps passed. */
async function doubted(
  doubts: readonly Doubt[],
  alike: PlayConditions,
  own: OwnServer,
): Promise<readonly Comparison[]> {
  const found: Comparison[] = [];
  for (const doubt of doubts) {
    const { probe, played } = doubt;
    const right = new Map((await own.play(probe, underReading(doubt, alike))).map(one => [one.index, one]));
    for (const one of played) {
      const compared = compare(ownFile(probe.written), one, right.get(one.index));
      if (compared !== undefined) found.push({ ...compared, isDoubtful: true });
    }
  }
  return found;
}

function underReading(doubt: Doubt, { followed, shown }: PlayConditions): PlayConditions {
  return { known: { ...followed, ...assumedBy([doubt]) }, shown };
}

/** A step whose world shows an effect. */
function isToHaveEffect({ proves, then }: Step): boolean {
  return then !== undefined && (proves ?? []).some(rule => rules[rule]?.effect);
}

function isFailed({ outcome }: Played): boolean {
  return outcome === 'failed';
}
