// One step for people: its text, request, response, changes of the world, what decided, and what was checked or the evidence of its failure. Returns painted
// lines.
import { counted } from '../../server/derive/text/counted.js';
import { factText } from '../../server/derive/text/fact-text.js';
import { visible } from '../../server/derive/text/visible.js';
import type { Fact } from '../../server/domain/facts.js';
import { bodyOf } from '../../server/engine/patterns/match.js';
import { isOfEveryAddress } from '../../server/operations/address.js';
import { rules } from '../../server/operations/catalog/catalog.js';
import { gapSpec, isGapId } from '../../server/operations/gaps/gaps.js';
import { isAddressGap } from '../../server/operations/provenance.js';
import type { TextStyle } from '../../server/process/colors.js';
import type { As, Step } from '../../server/scenario/format/step-format.js';
import { type Circumstances, evidenceOf, ownGaps, statusText } from '../../server/scenario/play/evidence.js';
import type { Played } from '../../server/scenario/play/player.js';
import type { Run } from '../../server/scenario/play/runs.js';
import { linesOfBody } from './body-lines.js';
import { type Canvas, headed, MARGIN, marked } from './draw.js';
import { hanging, widthOf, wrapped } from './wrap.js';

/** A longer body is not formatted. */
const MAX_PARSED = 20_000;

/** How a step is shown. */
export interface Showing {
  readonly circumstances: Circumstances;
  /** Whether to hide the rules of passed steps, and the readings about addresses. */
  readonly isBrief: boolean;
}

/** Maximum lines of a response's body. */
const MAX_BODY = 12;
/** Maximum lines of a request's body: the result needs room too. */
const MAX_REQUEST = 8;
/** Maximum changes of the world. */
const MAX_FACTS = 8;

/** The lines of a step, within the canvas except for `curl` commands, which stay whole for copying. */
export function stepLines(run: Run, played: Played, { circumstances, isBrief }: Showing, canvas: Canvas): string[] {
  const { index, step, sent, outcome, insight } = played;
  const { width, paint } = canvas;
  const isTried = sent !== undefined || outcome !== 'skipped';
  return [
    ...hanging(` ${String(index + 1).padStart(2)} `, visible(step.say), width).map(line => paint('bold', line)),
    ...(isTried ? changedLines(step, run, canvas) : []),
    ...(sent === undefined ? [] : askedLines({ step, sent }, canvas)),
    ...answeredLines(played, canvas),
    ...factLines(insight?.facts ?? [], run, canvas),
    ...decidedLines(played, isBrief, canvas),
    ...outcomeLines(played, circumstances, canvas),
    '',
  ];
}

function changedLines({ world, clock, reset, readings, call, request }: Step, run: Run, canvas: Canvas): string[] {
  const isLasting = call === undefined && request === undefined;
  const chosen = Object.entries((isLasting && readings) || {}).map(([gap, reading]) => `${gap}=${reading}`);
  const texts = [
    ...(reset ? ['the scenario restarts'] : []),
    ...(clock === undefined ? [] : [clock.startsWith('+') ? `the time advances: ${clock}` : `the time is ${clock}`]),
    ...(chosen.length === 0 ? [] : [`the readings are now: ${chosen.join(', ')}`]),
  ];
  const patched = world === undefined ? [] : [{ type: 'world-patched' as const, patch: world }];
  return [...texts.flatMap(text => marked('◆', text, 'magenta', canvas)), ...factLines(patched, run, canvas)];
}

/** Query and caller go below the request if they do not fit on its line. */
function askedLines({ sent, step }: Required<Pick<Played, 'sent' | 'step'>>, canvas: Canvas): string[] {
  const { method, path, body } = sent;
  const who = `as ${whoAsks(step.as)}`;
  const shown = body === undefined ? [] : bodyLines(body, canvas, MAX_REQUEST);
  if (widthOf(`${MARGIN}→ ${visible(`${method} ${path}`)}  ${who}`) <= canvas.width) {
    const [line = ''] = marked('→', `${method} ${path}`, 'cyan', canvas);
    return [`${line}  ${canvas.paint('dim', who)}`, ...shown];
  }
  const at = path.indexOf('?');
  const [address, query] = at === -1 ? [path, ''] : [path.slice(0, at), path.slice(at).replaceAll('&', ' &')];
  return [
    ...marked('→', `${method} ${address}`, 'cyan', canvas),
    ...(query === '' ? [] : marked(' ', query, 'cyan', canvas)),
    ...marked(' ', who, 'dim', canvas),
    ...shown,
  ];
}

function answeredLines({ received, broken }: Played, canvas: Canvas): string[] {
  if (broken !== undefined) return marked('↯', broken, 'red', canvas);
  if (received === undefined) return [];
  const { status, text } = received;
  const colour: TextStyle = status < 300 ? 'green' : status < 400 ? 'cyan' : 'yellow';
  return [...marked('←', statusText(status), colour, canvas), ...bodyLines(text, canvas, MAX_BODY)];
}

function bodyLines(sent: string | Uint8Array, { width }: Canvas, most: number): string[] {
  if (sent.length === 0) return [];
  const text = typeof sent === 'string' ? sent : `(${sent.length} bytes)`;
  const body = text.length > MAX_PARSED ? text : bodyOf({ text });
  return linesOfBody(body, width - MARGIN.length - 2, most).map(line => `${MARGIN}  ${line}`);
}

