// One interaction in words: its name, its classification, and if useful its request, response and differences.
import { visible } from '../../../server/derive/text/visible.js';
import { HIDDEN, isSecretName, redactUrl } from '../../../server/engine/secrets.js';
import { shortened } from '../../report/plain.js';
import type { WantedState } from '../contract/contract.js';
import { counts, type Exchange, type Verdict } from '../contract/verdict.js';
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
const UNKNOWN = 'It could not be compared with the document, so it fails with --strict.';
/** A parameter of states: the key of a space is not a secret. */
const SPACE_KEY = 'key';
const COLUMN = 'response'.length + 2;

/** `pushes a filter (given: group exists {"name":"rota"})` */
export function interactionName({ interaction: { description, states } }: Verdict): string {
  const given = states.filter(({ name }) => name !== '').map(stateText);
  return visible(`${description}${given.length === 0 ? '' : ` (given: ${given.join('; ')})`}`);
}

/** The details, a line each with its label in a column: few if it passed, all if it counts or failed. */
export function detailLines(verdict: Verdict, isStrict: boolean): string[] {
  const { outcome, classification, contract, interaction, exchange, differences } = verdict;
  const guesses = [
    ...verdict.warnings.map(says => detail('warning', says)),
    ...guessTexts(verdict).map(says => detail('guess', says)),
  ];
  const isShownWhole = outcome !== 'passed' || counts(verdict, isStrict) || classification.kind === 'contradicts';
  if (!isShownWhole) return [...askedTexts(verdict).map(says => detail('document', says)), ...guesses];
  const { request, line } = interaction;
  const { source } = contract;
  const decided = decidedText(verdict);
  const asked =
    exchange === undefined
      ? request === ''
        ? []
        : [detail('request', `${redactUrl(request)} (as in the contract)`)]
      : [detail('request', askedText(exchange.request)), detail('response', responseText(exchange.response))];
  return [
    ...asked,
    ...differences.map(({ says }) => detail('differs', says)),
    ...documentTexts(verdict).map(says => detail('document', says)),
    ...(decided === '' ? [] : [detail('based on', decided)]),
    ...guesses,
    detail('at', line === undefined || isUrl(source) ? source : `${source}:${line}`),
  ];
}

function detail(about: string, says: string): string {
  return `${about.padEnd(COLUMN)}${visible(says)}`;
}

/** In one line why it failed, or counts although it passed: the difference, then what the document says. */
export function shortReason(verdict: Verdict, isStrict: boolean): string | undefined {
  const { problem, differences, outcome, classification } = verdict;
  if (problem !== undefined) return visible(problem);
  const [first, ...others] = outcome === 'passed' ? [] : differences;
  if (first === undefined && !counts(verdict, isStrict)) return undefined;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const differs = first === undefined ? [] : [`${first.says}${more}`];
  const said = classification.kind === 'contradicts' ? documentTexts(verdict)[0] : guessWarning(verdict);
  const reasons = [...differs, ...(said === undefined ? [] : [said])];
  return visible(reasons.length > 0 ? reasons.join(' ') : UNKNOWN);
}

/** The guess that it rests on, which reading would change the outcome, and which part of the contract is the guess; `undefined`: none. */
export function guessWarning(verdict: Verdict): string | undefined {
  const guess = guessText(verdict);
  if (guess === undefined) return undefined;
  const [open] = openTexts(verdict);
  const stands = classificationText(verdict.classification);
  const is = stands.startsWith('not ') ? `is ${stands}` : stands;
  return visible(`It ${is}: ${guess}.${open === undefined ? '' : ` ${open}`}`);
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

function askedText({ method, path, body = '' }: Exchange['request']): string {
  return `${method} ${path}${body === '' ? '' : ` with ${shortened(body, LONGEST)}`}`;
}

function responseText({ status, text }: Exchange['response']): string {
  return `${status}${text === '' ? ' without a body' : ` ${shortened(text, LONGEST)}`}`;
}
