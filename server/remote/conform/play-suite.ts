// Plays the suite on a server that is not ours, file by file, and puts back what each file has changed.
// Judges nothing and asks nobody: whether anything may be changed has been settled before.

import { type Played, Player } from '../../scenario/play/player.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Change, each, isTakenBack } from '../changes.js';
import { type Cleanup, cleanUp, type Surroundings } from '../cleanup.js';
import type { Planned } from '../plan.js';
import type { PlayedFile } from './played-file.js';

export interface Run {
  readonly files: readonly PlayedFile[];
  readonly cleanup: Cleanup;
  /** Why it was not played to its end, where that was so. */
  readonly ended?: 'interrupted' | Unreachable;
}

export interface RunSettings extends Surroundings {
  /** What `${run}` stands for. */
  readonly run: string;
  /** Ends it after the request that is under way. */
  readonly signal?: AbortSignal;
}

/** As often in a row may a server leave a file without an answer before it counts as gone. */
const MOST_SILENT = 2;

export async function playSuite(planned: readonly Planned[], settings: RunSettings): Promise<Run> {
  const files: PlayedFile[] = [];
  const left: string[] = [];
  const stays: Change[] = [];
  let silent = 0;
  const clean = async (changes: readonly Change[]) => {
    const cleanup = await cleanUp(changes, settings);
    stays.push(...cleanup.stays);
    return cleanup.left;
  };
  // What is put back afterwards is brought about before, so that every file finds the world it is written for.
  await clean(each(planned.flatMap(({ changes }) => changes.flat())).filter(isTakenBack));
  for (const one of planned) {
    if (settings.signal?.aborted) break;
    const { file, changed, failure } = await playFile(one, settings);
    files.push(file);
    left.push(...(await clean(changed)));
    silent = failure === undefined ? 0 : silent + 1;
    if (failure !== undefined && silent >= MOST_SILENT) return { files, cleanup: { stays, left }, ended: failure };
  }
  const cleanup = { stays, left: [...new Set(left)] };
  return { files, cleanup, ...(settings.signal?.aborted && { ended: 'interrupted' as const }) };
}

interface PlayedOnce {
  readonly file: PlayedFile;
  /** What may have been changed. */
  readonly changed: readonly Change[];
  readonly failure?: Unreachable;
}

async function playFile({ mapped, changes }: Planned, settings: RunSettings): Promise<PlayedOnce> {
  const { loaded, reasons } = mapped;
  const { target, names, known, run, signal } = settings;
  const player = new Player(loaded, target, { passwords: names.passwords, known, run });
  await player.begin();
  const started = performance.now();
  const played: Played[] = [];
  const changed: Change[] = [];
  const unplayable = new Set(reasons.keys());
  const end = (ended?: string) => ({
    loaded,
    played,
    unplayable,
    duration: performance.now() - started,
    ...(ended !== undefined && { ended }),
  });
  for (const [i, step] of loaded.steps.entries()) {
    if (signal?.aborted) return { file: end('it was interrupted'), changed };
    const why = reasons.get(i);
    if (why !== undefined) {
      const line = loaded.lineOf(['steps', i]);
      played.push({ index: i, line, step, outcome: 'skipped', why, differences: [], unchecked: [], duration: 0 });
      continue;
    }
    try {
      const one = await player.play(i);
      played.push(one);
      if (one.sent !== undefined) changed.push(...happened(changes[i] ?? [], one));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      changed.push(...(changes[i] ?? []));
      return { file: end(`the server gave no answer to ${JSON.stringify(step.say)}`), changed, failure: error };
    }
  }
  return { file: end(), changed };
}

/** What is put back may be more than what happened; what stays is told only where the answer does not say that nothing happened. */
function happened(changes: readonly Change[], { received }: Played): readonly Change[] {
  const isRefused = (received?.status ?? 0) >= 400;
  return isRefused ? changes.filter(isTakenBack) : changes;
}