function factLines(facts: readonly Fact[], { loaded }: Run, canvas: Canvas): string[] {
  const more = facts.length - MAX_FACTS;
  const shown = facts.slice(0, MAX_FACTS).map(fact => factText(fact, loaded.origin.world));
  return [...shown, ...(more > 0 ? [`and ${more} more changes`] : [])].flatMap(text =>
    marked('◆', text, 'magenta', canvas),
  );
}

/** The rules that the step is about in full, the others by name, and the readings. */
function decidedLines(played: Played, isBrief: boolean, canvas: Canvas): string[] {
  const { insight, outcome } = played;
  if (insight === undefined) return [];
  const { fault, gaps } = insight;
  const isShort = isBrief && outcome !== 'failed';
  const guesses = isShort ? Object.entries(gaps).filter(([gap]) => !isAddressGap(gap)) : ownGaps(gaps);
  return [
    ...(fault === undefined ? [] : headed('fault', fault, ['red', 'reset'], canvas)),
    ...(isShort ? [] : ruleLines(played, insight.rules, canvas)),
    ...guesses.flatMap(([gap, reading]) =>
      headed(`${gap}=${reading}:`, meaningOf(gap, reading), ['dim', 'dim'], canvas),
    ),
  ];
}

function ruleLines({ step, outcome }: Played, all: readonly string[], canvas: Canvas): string[] {
  const applied = ownRules(all);
  const isAbout = (rule: string) => step.proves?.includes(rule) === true;
  const main = outcome === 'passed' && step.proves !== undefined ? step.proves : applied.filter(isAbout);
  const shown = main.length > 0 ? main : applied;
  const others = applied.filter(rule => !shown.includes(rule));
  return [
    ...shown.flatMap(rule => headed(`rule ${rule}:`, rules[rule]?.says ?? '', ['blue', 'reset'], canvas)),
    ...(others.length === 0 ? [] : headed('also', others.join(', '), ['dim', 'dim'], canvas)),
  ];
}

/** Address rules are shown only if there is no other rule. */
function ownRules(applied: readonly string[]): readonly string[] {
  const telling = applied.filter(rule => !isOfEveryAddress(rule));
  return telling.length > 0 ? telling : applied;
}

/** The question of a gap and its answer by a reading. */
export function meaningOf(gap: string, reading: string): string {
  if (!isGapId(gap)) return '';
  const { asks, readings } = gapSpec(gap);
  const means = readings.find(([name]) => name === reading)?.[1] ?? '';
  return means === '' ? asks : `${asks} ${means[0]?.toUpperCase()}${means.slice(1)}.`;
}

function whoAsks(as: As | undefined): string {
  if (as === undefined) return 'anonymous';
  if (typeof as === 'string') return as;
  return 'token' in as ? 'the owner of the token' : `${as.user}, with the password of the step`;
}

/** The last lines of a step. Empty if the step only speaks. */
function outcomeLines(played: Played, circumstances: Circumstances, canvas: Canvas): string[] {
  const { outcome, why = '', unchecked } = played;
  if (outcome === 'skipped') return marked('–', `skipped: ${why}`, 'yellow', canvas);
  const hidden = unchecked.length === 0 ? [] : marked('–', uncheckedText(unchecked), 'yellow', canvas);
  if (outcome === 'failed')
    return [
      ...marked('✘', 'not as expected', 'red', canvas),
      ...hidden,
      ...evidenceLines(played, circumstances, canvas),
    ];
  const parts = checkedParts(played);
  return [...(parts.length === 0 ? [] : marked('✔', `as expected: ${parts.join(', ')}`, 'green', canvas)), ...hidden];
}

/** What a target does not show. */
export function uncheckedText(unchecked: Played['unchecked']): string {
  const parts = unchecked.map(part => (part === 'then' ? 'its world' : 'its rules'));
  return `${unchecked.join(' and ')} not checked: this target does not show ${parts.join(' and ')}`;
}

function checkedParts({ step, unchecked }: Played): string[] {
  const { expect, then, proves = [], for: probes = {} } = step;
  const all = [{ expect, then }, ...Object.values(probes)];
  const isBroken = all.some(one => one.expect?.connection !== undefined);
  const isResponse = !isBroken && all.some(one => one.expect !== undefined);
  const isWorld = all.some(one => one.then !== undefined) && !unchecked.includes('then');
  const isProof = proves.length > 0 && !unchecked.includes('proves');
  return [
    ...(isBroken ? ['the broken connection'] : []),
    ...(isResponse ? ['the response'] : []),
    ...(isWorld ? ['the world'] : []),
    ...(isProof ? [counted(proves.length, 'rule')] : []),
  ];
}

/** The command to repeat the request is on a line of its own, unwrapped, so that it can be copied. */
function evidenceLines(played: Played, circumstances: Circumstances, { width, paint }: Canvas): string[] {
  return evidenceOf(played, circumstances).flatMap(({ about, lines }) => {
    const head = `${MARGIN}  ${about.padEnd(10)}`;
    if (about === 'reproduce') return [paint('dim', head.trimEnd()), ...lines.map(line => `${MARGIN}  ${line}`)];
    const colour: TextStyle = about === 'differs' ? 'red' : 'reset';
    return lines
      .flatMap(line => wrapped(line, width - head.length))
      .map((line, i) => `${i === 0 ? paint('dim', head) : ' '.repeat(head.length)}${paint(colour, line)}`);
  });
}
