// One run of conform on a server: readings, suite, and the explanation of failures. If another reading explains failures, the concerned files are
// played again under it, and the smaller explanation wins.
import type { GapId, SomeReadings } from '../../operations/gaps/gaps.js';
import type { Played } from '../../scenario/play/player.js';
import type { Unreachable } from '../../scenario/play/target.js';
import type { Calibration } from '../calibrate/calibrate.js';
import { doubtsIn, type Knowledge, knowledgeOf } from '../calibrate/knowledge.js';
import type { Cleanup } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import type { NamesThere } from '../names/name-map.js';
import { NOTHING, type Shown } from '../target/host-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import { variation } from './diagnosis/insistence.js';
import type { OwnServer } from './diagnosis/own-server.js';
import { blindFiles, type Controls, controlsOf, type Findings } from './diagnosis/reference.js';
import { playSuite, type Run } from './play-suite.js';

export interface Examination {
  readonly known: SomeReadings;
  readonly calibration?: Calibration;
  readonly cleanups: readonly Cleanup[];
  /** Absent: the readings could not be determined; `ended` gives the reason. */
  readonly played?: { readonly run: Run; readonly controls: Controls };
  readonly ended?: Unreachable;
}

export interface Examined {
  readonly probes: readonly Planned[];
  readonly suite: readonly Planned[];
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

/** Cost of assuming another reading than the probes show. */
const OTHER_READING = 3;

export async function examine(
  { probes, suite }: Examined,
  target: RetryingTarget,
  options: ExamineOptions,
): Promise<Examination> {
  const knowledge = await knowledgeOf(probes, target, options);
  const { known, calibration, cleanup, ended } = knowledge;
  if (ended !== undefined) return { known, cleanups: [cleanup], ended };
  const { own, shown = NOTHING } = options;
  const [played, blind] = await Promise.all([
    playSuite(suite, { ...options, target, known }),
    blindFiles(suite, { known, shown }, own), // while the other server is waited for
  ]);
  const { files } = played;
  const controls = await controlled(suite, { files, blind }, knowledge, { probes, target, options });
  let best: Examination = {
    known,
    ...(calibration !== undefined && { calibration }),
    cleanups: [cleanup, played.cleanup],
    played: { run: played, controls },
  };
  if (played.ended !== undefined) return best;
  let least = controls.diagnosis?.cost ?? 0;
  for (const { assumed, isOfDistortion } of controls.otherReadings ?? []) {
    const other = await under(assumed, best, { probes, suite, target, options });
    const { diagnosis } = other.played?.controls ?? {};
    const isDistorted = !isOfDistortion || (diagnosis?.broken.size ?? 0) > 0;
    const cost = (diagnosis?.cost ?? 0) + OTHER_READING;
    const cleanups = [...best.cleanups, ...other.cleanups];
    if (other.played === undefined || !isDistorted || cost >= least) best = { ...best, cleanups };
    else [best, least] = [{ ...other, cleanups }, cost];
  }
  return best;
}

interface Around extends Pick<Examined, 'probes'> {
  readonly target: RetryingTarget;
  readonly options: ExamineOptions;
}

async function controlled(
  suite: readonly Planned[],
  { files, blind }: Pick<Findings, 'files' | 'blind'>,
  knowledge: Knowledge,
  { probes, target, options: { names, own, shown = NOTHING } }: Around,
): Promise<Controls> {
  const doubts = doubtsIn(knowledge, probes);
  const isUnsettled = ({ received }: Played) => target.isUnsettled(received);
  const chance = target.chances[0];
  const hindered = (knowledge.calibration?.findings ?? []).flatMap(one => ('isHindered' in one ? [one.gap] : []));
  const findings = { files, blind, known: knowledge.known, shown, names, doubts, chance, hindered, isUnsettled };
  const controls = await controlsOf(suite, findings, own);
  const varied = controls.diagnosis && (await variation(controls.diagnosis, target));
  return varied === undefined ? controls : { unsound: new Map(), blind: controls.blind, chance: varied };
}

/** The same under another reading: only the files that it concerns are played again. */
async function under(assumed: SomeReadings, { played }: Examination, around: Around & Examined): Promise<Examination> {
  const { probes, suite, target, options } = around;
  const gaps = Object.keys(assumed) as GapId[]; // readings of these
  const knowledge = await knowledgeOf(repeatable(probes), target, { ...options, assumed });
  const { known, cleanup, ended } = knowledge;
  if (ended !== undefined || played === undefined) return { known, cleanups: [cleanup] };
  const isConcerned = ({ written }: Planned) =>
    written.steps.some(({ readings = {} }) => gaps.some(gap => readings[gap] !== undefined)) ||
    played.run.files.some(
      file => file.loaded.files[0] === written.files[0] && file.played.some(({ outcome }) => outcome === 'failed'),
    );
  const again = repeatable(suite).filter(isConcerned);
  const [second, blind] = await Promise.all([
    playSuite(again, { ...options, target, known }),
    blindFiles(suite, { known, shown: options.shown ?? NOTHING }, options.own),
  ]);
  const files = played.run.files.map(
    file => second.files.find(other => other.loaded.files[0] === file.loaded.files[0]) ?? file,
  );
  const whole = { ...second, files };
  const controls = await controlled(suite, { files, blind }, knowledge, around);
  return { known, cleanups: [cleanup, second.cleanup], played: { run: whole, controls } };
}

/** A file that creates a space cannot be played twice in a run. */
function repeatable(planned: readonly Planned[]): readonly Planned[] {
  return planned.filter(({ changes }) => changes.every(some => some.every(({ kind }) => kind !== 'space')));
}
