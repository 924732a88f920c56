// How an interaction stands to the document, in words that need no glossary. Knows no terminal and no format of reports.
import { type Finding, showFinding } from '../../derive/document/document-check.js';
import { rules } from '../../operations/catalog.js';
import type { Standing, Trial, Verdict } from '../verdict.js';

/** `rests on wiki-success=object`; empty where nothing can be said. */
export function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'documented':
      return 'documented';
    case 'rests':
      return `rests on ${standing.on.length === 0 ? 'what the document does not show' : standing.on.map(choiceText).join(', ')}`;
    case 'contradicts':
      return `contradicts ${standing.rules.length === 0 ? 'the document' : standing.rules.join(', ')}`;
    case 'unknown':
      return '';
  }
}

/** What becomes of one that rests on a guess where the guess is wrong, in one line; `undefined` where it rests on none. */
export function guessText(verdict: Verdict): string | undefined {
  if (verdict.standing.kind !== 'rests') return undefined;
  const { on, unshown = [] } = verdict.standing;
  const others = tellingTrials(verdict);
  if (on.length === 0) return unshown[0]?.replace(/\.$/, '');
  if (others.length === 0) return NO_OTHER;
  return `it would ${fateOf(verdict)} under ${others.map(choiceText).join(', or ')}`;
}

/** The same, a line for each reading, with what would then be different. */
export function guessTexts(verdict: Verdict): string[] {
  if (verdict.standing.kind !== 'rests') return [];
  const { on, unshown = [] } = verdict.standing;
  const others = tellingTrials(verdict);
  if (others.length === 0) return [...(on.length === 0 ? [] : [NO_OTHER]), ...unshown];
  const texts = others.map(trial => {
    const { says } = trial.difference ?? {};
    return `it would ${fateOf(verdict)} under ${choiceText(trial)}${says === undefined ? '' : `: ${says}`}`;
  });
  return [...texts, ...unshown];
}

const NO_OTHER = 'no other reading alone changes that';

/** The readings under which another outcome comes of it. */
function tellingTrials({ standing, outcome }: Verdict): readonly Trial[] {
  if (standing.kind !== 'rests') return [];
  return standing.on.flatMap(({ trials }) => trials.filter(({ holds }) => holds !== (outcome === 'held')));
}

function fateOf({ outcome }: Verdict): string {
  return outcome === 'held' ? 'break' : 'hold';
}

/** What in the contract makes it rest on its gaps, as far as that was found. */
export function openTexts(verdict: Verdict): string[] {
  return [...new Set(openFindings(verdict).map(showFinding))];
}

/** What of it is in the request: there a name may be misspelt, which the readings alone do not tell. */
export function askedTexts(verdict: Verdict): string[] {
  const asked = openFindings(verdict).filter(({ part }) => part !== 'status' && part !== 'reply');
  return [...new Set(asked.map(showFinding))];
}

function openFindings({ findings, standing }: Verdict): readonly Finding[] {
  const gaps = standing.kind === 'rests' ? standing.on.map(({ gap }) => gap) : [];
  return findings.filter(({ gap }) => gap !== undefined && gaps.includes(gap));
}

/** What the document has to say: why it contradicts, or what is open of that on which it rests; else all that was found. */
export function documentTexts(verdict: Verdict): string[] {
  const { findings, standing } = verdict;
  const open = openTexts(verdict);
  const found = findings.map(showFinding);
  if (standing.kind !== 'contradicts') return open.length > 0 ? open : [...new Set(found)];
  const texts = [...new Set(standing.says.length > 0 ? standing.says : found)];
  const untold = standing.rules.filter(rule => !texts.some(text => text.includes(rule)));
  return [...texts, ...untold.map(rule => `${rule}: ${rules[rule]?.says ?? 'a rule that this version does not know'}`)];
}

/** What decided the answer: `ppf.admin-only, ppf-check-order=403-first`. */
export function decidedText({ rules: decided, gaps }: Verdict): string {
  return [...decided, ...Object.entries(gaps).map(([gap, reading]) => choiceText({ gap, reading }))].join(', ');
}

function choiceText({ gap, reading }: { readonly gap: string; readonly reading: string }): string {
  return `${gap}=${reading}`;
}
