// Plays runs one after the other and shows them: picks the view and the way of stepping, and closes everything on a signal.
import { setTimeout } from 'node:timers/promises';
import { visible } from '../../server/derive/text/visible.js';
import { painterFor } from '../../server/process/colors.js';
import { type OutputStream, type Process, writeLines } from '../../server/process/command-process.js';
import { interruption } from '../../server/process/interruption.js';
import type { Player } from '../../server/scenario/play/player.js';
import type { Results } from '../../server/scenario/play/results.js';
import { type Run, runName } from '../../server/scenario/play/runs.js';
import type { Canvas } from './draw.js';
import { type Key, withKeys } from './keys.js';
import { type CircumstancesOf, demoView, type PlayView, plainView } from './views.js';

/** The runs to play and the view that shows them. */
export interface Play {
  readonly runs: readonly Run[];
  playerFor(run: Run): Player;
  readonly stage: PlayView;
  print(lines: readonly string[]): void;
  readonly results: Results;
}

/** Plays everything. `between` is awaited between any two steps; if `isOver`, nothing more is played. */
export async function playStraight(
  { runs, playerFor, stage, print, results }: Play,
  between: () => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  let isFirst = true;
  for (const [i, run] of runs.entries()) {
    if (isOver()) return;
    results.begins(run);
    print(stage.begins(run, { nth: i + 1, of: runs.length }));
    const player = playerFor(run);
    if (run.loaded.steps.length > 0) await player.begin();
    for (const index of run.loaded.steps.keys()) {
      if (!isFirst) await between();
      if (isOver()) return;
      isFirst = false;
      const played = await player.play(index);
      results.add(run, played);
      print(stage.shows(run, played));
    }
  }
}

/** Wider lines are hard to read. */
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 20;

/** Shows a play and its counts. Returns the signal that ended it, if any. Rejects with `Unreachable`, after the counts. */
export async function perform(
  play: Omit<Play, 'stage' | 'print'>,
  about: CircumstancesOf,
  { pace, isBrief, isJson }: { readonly pace: number | 'step'; readonly isBrief: boolean; readonly isJson: boolean },
  process: Process,
): Promise<NodeJS.Signals | undefined> {
  const { stdin, stdout, env } = process;
  const paint = painterFor(stdout, env);
  const canvas = (): Canvas => ({ width: columnsOf(stdout), paint });
  const print = (lines: readonly string[]) => (isJson ? undefined : writeLines(stdout, lines));
  const stage = stdout.isTTY === true ? demoView(canvas, about, isBrief) : plainView(paint, about);
  const whole: Play = { ...play, stage, print };
  const interrupted = interruption(process);
  let last: Key | undefined;
  try {
    if (pace === 'step')
      await withKeys(stdin, stdout, interrupted.came, next =>
        playStraight(
          whole,
          async () => {
            last = await next();
            if (last !== 'on') play.results.isLeft(placeIn(play));
          },
          () => last === 'end' || last === 'interrupt',
        ),
      );
    else
      await playStraight(
        whole,
        () => setTimeout(pace * 1000, undefined, { signal: interrupted.signal }).catch(() => {}), // aborted: the play ends
        () => interrupted.signal.aborted,
      );
  } finally {
    interrupted.release();
    if (interrupted.signal.aborted) play.results.isLeft(placeIn(play));
    print(stage.ends(play.results));
  }
  return interrupted.signal.reason ?? (last === 'interrupt' ? 'SIGINT' : undefined); // as Ctrl-C ends any command
}

/** `at step 2 of 11`; with the name of the run if there are several. */
function placeIn({ runs, results }: Pick<Play, 'runs' | 'results'>): string {
  const [run, steps] = results.all().at(-1) ?? [];
  if (run === undefined || steps === undefined) return '';
  const where = `at step ${steps.length} of ${run.loaded.steps.length}`;
  return runs.length === 1 ? where : `in ${visible(runName(run))} ${where}`;
}

function columnsOf({ columns = 0 }: OutputStream): number {
  return Math.max(MIN_COLUMNS, Math.min(columns || MAX_COLUMNS, MAX_COLUMNS));
}
