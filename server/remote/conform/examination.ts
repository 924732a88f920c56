// What a run of conform on a server has shown, with its readings; what it shows under another reading, or with some files played again.
import type { GapId, SomeReadings } from '../../operations/gaps/gaps.js';
import { ownFile } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';
import type { Unreachable } from '../../scenario/play/target.js';
import type { Calibration } from '../calibrate/calibrate.js';
import { type Doubt, doubtsIn, type Knowledge, knowledgeOf } from '../calibrate/knowledge.js';
import type { Cleanup } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import type { NamesThere } from '../names/name-map.js';
import { isInTracker, NOTHING, type Shown } from '../target/host-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import { doubtedBy } from './capabilities.js';
import { variation } from './diagnosis/insistence.js';
import type { OwnServer } from './diagnosis/own-server.js';
import { blindFiles, type Controls, controlsOf, type Findings } from './diagnosis/reference.js';
import { playSuite, type Run } from './play-suite.js';

export interface Examination {
  readonly known: SomeReadings;
  readonly calibration?: Calibration;
  readonly cleanups: readonly Cleanup[];
  /** Probes with answers that fit no reading. */
  readonly doubts?: readonly Doubt[];
  /** Absent: the readings could not be determined; `ended` gives the reason. */
  readonly played?: { readonly run: Run; readonly controls: Controls };
  readonly ended?: Unreachable;
}

export interface ExamineOptions {
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
  readonly signal: AbortSignal;
  /** A correct server with the names of the target. */
  readonly own: OwnServer;
  /** Parts of the target that are read through the hosts' resources. Default: none. */
  readonly shown?: Shown;
  /** Number of parallel files or probes. */
  readonly jobs?: number;
}

/** Where an examination takes place. */
export interface Place {
  readonly probes: readonly Planned[];
  readonly suite: readonly Planned[];
  readonly target: RetryingTarget;
  readonly options: ExamineOptions;
}

/** What these files show, held against a correct server and one without effects. */
export async function controlled(
  { files, blind }: Pick<Findings, 'files' | 'blind'>,
  knowledge: Knowledge,
  { suite, target, options: { names, own, run, shown = NOTHING } }: Place,
  doubts: readonly Doubt[],
): Promise<Controls> {
  const inTracker = new Set<string>();
  for (const user of doubtedBy(files, names.adminThere))
    if (await isInTracker({ target, names, run }, user)) inTracker.add(user);
  const found = {
    files,
    blind,
    known: knowledge.known,
    shown,
    names,
    doubts,
    chance: target.chances[0],
    hindered: (knowledge.calibration?.findings ?? []).flatMap(one => ('isHindered' in one ? [one] : [])),
    isUnsettled: ({ received }: Played) => target.isUnsettled(received),
    inTracker,
  };
  const controls = { ...(await controlsOf(suite, found, own)), inTracker };
  const varied = controls.diagnosis && (await variation(controls.diagnosis, target));
  return varied === undefined ? controls : { unsound: new Map(), blind: controls.blind, chance: varied };
}

/** The same under another reading: only the files that it concerns are played again. */
export async function underReadings(
  assumed: SomeReadings,
  { known: first, played, doubts = [] }: Examination,
  place: Place,
): Promise<Examination> {
  const { probes, suite, target, options } = place;
  const gaps = Object.keys(assumed) as GapId[]; // readings of these
  const asked = repeatable(probes);
  const kept = Object.entries(first).filter(([gap]) => !asked.some(({ written }) => written.gap === gap));
  const knowledge = await knowledgeOf(asked, target, {
    ...options,
    assumed: { ...(Object.fromEntries(kept) as SomeReadings), ...assumed },
  });
  const { known, cleanup, ended } = knowledge;
  if (ended !== undefined || played === undefined) return { known, cleanups: [cleanup] };
  const failed = new Set(played.run.files.filter(hasFailed).map(({ loaded }) => ownFile(loaded)));
  const again = repeatable(suite).filter(
    ({ written }) =>
      failed.has(ownFile(written)) ||
      written.steps.some(({ readings = {} }) => gaps.some(gap => readings[gap] !== undefined)),
  );
  const second = await playSuite(again, { ...options, target, known });
  const replayed = new Map(second.files.map(file => [ownFile(file.loaded), file]));
  const files = played.run.files.map(file => replayed.get(ownFile(file.loaded)) ?? file);
  const isAskedAnew = ({ gap }: Doubt) =>
    assumed[gap] === undefined && asked.some(({ written }) => written.gap === gap);
  const unasked = doubts
    .filter(doubt => !isAskedAnew(doubt))
    .map(doubt => doubt.under(assumed[doubt.gap] ?? doubt.reading));
  const other = await examined({ ...second, files }, knowledge, place, unasked);
  return { ...other, cleanups: [cleanup, second.cleanup] };
}

/** What a run with these readings shows. `earlier`: probes that were played before, and not again. */
export async function examined(
  run: Run,
  knowledge: Knowledge,
  place: Place,
  earlier: readonly Doubt[] = [],
): Promise<Examination> {
  const { suite, options, probes } = place;
  const doubts = [...doubtsIn(knowledge, probes), ...earlier];
  const { known } = knowledge;
  const blind = await blindFiles(suite, { known, shown: options.shown ?? NOTHING }, options.own);
  const controls = await controlled({ files: run.files, blind }, knowledge, place, doubts);
  return { known, cleanups: [], doubts, played: { run, controls } };
}

function hasFailed({ played }: Run['files'][number]): boolean {
  return played.some(({ outcome }) => outcome === 'failed');
}

/** A file that creates a space cannot be played twice in a run. */
export function repeatable(planned: readonly Planned[]): readonly Planned[] {
  return planned.filter(({ changes }) => changes.every(some => some.every(({ kind }) => kind !== 'space')));
}
