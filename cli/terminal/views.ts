// Views of a play: a demo in a terminal, or plain lines for a file, a pipe or a CI log.

import { checkOfScenario } from '../../harness/report/played.js';
import { checkLines, verdictMarks } from '../../harness/report/render-checks.js';
import { visible } from '../../server/derive/text/visible.js';
import type { Paint } from '../../server/process/colors.js';
import type { Circumstances } from '../../server/scenario/play/evidence.js';
import type { Played } from '../../server/scenario/play/player.js';
import { type Results, summaryText } from '../../server/scenario/play/results.js';
import { type Run, runName } from '../../server/scenario/play/runs.js';
import type { Canvas } from './draw.js';
import { meaningOf, stepLines, uncheckedText } from './step-view.js';
import { hanging, widthOf, wrapped } from './wrap.js';

/** Progress of the play. */
export interface StepPlace {
  /** From 1. */
  readonly nth: number;
  readonly of: number;
}

/** The lines to print. */
export interface PlayView {
  begins(run: Run, place: StepPlace): readonly string[];
  /** A played step. */
  shows(run: Run, played: Played): readonly string[];
  ends(results: Results): readonly string[];
}

/** The circumstances of a step. */
export type CircumstancesOf = (run: Run) => Circumstances;

export function demoView(canvas: () => Canvas, about: CircumstancesOf, isBrief = false): PlayView {
  return {
    begins: (run, place) => titleOf(run, place, canvas()),
    shows: (run, played) => stepLines(run, played, { circumstances: about(run), isBrief }, canvas()),
    ends: results => endingOf(results, canvas()),
  };
}

export function plainView(paint: Paint, about: CircumstancesOf): PlayView {
  return {
    begins: (run, { nth, of }) => [
      `${of === 1 ? '' : `[${nth}/${of}] `}${visible(runName(run))}: ${visible(run.loaded.title)}`,
      ...(run.loaded.steps.length === 0 ? ['– no steps'] : []),
    ],
    shows: (run, played) =>
      checkLines({ ...checkOfScenario(run, played, about(run)), remark: remarkOn(played) }, paint),
    ends: results => endingOf(results, { width: Number.POSITIVE_INFINITY, paint }),
  };
}

/** `✔ 1 scenario, 3 steps passed, 0 failed, 0 skipped` */
function endingOf(results: Results, { width, paint }: Canvas): string[] {
  const { outcome } = results;
  const [mark, format] = verdictMarks[outcome === 'empty' ? 'undetermined' : outcome];
  return hanging(`${mark} `, summaryText(results), width).map(line => paint(['bold', format], line));
}

/** `200 ppf.push`; empty: the step only speaks. */
function remarkOn({ step, why, sent, received, broken, unchecked }: Played): string {
  const asked = step.call ?? (sent === undefined ? '' : `${sent.method} ${sent.path.split('?', 1)[0]}`);
  return [
    ...(received === undefined ? [] : [`${received.status} ${asked}`]),
    ...(broken === undefined ? [] : [`connection broken: ${asked}`]),
    ...(why === undefined ? [] : [`skipped: ${why}`]),
    ...(unchecked.length === 0 ? [] : [uncheckedText(unchecked)]),
  ].join(' · ');
}

function titleOf({ loaded, probed }: Run, { nth, of }: StepPlace, { width, paint }: Canvas): string[] {
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
    ...(loaded.steps.length === 0 ? ['   No steps.'] : []),
    '',
  ];
}
