// The classification of an interaction in words.
import { showFinding } from '../../../server/derive/document/document-check.js';
import type { Finding } from '../../../server/derive/document/violation.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import { type Classification, NOT_PART, type Trial, type Verdict } from '../contract/verdict.js';

/** `rests on wiki-success=object`; empty if unknown. */
export function classificationText(classification: Classification): string {
  switch (classification.kind) {
    case 'documented':
      return 'documented';
    case 'rests':
      if (classification.unshown?.includes(NOT_PART)) return 'not part of the document';
      return `rests on ${classification.on.length === 0 ? 'what the document does not show' : classification.on.map(choiceText).join(', ')}`;
    case 'contradicts':
      return `contradicts ${classification.rules.length === 0 ? 'the document' : classification.rules.join(', ')}`;
    case 'unknown':
      return '';
  }
}

/** How an interaction that rests on a guess would end if the guess is wrong, in one line; `undefined` if it rests on none. */
export function guessText(verdict: Verdict): string | undefined {
  if (verdict.classification.kind !== 'rests') return undefined;
  const { on, unshown = [] } = verdict.classification;
  const others = decisiveTrials(verdict);
  if (on.length === 0) return unshown[0]?.replace(/\.$/, '');
  if (others.length === 0) return NO_OTHER;
  return `it would ${fateOf(verdict)} under ${others.map(choiceText).join(', or ')}`;
}

/** What the verdict rests on: one line for each reading, with the difference. */
export function guessTexts(verdict: Verdict): string[] {
  if (verdict.classification.kind !== 'rests') return [];
  const { on, unshown = [] } = verdict.classification;
  const others = decisiveTrials(verdict);
  const all = on.length === 0 ? [] : [guessText(verdict) ?? []].flat();
  const each = others.flatMap(trial =>
    trial.difference === undefined
      ? []
      : [`it would ${fateOf(verdict)} under ${choiceText(trial)}: ${trial.difference.says}`],
  );
  return [...(each.length < others.length || each.length === 0 ? all : each), ...unshown];
}

const NO_OTHER = 'no other single reading changes the outcome';

/** The trials whose outcome differs. */
function decisiveTrials({ classification, outcome }: Verdict): readonly Trial[] {
  if (classification.kind !== 'rests') return [];
  return classification.on.flatMap(({ trials }) => trials.filter(({ passes }) => passes !== (outcome === 'passed')));
}

function fateOf({ outcome }: Verdict): string {
  return outcome === 'passed' ? 'fail' : 'pass';
}

function textsOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map(showFinding))];
}

/** Findings in the contract that make it rest on its gaps. */
export function openTexts(verdict: Verdict): string[] {
  return textsOf(openFindings(verdict));
}

/** Those in the request: there a name may be misspelt, which trials do not show. */
export function askedTexts(verdict: Verdict): string[] {
  return textsOf(openFindings(verdict).filter(isOfRequest));
}

function isOfRequest({ part }: Finding): boolean {
  return part !== 'status' && part !== 'reply';
}

/** Those of its gaps, and those in the request that no gap covers. */
function openFindings({ findings, classification }: Verdict): readonly Finding[] {
  if (classification.kind !== 'rests') return [];
  const gaps = classification.on.map(({ gap }) => gap);
  return findings.filter(finding => (finding.gap === undefined ? isOfRequest(finding) : gaps.includes(finding.gap)));
}

/** What the document says: why the interaction contradicts it, or what it leaves open; else all findings. */
export function documentTexts(verdict: Verdict): string[] {
  const { findings, classification } = verdict;
  const open = openTexts(verdict);
  if (classification.kind !== 'contradicts') return open.length > 0 ? open : textsOf(findings);
  const texts = classification.says.length > 0 ? [...new Set(classification.says)] : textsOf(findings);
  const unnamed = classification.rules.filter(rule => !texts.some(text => text.includes(rule)));
  return [
    ...texts,
    ...unnamed.map(rule => `${rule}: ${rules[rule]?.says ?? 'a rule that this version does not know'}`),
  ];
}

/** What decided the response: `ppf.admin-only, ppf-check-order=403-first`. */
export function decidedText({ rules: decided, gaps }: Verdict): string {
  return [...decided, ...Object.entries(gaps).map(([gap, reading]) => choiceText({ gap, reading }))].join(', ');
}

function choiceText({ gap, reading }: { readonly gap: string; readonly reading: string }): string {
  return `${gap}=${reading}`;
}
