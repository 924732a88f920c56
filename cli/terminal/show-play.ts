// Shows a play: picks the view and the way of stepping, and closes everything on a signal.
import { setTimeout } from 'node:timers/promises';
import { visible } from '../../server/derive/text/visible.js';
import { painterFor } from '../../server/process/colors.js';
import { type OutputStream, type Process, writeLine } from '../../server/process/command-process.js';
import { interruption } from '../../server/process/interruption.js';
import { runName } from '../../server/scenario/play/runs.js';
import { type Play, playStraight } from './continuous.js';
import type { Canvas } from './draw.js';
import { type Key, withKeys } from './keys.js';
import { type CircumstancesOf, demoView, plainView } from './views.js';

/** Wider lines are hard to read. */
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 20;

/** Shows a play and its counts. Returns the signal that ended it, if any. Rejects with `Unreachable`, after the counts. */
export async function perform(
  play: Omit<Play, 'stage'>,
  about: CircumstancesOf,
  { pace, isBrief }: { readonly pace: number | 'step'; readonly isBrief: boolean },
  process: Process,
): Promise<NodeJS.Signals | undefined> {
  const { stdin, stdout, env } = process;
  const paint = painterFor(stdout, env);
  const canvas = (): Canvas => ({ width: columnsOf(stdout), paint });
  const print = (line: string) => writeLine(stdout, line);
  const stage = stdout.isTTY === true ? demoView(print, canvas, about, isBrief) : plainView(print, paint, about);
  const whole: Play = { ...play, stage };
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
    stage.ends(play.results);
  }
  return interrupted.signal.reason ?? (last === 'interrupt' ? 'SIGINT' : undefined); // as Ctrl-C ends any command
}

/** `at step 2 of 11`; with the name of the run if there are several. */
function placeIn({ runs, results }: Omit<Play, 'stage'>): string {
  const [run, steps] = results.all().at(-1) ?? [];
  if (run === undefined || steps === undefined) return '';
  const where = `at step ${steps.length} of ${run.loaded.steps.length}`;
  return runs.length === 1 ? where : `in ${visible(runName(run))} ${where}`;
}

function columnsOf({ columns = 0 }: OutputStream): number {
  return Math.max(MIN_COLUMNS, Math.min(columns || MAX_COLUMNS, MAX_COLUMNS));
}
