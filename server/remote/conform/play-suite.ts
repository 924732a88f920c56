// Plays the suite on a foreign server, file by file, and undoes the changes of each part of a file. Consent has been given before.

import type { Target, Unreachable } from '../../scenario/play/target.js';
import { type Change, each, isTakenBack } from '../changes/changes.js';
import { type Cleanup, cleanUp } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import { withRetries } from '../target/retrying-target.js';
import { lanesOf, type Release, sideBySide, USUAL_JOBS } from '../target/side-by-side.js';
import { FileRun, type FileSettings } from './file-run.js';
import type { PlayedFile } from './played-file.js';
import { type Part, StepOrder } from './step-order.js';

export interface Run {
  readonly files: readonly PlayedFile[];
  readonly cleanup: Cleanup;
  /** Why it ended early, if it did. */
  readonly ended?: 'interrupted' | Unreachable;
}

export interface RunSettings extends Omit<FileSettings, 'target'> {
  readonly target: Target;
  /** Number of parallel parts. */
  readonly jobs?: number;
}

/** Files in a row without an answer before the server counts as gone. */
const MAX_SILENT = 2;

export async function playSuite(
  planned: readonly Planned[],
  { jobs = USUAL_JOBS, ...given }: RunSettings,
): Promise<Run> {
  const settings = { ...given, target: withRetries(given.target) };
  const lane = lanesOf(settings.target, jobs);
  const files = planned.map(one => {
    const order = new StepOrder(one, settings);
    const depth = Math.max(0, ...order.parts.map(part => part.depth));
    return new FileRun(one, order, { ...settings, target: lane(depth) });
  });
  const left: string[] = [];
  const stays: Change[] = [];
  const silent = new Set<FileRun>();
  let ended: Unreachable | undefined;
  const clean = async (changes: readonly Change[]) => {
    const cleanup = await cleanUp(changes, settings);
    stays.push(...cleanup.stays);
    left.push(...cleanup.left);
  };
  const play = async (file: FileRun, part: Part, release: Release) => {
    if (settings.signal?.aborted || ended !== undefined) return;
    const { changed, failure } = await file.play(part, release);
    await clean(changed);
    if (failure === undefined) silent.clear();
    else if (silent.add(file).size >= MAX_SILENT) ended = failure;
  };
  // The state that is restored afterwards is also set up before, so that every part finds the world it needs.
  await cleanUp(each(planned.flatMap(({ changes }) => changes.flat())).filter(isTakenBack), settings);
  await sideBySide(
    files
      .flatMap(file => file.parts.map(part => ({ file, part })))
      .sort((a, b) => b.part.depth - a.part.depth) // the long ones first: the short ones fit beside them
      .map(({ file, part }) => ({ touched: part.touched, run: release => play(file, part, release) })),
    jobs,
  );
  const run = {
    files: await Promise.all(files.filter(({ isBegun }) => isBegun).map(file => file.result())),
    cleanup: { stays, left: [...new Set(left)] },
  };
  if (ended !== undefined) return { ...run, ended };
  return { ...run, ...(settings.signal?.aborted && { ended: 'interrupted' as const }) };
}
