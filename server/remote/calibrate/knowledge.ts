// Finds the readings of a server and undoes the changes of the probes. For a suite: of the gaps that it depends on, before it is played.

import type { World } from '../../domain/world.js';
import { type GapId, readingNames, type SomeReadings } from '../../operations/gaps/gaps.js';
import type { Loaded } from '../../scenario/load/story.js';
import { answerDifferences, seenDifferences } from '../../scenario/play/judging.js';
import type { Played } from '../../scenario/play/player.js';
import { type Target, Unreachable } from '../../scenario/play/target.js';
import type { Change } from '../changes/changes.js';
import { type Cleanup, cleanUp } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import type { NamesThere } from '../names/name-map.js';
import { isOfAnyStatus, isRefusal, isToBeRefused } from '../target/expected-refusals.js';
import { familyOf } from '../target/family.js';
import { NOTHING, type Shown, viewsOf } from '../target/host-view.js';
import { withRetries } from '../target/retrying-target.js';
import { type CalibrateOptions, type Calibration, calibrate } from './calibrate.js';
import type { Observation } from './finding.js';
import { inWorld, neededBy } from './probes.js';

/** The probes of the gaps that the suite depends on, directly or through other probes. */
export function probesFor(suite: readonly Loaded[], probes: readonly Loaded[], world: World): readonly Loaded[] {
  const needed = new Set<GapId>(suite.flatMap(one => [...neededBy(one)]));
  for (let size = -1; size !== needed.size; ) {
    size = needed.size;
    for (const probe of probes)
      if (probe.gap !== undefined && needed.has(probe.gap)) for (const gap of neededBy(probe)) needed.add(gap);
  }
  return inWorld(
    probes.filter(({ gap }) => gap !== undefined && needed.has(gap)),
    world,
  );
}

export interface Knowledge {
  readonly known: SomeReadings;
  readonly calibration?: Calibration;
  readonly cleanup: Cleanup;
  /** Why it is unknown. */
  readonly ended?: Unreachable;
}

export interface KnowledgeOptions extends Pick<CalibrateOptions, 'run' | 'signal' | 'assumed' | 'jobs' | 'onFinding'> {
  readonly names: NamesThere;
  readonly shown?: Shown;
}

/** Plays the probes and undoes their changes. */
export async function knowledgeOf(
  planned: readonly Planned[],
  target: Target,
  { names, shown = NOTHING, onFinding = () => {}, ...options }: KnowledgeOptions,
): Promise<Knowledge> {
  const changes: Change[] = [];
  let known: SomeReadings = {};
  const cleaned = async () => ({ known, cleanup: await cleanUp(changes, { target, names, known }) });
  try {
    const calibration = await calibrate(
      withRetries(target),
      planned.map(({ mapped }) => mapped),
      {
        ...options,
        admin: names.adminThere,
        passwords: names.passwords,
        views: viewsOf(planned, { target, names, run: options.run }, shown),
        onFinding: finding => {
          if ('reading' in finding) known = { ...known, [finding.gap]: finding.reading };
          onFinding(finding);
        },
        asked: (probe, index, received) => {
          const { status = 0 } = received ?? {};
          const plan = planned.find(({ mapped }) => mapped === probe);
          if (status < 400 || status >= 500) changes.push(...(plan?.changes[index] ?? []));
        },
      },
    );
    known = calibration.readings;
    return { calibration, ...(await cleaned()) };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { ended: error, ...(await cleaned()) };
  }
}

/** A probe with answers that fit no reading, as they look under one of them. */
export interface Doubt {
  readonly probe: Planned;
  readonly gap: GapId;
  readonly reading: string;
  /** Its steps. Those whose answers fit another reading have failed. */
  readonly played: readonly Played[];
  /** Other readings that some of the answers fit, the likeliest first. */
  readonly others: readonly string[];
  under(reading: string): Doubt;
}

/** Answers that no reading allows, although all earlier steps passed, under the reading that most of them fit. */
export function doubtsIn({ calibration }: Knowledge, probes: readonly Planned[]): readonly Doubt[] {
  return (calibration?.findings ?? []).flatMap(finding => {
    const probe = probes.find(({ written }) => written.gap === finding.gap);
    if (probe === undefined || !('isImpossible' in finding)) return [];
    const { observations, gap, played = [] } = finding;
    if (isLeftOpen(gap, observations)) return [];
    const isLike = (one: Observation, reading: string) => one.fits.includes(reading) || isRefusedUnder(one, reading);
    const count = (reading: string) => observations.filter(one => isLike(one, reading)).length;
    const [likeliest = '', ...rest] = [...readingNames(gap)].sort((a, b) => count(b) - count(a));
    const under = (reading: string): Doubt => {
      const strange = new Set(observations.filter(one => !isLike(one, reading)).map(one => one.played?.index));
      const others = [likeliest, ...rest].filter(other => other !== reading && count(other) > 0);
      const failed = played.map(one => (strange.has(one.index) ? failedUnder(one, reading, gap) : one));
      return { probe, gap, reading, played: failed, others, under };
    };
    return [under(likeliest)];
  });
}

/** The likeliest readings of gaps whose probes fit none. */
export function assumedBy(doubts: readonly Doubt[]): SomeReadings {
  return Object.assign({}, ...doubts.map(({ gap, reading }) => ({ [gap]: reading })));
}

/**
 * Whether a correct server may answer so, though no reading does: the document shows no form of the answer of isUnique, and lets each address serve the
 * method of its heading or not.
 */
function isLeftOpen(gap: GapId, observations: readonly Observation[]): boolean {
  if (gap === 'heading-methods') return observations.every(({ fits }) => fits.length > 0);
  return gap === 'is-unique-answer' && isTelling(observations);
}

/**
 * Whether answers tell what they are asked for, in whatever form: where the same is due it is the same, and otherwise another one.
 */
function isTelling(observations: readonly Observation[]): boolean {
  const answers = new Map<string, Set<string>>();
  for (const { played } of observations) {
    const due = JSON.stringify(played?.step.for);
    const { status = 0, text = '' } = played?.received ?? {};
    if (status < 200 || status >= 300) return false;
    answers.set(due, (answers.get(due) ?? new Set()).add(text));
  }
  const texts = [...answers.values()].flatMap(some => [...some]);
  return answers.size > 1 && texts.length === answers.size && new Set(texts).size === texts.length;
}

/** Whether the wiki refuses it as under a reading, with another status: the document gives none. */
function isRefusedUnder({ status, played }: Observation, reading: string): boolean {
  if (played === undefined || familyOf(played.step) !== 'wiki' || !isRefusal(status)) return false;
  const expect = played.step.for?.[reading]?.expect;
  return isToBeRefused(expect) && !isOfAnyStatus(expect);
}

/** A step of a probe, as it would have failed under a reading. */
function failedUnder(played: Played, reading: string, gap: GapId): Played {
  const { step, received, seen = new Map() } = played;
  const expected = step.for?.[reading];
  const found = received === undefined ? [] : answerDifferences(expected?.expect, received, familyOf(step) === 'ppf');
  const says = `is an answer that no reading of ${gap} gives`;
  const differences = [...found, ...seenDifferences(expected?.then, seen)].map(one => ({
    ...one,
    says: `${one.says}, which ${says}`,
  }));
  return { ...played, step: { ...step, ...expected }, outcome: 'failed', differences };
}
