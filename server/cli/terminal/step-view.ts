// One step as a scene for people who watch: what is said, asked and answered, what then changed in the world, and what decided it.
// Gives painted lines; knows no terminal and no time.
import { factText } from '../../derive/fact-text.js';
import { visible } from '../../derive/visible.js';
import type { Fact } from '../../domain/facts.js';
import { rules } from '../../operations/catalog.js';
import { gapSpec, isGapId } from '../../operations/gaps.js';
import type { Format } from '../../report/paint.js';
import type { As } from '../../scenario/format/step-format.js';
import { type Circumstances, statusText } from '../../scenario/play/evidence.js';
import { bodyOf } from '../../scenario/play/judging.js';
import type { Played } from '../../scenario/play/player.js';
import type { Run } from '../../scenario/play/runs.js';
import { linesOfBody } from './body-lines.js';
import { type Canvas, headed, MARGIN, marked } from './draw.js';
import { outcomeLines } from './outcome.js';
import { hanging, widthOf } from './wrap.js';

const MOST_FACTS = 8;
/** A longer body is shown as the text that it is. */
const MOST_PARSED = 20_000;

/** The lines of a step. Each ends within the canvas, but for those of `curl`: they stay whole to be copied. */
export function sceneOf(run: Run, played: Played, circumstances: Circumstances, canvas: Canvas): string[] {
  const head = ` ${String(played.index + 1).padStart(2)} `;
  return [
    ...hanging(head, visible(played.step.say), canvas.width).map(line => canvas.paint('bold', line)),
    ...changedLines(played, run, canvas),
    ...askedLines(played, canvas),
    ...answeredLines(played, canvas),
    ...factLines(played.insight?.facts ?? [], run, canvas),
    ...decidedLines(played, canvas),
    ...outcomeLines(played, circumstances, canvas),
    '',
  ];
}

/** What the step itself has changed in the world before it asks. */
function changedLines({ step, outcome }: Played, run: Run, canvas: Canvas): string[] {
  if (step.world === undefined || outcome === 'skipped') return [];
  return factLines([{ type: 'world-patched', patch: step.world }], run, canvas);
}

/** Where there is no room on the line of the request, its query and who asks stand below it. */
function askedLines({ sent, step }: Played, canvas: Canvas): string[] {
  if (sent === undefined) return [];
  const { method, path, body } = sent;
  const who = `as ${whoAsks(step.as)}`;
  const told = body === undefined ? [] : bodyLines(body, canvas);
  if (widthOf(`${MARGIN}→ ${visible(`${method} ${path}`)}  ${who}`) <= canvas.width) {
    const [line = ''] = marked('→', `${method} ${path}`, 'cyan', canvas);
    return [`${line}  ${canvas.paint('dim', who)}`, ...told];
  }
  const at = path.indexOf('?');
  const [address, query] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at).replaceAll('&', ' &')];
  return [
    ...marked('→', `${method} ${address}`, 'cyan', canvas),
    ...(query === '' ? [] : marked(' ', query, 'cyan', canvas)),
    ...marked(' ', who, 'dim', canvas),
    ...told,
  ];
}

function answeredLines({ received, broken }: Played, canvas: Canvas): string[] {
  if (broken !== undefined) return marked('↯', broken, 'red', canvas);
  if (received === undefined) return [];
  const { status, text } = received;
  const colour: Format = status < 300 ? 'green' : status < 400 ? 'cyan' : 'yellow';
  return [...marked('←', statusText(status), colour, canvas), ...bodyLines(text, canvas)];
}

function bodyLines(sent: string | Uint8Array, { width }: Canvas): string[] {
  if (sent.length === 0) return [];
  const text = typeof sent === 'string' ? sent : `(${sent.length} bytes)`;
  const body = text.length > MOST_PARSED ? text : bodyOf({ text });
  return linesOfBody(body, width - MARGIN.length - 2).map(line => `${MARGIN}  ${line}`);
}

function factLines(facts: readonly Fact[], { loaded }: Run, canvas: Canvas): string[] {
  const more = facts.length - MOST_FACTS;
  const shown = facts.slice(0, MOST_FACTS).map(fact => factText(fact, loaded.origin.world));
  return [...shown, ...(more > 0 ? [`and ${more} more changes`] : [])].flatMap(text =>
    marked('◆', text, 'magenta', canvas),
  );
}

/** The rules that the step is about, in full; of the others only the names. */
function decidedLines({ insight, step, outcome }: Played, canvas: Canvas): string[] {
  if (insight === undefined) return [];
  const { gaps, fault } = insight;
  const applied = tellingRules(insight.rules);
  const isAbout = (rule: string) => step.proves?.includes(rule) === true;
  const main = outcome === 'held' && step.proves !== undefined ? step.proves : applied.filter(isAbout);
  const told = main.length > 0 ? main : applied;
  const others = applied.filter(rule => !told.includes(rule));
  return [
    ...(fault === undefined ? [] : headed('fault', fault, ['red', 'reset'], canvas)),
    ...told.flatMap(rule => headed(`rule ${rule}:`, rules[rule]?.says ?? '', ['blue', 'reset'], canvas)),
    ...(others.length === 0 ? [] : headed('also', others.join(', '), ['dim', 'dim'], canvas)),
    ...Object.entries(gaps).flatMap(([gap, reading]) =>
      headed(`reads ${gap} as ${reading}:`, meaningOf(gap, reading), ['dim', 'dim'], canvas),
    ),
  ];
}

/** Where an operation is found is said only where nothing else is. */
function tellingRules(applied: readonly string[]): readonly string[] {
  const telling = applied.filter(rule => !rule.startsWith('address.'));
  return telling.length > 0 ? telling : applied;
}

/** What a reading means; where that is a mere yes or no, behind the question. */
export function meaningOf(gap: string, reading: string): string {
  if (!isGapId(gap)) return '';
  const { asks, readings } = gapSpec(gap);
  const means = readings.find(([name]) => name === reading)?.[1] ?? '';
  return means.length < 20 ? `${asks} ${means}`.trim() : means;
}

function whoAsks(as: As | undefined): string {
  if (as === undefined) return 'anonymous';
  if (typeof as === 'string') return as;
  return 'token' in as ? 'whoever has the token' : `${as.user}, with a password of the step`;
}
