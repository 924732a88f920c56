// Shows a play: picks the view and the way of stepping, and closes everything on a signal.
import { setTimeout } from 'node:timers/promises';
import { type Output, type Process, writeLine } from '../../process/command-process.js';
import { interruption } from '../../process/interruption.js';
import { painterFor } from '../../report/paint.js';
import { type Play, playStraight } from './continuous.js';
import type { Canvas } from './draw.js';
import type { Key } from './keys.js';
import { playStepwise } from './stepping.js';
import { withTerminal } from './terminal.js';
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
      last = await withTerminal(stdin, stdout, canvas, interrupted.came, (keys, prompt) =>
        playStepwise(whole, keys, prompt),
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

function columnsOf({ columns = 0 }: Output): number {
  return Math.max(MIN_COLUMNS, Math.min(columns || MAX_COLUMNS, MAX_COLUMNS));
}
