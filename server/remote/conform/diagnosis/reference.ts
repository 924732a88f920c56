// What the suite says of a server that keeps every rule, and of one on which nothing comes of what is asked: two controls for what it says of
// another. A step that does not pass on the first says nothing against a server; what passes on the second as well says nothing for it.
import { rules } from '../../../operations/catalog.js';
import type { SomeReadings } from '../../../operations/gaps/gaps.js';
import type { Step } from '../../../scenario/format/step-format.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Planned } from '../../changes/plan.js';
import type { NamesThere } from '../../names/name-map.js';
import { shutBy } from '../capabilities.js';
import type { Doubt } from '../knowledge.js';
import type { PlayedFile } from '../played-file.js';
import { type Comparison, compare } from './comparison.js';
import { type Diagnosis, diagnose, type Effect } from './diagnosis.js';
import { areAlike, readingsFitting } from './other-readings.js';
import type { OwnServer, Performance } from './own-server.js';

export interface Controls {
  /** By file the steps that cannot be expected to pass under these readings, where others before them are left out. */
  readonly unsound: ReadonlyMap<string, ReadonlySet<number>>;
  /** The files that would have said the same, had nothing come of the steps that they are about. */
  readonly blind: ReadonlySet<string>;
  /** What explains the steps that failed; absent: none did. */
  readonly diagnosis?: Diagnosis;
  /** How the server has answered one request in two ways: then a failure may be chance, and says nothing of a rule. */
  readonly chance?: string;
  /** Other readings under which some of what failed would have been right. */
  readonly otherReadings?: readonly SomeReadings[];
}

/** What a run has shown, and what there is to hold it against. */
export interface Findings extends Performance {
  readonly files: readonly PlayedFile[];
  readonly names: NamesThere;
  readonly doubts: readonly Doubt[];
  /** How the server has answered one request in two ways. */
  readonly chance: string | undefined;
}

/** Plays the controls that are due: the first where something failed, the second where something is said to have come about. */
export async function controlsOf(planned: readonly Planned[], findings: Findings, own: OwnServer): Promise<Controls> {
  const { files, known, shown, doubts, chance } = findings;
  const alike = { known, shown };
  const failed = new Set(files.filter(({ played }) => played.some(isFailed)).map(nameOf));
  const blind = new Set<string>();
  for (const one of planned) {
    if (failed.has(planName(one)) || !one.mapped.loaded.steps.some(isToHaveEffect)) continue;
    const played = await own.play(one, { ...alike, without: isToHaveEffect });
    if (!played.some(({ step, outcome }) => outcome === 'failed' && step.proves !== undefined))
      blind.add(planName(one));
  }
  if (chance !== undefined) return { unsound: new Map(), blind, chance };
  if (failed.size === 0 && doubts.length === 0) return { unsound: new Map(), blind };
  const references = new Map<string, readonly Played[]>();
  for (const one of planned) references.set(planName(one), await own.play(one, alike));
  const steps = [...comparisonsOf(findings, references), ...(await doubted(doubts, alike, own))];
  const effects = await effectsIn(planned, steps, alike, own);
  const unsound = [...references].map(
    ([file, played]) => [file, new Set(played.filter(isFailed).map(({ index }) => index))] as const,
  );
  const strange = steps.filter(({ deviation }) => deviation !== undefined);
  return {
    unsound: new Map(unsound),
    blind,
    otherReadings: await readingsFitting(planned, strange, alike, own),
    diagnosis: diagnose(steps, (rule, file) => effects.get(`${rule} ${file}`) ?? NO_EFFECT),
  };
}

function comparisonsOf(
  { files, names }: Findings,
  references: ReadonlyMap<string, readonly Played[]>,
): readonly Comparison[] {
  const shut = shutBy(files, names.real('user', names.admin) ?? names.admin);
  const { licence } = names.world;
  return files.flatMap(file => {
    const isOtherLicence = file.loaded.origin.world.licence.ppf !== licence.ppf; // nobody can bring that about
    if (isOtherLicence && file.played.some(({ step, outcome }) => step.proves === undefined && outcome === 'failed'))
      return [];
    const right = new Map(references.get(nameOf(file))?.map(one => [one.index, one]));
    return file.played
      .filter(one => shut(one) === undefined)
      .flatMap(one => compare(nameOf(file), one, right.get(one.index)) ?? []);
  });
}

/** What was answered as no reading allows, beside what a correct server answers. */
async function doubted(doubts: readonly Doubt[], alike: Performance, own: OwnServer): Promise<readonly Comparison[]> {
  const found: Comparison[] = [];
  for (const { probe, played } of doubts) {
    const right = new Map((await own.play(probe, alike)).map(one => [one.index, one]));
    for (const one of played) found.push(...[compare(planName(probe), one, right.get(one.index)) ?? []].flat());
  }
  return found;
}

const NO_EFFECT: Effect = { shown: new Set(), alike: new Set() };

/** By rule and file, where something failed: what would be if nothing came of what the rule asks for. */
async function effectsIn(
  planned: readonly Planned[],
  steps: readonly Comparison[],
  alike: Performance,
  own: OwnServer,
): Promise<ReadonlyMap<string, Effect>> {
  const effects = new Map<string, Effect>();
  for (const one of planned) {
    const ofFile = steps.filter(({ file }) => file === planName(one));
    if (!ofFile.some(({ deviation }) => deviation !== undefined)) continue;
    const here = new Map(ofFile.map(({ played }) => [played.index, played]));
    const applying = new Set(ofFile.flatMap(step => step.rules.filter(rule => rules[rule]?.effect)));
    for (const rule of applying) {
      const without = new Set(ofFile.filter(step => step.rules.includes(rule)).map(({ played }) => played.index));
      const played = await own.play(one, { ...alike, without: (_, index) => without.has(index) });
      const failed = played.filter(isFailed);
      effects.set(`${rule} ${planName(one)}`, {
        shown: new Set(failed.map(({ index }) => index)),
        alike: new Set(failed.filter(step => areAlike(step, here.get(step.index))).map(({ index }) => index)),
      });
    }
  }
  return effects;
}

function nameOf({ loaded }: PlayedFile): string {
  return loaded.files[0] ?? '';
}

function planName({ written }: Planned): string {
  return written.files[0] ?? '';
}

/** A step that shows by what the world then holds that something has come about. */
function isToHaveEffect({ proves, then }: Step): boolean {
  return then !== undefined && (proves ?? []).some(rule => rules[rule]?.effect);
}

function isFailed({ outcome }: Played): boolean {
  return outcome === 'failed';
}
