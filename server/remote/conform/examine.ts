// One run of conform on a server: readings, suite, and the explanation of failures. If another reading explains failures, the concerned files are
// played again under it, and the smaller explanation wins.
import { knowledgeOf } from '../calibrate/knowledge.js';
import { NOTHING } from '../target/host-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import { blindFiles } from './diagnosis/reference.js';
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
  const knowledge = await knowledgeOf(probes, target, options);
  const { known, calibration, cleanup, ended } = knowledge;
  if (ended !== undefined) return { known, cleanups: [cleanup], ended };
  const { own, shown = NOTHING } = options;
  const [played, blind] = await Promise.all([
    playSuite(suite, { ...options, target, known }),
    blindFiles(suite, { known, shown }, own), // while the other server is waited for
  ]);
  const controls = await controlled({ files: played.files, blind }, knowledge, place);
  let best: Examination = {
    known,
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
    if (other.played === undefined || !isDistorted || cost >= least) best = { ...best, cleanups };
    else [best, least] = [{ ...other, cleanups }, cost];
  }
  return best.played?.controls === controls ? lookedAtAgain(best, knowledge, place) : best;
}
