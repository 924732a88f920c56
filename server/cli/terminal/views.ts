// Where a play is shown: as a demo for people who watch a terminal, or line by line for a file, a pipe, a log of CI.
// Knows nothing of how a scenario is played.
import { visible } from '../../derive/text/visible.js';
import type { Format, Paint } from '../../report/paint.js';
import { type Circumstances, evidenceOf, evidenceText } from '../../scenario/play/evidence.js';
import type { Played, Upcoming } from '../../scenario/play/player.js';
import { type Results, summaryText } from '../../scenario/play/results.js';
import { type Run, runName } from '../../scenario/play/runs.js';
import type { Canvas } from './draw.js';
import { uncheckedText } from './outcome.js';
import { announcedLines, meaningOf, requestLines, resultLines, sceneOf } from './step-view.js';
import { hanging, widthOf, wrapped } from './wrap.js';

/** How far the play has come. */
export interface Place {
  /** From 1. */
  readonly nth: number;
  readonly of: number;
}

export interface Stage {
  begins(run: Run, place: Place): void;
  /** A step that has been played, whole. */
  shows(run: Run, played: Played): void;
  /** The same in three parts: what is said, what is going to be asked, what came of it. */
  announces(run: Run, upcoming: Upcoming): void;
  asks(run: Run, upcoming: Upcoming): void;
  answers(run: Run, played: Played): void;
  ends(results: Results): void;
}

/** What a step of a run was played in. */
export type CircumstancesOf = (run: Run) => Circumstances;

export function demoStage(
  print: (line: string) => void,
  canvas: () => Canvas,
  about: CircumstancesOf,
  isBrief = false,
): Stage {
  const printAll = (lines: readonly string[]) => {
    for (const line of lines) print(line);
  };
  const showing = (run: Run) => ({ circumstances: about(run), isBrief });
  return {
    begins: (run, place) => {
      printAll(titleOf(run, place, canvas()));
    },
    shows: (run, played) => printAll(sceneOf(run, played, showing(run), canvas())),
    announces: (_, upcoming) => printAll(announcedLines(upcoming, canvas())),
    asks: (run, upcoming) => printAll(requestLines(upcoming, run, canvas())),
    answers: (run, played) => printAll(resultLines(run, played, showing(run), canvas())),
    ends: results => {
      const { paint, width } = canvas();
      const isHeld = results.outcome === 'held';
      for (const line of hanging(isHeld ? '✔ ' : '✘ ', summaryText(results), width))
        print(paint(['bold', isHeld ? 'green' : 'red'], line));
    },
  };
}

export function plainStage(print: (line: string) => void, paint: Paint, about: CircumstancesOf): Stage {
  const shows: Stage['shows'] = (run, played) => {
    print(`${paint(colours[played.outcome], marks[played.outcome])} ${plainLine(played)}`);
    if (played.outcome === 'failed')
      for (const line of evidenceText(evidenceOf(played, about(run)))) print(`    ${line}`);
  };
  return {
    begins: (run, { nth, of }) => {
      const name = visible(runName(run));
      print(`${of === 1 ? '' : `[${nth}/${of}] `}${name}: ${visible(run.loaded.title)}`);
      if (run.loaded.steps.length === 0) print('– it has no steps');
    },
    shows,
    announces: () => {},
    asks: () => {},
    answers: shows,
    ends: results => print(summaryText(results)),
  };
}

const marks: Readonly<Record<Played['outcome'], string>> = { held: '✔', failed: '✘', skipped: '–' };
const colours: Readonly<Record<Played['outcome'], Format>> = { held: 'green', failed: 'red', skipped: 'yellow' };

/** `1 The admin pushes a filter · 200 ppf.push`. */
function plainLine({ index, step, why, sent, received, broken, unchecked }: Played): string {
  const asked = step.call ?? (sent === undefined ? '' : `${sent.method} ${sent.path.split('?', 1)[0]}`);
  return [
    `${index + 1} ${visible(step.say)}`,
    ...(received === undefined ? [] : [visible(`${received.status} ${asked}`)]),
    ...(broken === undefined ? [] : [visible(`broken off ${asked}`)]),
    ...(why === undefined ? [] : [visible(`skipped: ${why}`)]),
    ...(unchecked.length === 0 ? [] : [uncheckedText(unchecked)]),
  ].join(' · ');
}

function titleOf({ loaded, probed }: Run, { nth, of }: Place, { width, paint }: Canvas): string[] {
  const place = of === 1 ? '' : ` ${nth} of ${of} ──`;
  const title = wrapped(visible(loaded.title), width - 6 - place.length);
  const [first = '', ...rest] = title;
  const line = '─'.repeat(Math.max(0, width - widthOf(first) - 4 - place.length));
  const reading = probed && `${probed.gap}=${probed.reading}: ${meaningOf(probed.gap, probed.reading)}`;
  return [
    `${paint('dim', '──')} ${paint(['bold', 'cyan'], first)} ${paint('dim', `${line}${place}`)}`,
    ...rest.map(more => `   ${paint(['bold', 'cyan'], more)}`),
    ...(loaded.about === ''
      ? []
      : wrapped(visible(loaded.about), width - 3).map(text => `   ${paint('italic', text)}`)),
    ...(reading === undefined ? [] : hanging('   under ', visible(reading), width).map(text => paint('yellow', text))),
    ...(loaded.steps.length === 0 ? ['   It has no steps.'] : []),
    '',
  ];
}
