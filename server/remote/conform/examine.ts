// One run of conform on a server: readings, suite, and the explanation of failures. If another reading explains failures, the concerned files are
// played again under it, and the smaller explanation wins.

import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { assumedBy, doubtsIn, knowledgeOf } from '../calibrate/knowledge.js';
import { NOTHING } from '../target/host-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import type { Comparison } from './diagnosis/comparison.js';
import type { Diagnosis } from './diagnosis/diagnosis.js';
import { blindFiles, type Controls } from './diagnosis/reference.js';
import { controlled, type Examination, type ExamineOptions, type Place, underReadings } from './examination.js';
import { playSuite } from './play-suite.js';
import { lookedAtAgain } from './second-look.js';

/** Cost of assuming another reading than the probes show. */
const OTHER_READING = 3;

export async function examine(
  planned: Pick<Place, 'probes' | 'suite'>,
  target: RetryingTarget,
  options: ExamineOptions,
): Promise<Examination> {
  const place = { ...planned, target, options };
  const { probes, suite } = planned;
  const calibrated = await knowledgeOf(probes, target, options);
  const { calibration, cleanup, ended } = calibrated;
  const doubts = doubtsIn(calibrated, probes);
  const known: SomeReadings = { ...assumedBy(doubts), ...calibrated.known };
  const knowledge = { ...calibrated, known };
  if (ended !== undefined) return { known, cleanups: [cleanup], ended };
  const { own, shown = NOTHING } = options;
  const [played, blind] = await Promise.all([
    playSuite(suite, { ...options, target, known }),
    blindFiles(suite, { known, shown }, own), // while the other server is waited for
  ]);
  const controls = await controlled({ files: played.files, blind }, knowledge, place, doubts);
  let best: Examination = {
    known,
    doubts,
    ...(calibration !== undefined && { calibration }),
    cleanups: [cleanup, played.cleanup],
    played: { run: played, controls },
  };
  if (played.ended !== undefined) return best;
  let least = controls.diagnosis?.cost ?? 0;
  for (const { assumed, isOfDistortion } of controls.otherReadings ?? []) {
    const other = await underReadings(assumed, best, place);
    const { diagnosis } = other.played?.controls ?? {};
    const isDistorted = !isOfDistortion || (diagnosis?.broken.size ?? 0) > 0;
    const cost = (diagnosis?.cost ?? 0) + OTHER_READING;
    const cleanups = [...best.cleanups, ...other.cleanups];
    if (!isDistorted || cost >= least || !leavesOutNothing(other, controls)) best = { ...best, cleanups };
    else [best, least] = [{ ...other, cleanups }, cost];
  }
  return best.played?.controls === controls ? lookedAtAgain(best, knowledge, place) : best;
}

/** Whether all that failed, and was not played again, is still explained: a reading must not win because it would not have asked for it. */
function leavesOutNothing({ played }: Examination, { diagnosis }: Controls): boolean {
  if (played === undefined) return false;
  const { run, controls } = played;
  const kept = new Set(run.files.flatMap(file => file.played));
  const explained = new Set(failuresIn(controls.diagnosis).map(one => one.played));
  return failuresIn(diagnosis).every(
    one => !kept.has(one.played) || explained.has(one.played) || controls.unsound.get(one.file)?.has(one.played.index),
  );
}

function failuresIn(diagnosis: Diagnosis | undefined): readonly Comparison[] {
  return [...(diagnosis?.broken.values() ?? []), diagnosis?.unexplained ?? []].flat();
}
