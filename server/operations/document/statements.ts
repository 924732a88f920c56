// Every statement of the document by its number, and which of them a rule or a gap rests on.
import { ppfSections } from './ppf-statements.js';
import type { Section, Statement } from './statement.js';
import { wikiSections } from './wiki-statements.js';

/** In the order of the document. */
export const sections: readonly Section[] = [...wikiSections, ...ppfSections];
export const statements: readonly Statement[] = sections.flatMap(section => section.statements);

const byName = new Map<string, string[]>();
for (const { number, rules, gaps } of statements)
  for (const name of [...rules, ...gaps]) byName.set(name, [...(byName.get(name) ?? []), number]);

/** The numbers of the statements that a rule or a gap rests on, in the order of the document. Rules have a dot in their ids, gaps have none. */
export function statementsOf(ruleOrGap: string): readonly string[] {
  return byName.get(ruleOrGap) ?? [];
}

/** `4.2 Group actions`, as a heading of docs/document.md. */
export function headingOf({ number, title }: Section): string {
  return `${number} ${title}`;
}

/** Where the heading of a statement's section is on its page. */
export function anchorOf(statement: string): string {
  const section = sections.find(({ statements: own }) => own.some(({ number }) => number === statement));
  if (section === undefined) return '';
  return `#${headingOf(section)
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`;
}

/** The same in a text, with the words that lead to the place: `document 4.2-3 (4.2, first row)`. */
export function citationOf(ruleOrGap: string, source: string): string {
  return `document ${statementsOf(ruleOrGap).join(', ')} (${source})`;
}
