// One interaction in words: what it is called, where it stands, and, where that is worth telling, what was asked, answered and made of it.
// Knows no terminal and no format of reports.
import { visible } from '../../derive/text/visible.js';
import { HIDDEN, isSecretName, redactBody, redactUrl } from '../../engine/journal/secrets.js';
import { shortened } from '../../report/plain.js';
import type { Interaction, WantedState } from '../contract.js';
import { counts, type Exchange, type Verdict } from '../verdict.js';
import {
  askedTexts,
  decidedText,
  documentTexts,
  guessText,
  guessTexts,
  openTexts,
  standingText,
} from './render-classification.js';

/** Characters of a body or of an answer, which may be of any size. */
const LONGEST = 300;
const UNKNOWN = 'How it stands to the document cannot be said, which --strict does not let pass.';
/** A parameter of the states: the key of a space is no secret. */
const SPACE_KEY = 'key';
const COLUMN = 'answered'.length + 2;

/** A line with the word that says what it is about. */
export interface Detail {
  readonly about: 'because' | 'given' | 'asked' | 'answered' | 'differs' | 'document' | 'decided' | 'guess' | 'at';
  readonly says: string;
}

/** `pushes a filter (given: group exists {"name":"rota"})`: for reports, where nothing but a name tells it from others. */
export function interactionName({ interaction }: Verdict): string {
  const given = statesOf(interaction);
  return visible(`${interaction.description}${given.length === 0 ? '' : ` (given: ${given.join('; ')})`}`);
}

function statesOf({ states }: Interaction): string[] {
  return states.filter(({ name }) => name !== '').map(stateText);
}

/** What there is to tell: the least where it held, everything where it counts or failed. */
export function detailsOf(verdict: Verdict, isStrict: boolean): readonly Detail[] {
  const guesses = guessTexts(verdict).map(says => ({ about: 'guess', says }) as const);
  const isToldWhole =
    verdict.outcome !== 'held' || counts(verdict, isStrict) || verdict.standing.kind === 'contradicts';
  const details: readonly Detail[] = isToldWhole
    ? [...evidenceOf(verdict), ...guesses, ...placeOf(verdict)]
    : [...fromDocument(askedTexts(verdict)), ...guesses];
  return details.map(({ about, says }) => ({ about, says: visible(says) }));
}

function evidenceOf(verdict: Verdict): readonly Detail[] {
  const { problem, interaction, exchange, differences } = verdict;
  const decided = decidedText(verdict);
  return [
    ...(problem === undefined ? [] : [{ about: 'because', says: problem } as const]),
    ...statesOf(interaction).map(says => ({ about: 'given', says }) as const),
    ...askedOf(interaction, exchange),
    ...(exchange === undefined ? [] : [{ about: 'answered', says: answerText(exchange.answer) } as const]),
    ...differences.map(({ says }) => ({ about: 'differs', says }) as const),
    ...fromDocument(documentTexts(verdict)),
    ...(decided === '' ? [] : [{ about: 'decided', says: decided } as const]),
  ];
}

/** Nothing where the contract does not tell either. */
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

/** Each detail as a line, its word in a column. */
export function detailLines(details: readonly Detail[]): string[] {
  return details.map(({ about, says }) => `${about.padEnd(COLUMN)}${says}`);
}

/** Why it did not hold, or what is wrong with it although it did, in one line: what differs, then what the document has there. */
export function shortReason(verdict: Verdict, isStrict: boolean): string | undefined {
  const { problem, differences, outcome, standing } = verdict;
  if (problem !== undefined) return visible(problem);
  const [first, ...others] = outcome === 'held' ? [] : differences;
  if (first === undefined && !counts(verdict, isStrict)) return undefined;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const differs = first === undefined ? [] : [`${first.says}${more}`];
  const [said] = standing.kind === 'contradicts' ? documentTexts(verdict) : guessWarning(verdict);
  const reasons = [...differs, ...(said === undefined ? [] : [said])];
  return visible(reasons.length > 0 ? reasons.join(' ') : UNKNOWN);
}

/** On which guess it rests, what would break or mend it, and what of the contract is the guess; nothing where it rests on none. */
export function guessWarning(verdict: Verdict): readonly string[] {
  const guess = guessText(verdict);
  if (guess === undefined) return [];
  const [open] = openTexts(verdict);
  return [visible(`It ${standingText(verdict.standing)}: ${guess}.${open === undefined ? '' : ` ${open}`}`)];
}

export function isUrl(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

function stateText(state: WantedState): string {
  const { name, params } = shownState(state);
  return Object.keys(params).length === 0 ? name : `${name} ${JSON.stringify(params)}`;
}

/** A state without the password and the token of somebody whom it brings about. */
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
