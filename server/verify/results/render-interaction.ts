// One interaction in words: its name, its classification, and if useful its request, answer and differences.
import { visible } from '../../derive/text/visible.js';
import { HIDDEN, isSecretName, redactBody, redactUrl } from '../../engine/journal/secrets.js';
import { shortened } from '../../report/plain.js';
import type { Interaction, WantedState } from '../contract.js';
import { counts, type Exchange, type Verdict } from '../verdict.js';
import {
  askedTexts,
  classificationText,
  decidedText,
  documentTexts,
  guessText,
  guessTexts,
  openTexts,
} from './render-classification.js';

/** Characters shown of a body. */
const LONGEST = 300;
const UNKNOWN = 'It could not be classified by the document, so it fails under --strict.';
/** A parameter of states: the key of a space is not a secret. */
const SPACE_KEY = 'key';
const COLUMN = 'answered'.length + 2;

/** A line with its label. */
export interface Detail {
  readonly about: 'asked' | 'answered' | 'differs' | 'document' | 'decided' | 'guess' | 'at';
  readonly says: string;
}

/** `pushes a filter (given: group exists {"name":"rota"})` */
export function interactionName({ interaction: { description, states } }: Verdict): string {
  const given = states.filter(({ name }) => name !== '').map(stateText);
  return visible(`${description}${given.length === 0 ? '' : ` (given: ${given.join('; ')})`}`);
}

/** The details: few if it passed, all if it counts or failed. */
export function detailsOf(verdict: Verdict, isStrict: boolean): readonly Detail[] {
  const guesses = guessTexts(verdict).map(says => ({ about: 'guess', says }) as const);
  const isShownWhole =
    verdict.outcome !== 'passed' || counts(verdict, isStrict) || verdict.classification.kind === 'contradicts';
  const details: readonly Detail[] = isShownWhole
    ? [...evidenceOf(verdict), ...guesses, ...placeOf(verdict)]
    : [...fromDocument(askedTexts(verdict)), ...guesses];
  return details.map(({ about, says }) => ({ about, says: visible(says) }));
}

function evidenceOf(verdict: Verdict): readonly Detail[] {
  const { interaction, exchange, differences } = verdict;
  const decided = decidedText(verdict);
  return [
    ...askedOf(interaction, exchange),
    ...(exchange === undefined ? [] : [{ about: 'answered', says: answerText(exchange.answer) } as const]),
    ...differences.map(({ says }) => ({ about: 'differs', says }) as const),
    ...fromDocument(documentTexts(verdict)),
    ...(decided === '' ? [] : [{ about: 'decided', says: decided } as const]),
  ];
}

/** Empty if the contract has no request either. */
function askedOf({ request }: Interaction, exchange: Exchange | undefined): readonly Detail[] {
  if (exchange !== undefined) return [{ about: 'asked', says: askedText(exchange.request) }];
  return request === '' ? [] : [{ about: 'asked', says: `${redactUrl(request)}, by the contract` }];
}

function fromDocument(texts: readonly string[]): readonly Detail[] {
  return texts.map(says => ({ about: 'document', says }));
}

function placeOf({ contract: { source }, interaction: { line } }: Verdict): readonly Detail[] {
  return [{ about: 'at', says: line === undefined || isUrl(source) ? source : `${source}:${line}` }];
}

/** Each detail as a line with its label in a column. */
export function detailLines(details: readonly Detail[]): string[] {
  return details.map(({ about, says }) => `${about.padEnd(COLUMN)}${says}`);
}

/** In one line why it failed, or counts although it passed: the difference, then what the document says. */
export function shortReason(verdict: Verdict, isStrict: boolean): string | undefined {
  const { problem, differences, outcome, classification } = verdict;
  if (problem !== undefined) return visible(problem);
  const [first, ...others] = outcome === 'passed' ? [] : differences;
  if (first === undefined && !counts(verdict, isStrict)) return undefined;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const differs = first === undefined ? [] : [`${first.says}${more}`];
  const [said] = classification.kind === 'contradicts' ? documentTexts(verdict) : guessWarning(verdict);
  const reasons = [...differs, ...(said === undefined ? [] : [said])];
  return visible(reasons.length > 0 ? reasons.join(' ') : UNKNOWN);
}

/** The guess that it rests on, which reading would change the outcome, and which part of the contract is the guess; empty if it rests on none. */
export function guessWarning(verdict: Verdict): readonly string[] {
  const guess = guessText(verdict);
  if (guess === undefined) return [];
  const [open] = openTexts(verdict);
  return [
    visible(`It ${classificationText(verdict.classification)}: ${guess}.${open === undefined ? '' : ` ${open}`}`),
  ];
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function stateText(state: WantedState): string {
  const { name, params } = shownState(state);
  return Object.keys(params).length === 0 ? name : `${name} ${JSON.stringify(params)}`;
}

/** A state without passwords and tokens. */
export function shownState({ name, params }: WantedState): WantedState {
  const shown = Object.entries(params).map(
    ([key, value]) => [key, isSecretName(key) && key !== SPACE_KEY ? HIDDEN : value] as const,
  );
  return { name, params: Object.fromEntries(shown) };
}

function askedText({
  method,
  path,
  body,
}: {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}): string {
  return `${method} ${redactUrl(path)}${body === undefined || body === '' ? '' : ` with ${shortened(redactBody(body), LONGEST)}`}`;
}

function answerText({ status, text }: { readonly status: number; readonly text: string }): string {
  return `${status}${text === '' ? ' without a body' : ` ${shortened(redactBody(text), LONGEST)}`}`;
}
