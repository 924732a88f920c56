// Every statement of the document by number, and those behind each rule and gap.
import { sectionsAfter, sectionsBefore } from '../document/general-statements.js';
import { type Section, type Statement, section } from '../document/statement.js';
import { pushPullStatements } from '../push-pull/push-pull.js';
import { groupStatements } from '../wiki/groups.js';
import { permissionStatements } from '../wiki/permissions.js';
import { replaceStatements } from '../wiki/replace-in-page.js';
import { spaceStatements } from '../wiki/spaces.js';

/** In the order of the document. */
export const sections: readonly Section[] = [
  ...sectionsBefore,
  section('4.2', 'Group actions', ...groupStatements),
  section('4.3', 'Page permission actions', ...permissionStatements),
  section('4.4', 'Space actions', ...spaceStatements, ...replaceStatements),
  section('4.5', 'Push and pull filters and dashboards', ...pushPullStatements),
  ...sectionsAfter,
];
export const statements: readonly Statement[] = sections.flatMap(section => section.statements);

const byName = new Map<string, string[]>();
for (const { number, rules, gaps } of statements)
  for (const name of [...rules, ...gaps]) byName.set(name, [...(byName.get(name) ?? []), number]);

/** The numbers of the statements behind a rule or gap. Ids of rules contain a dot, those of gaps do not. */
export function statementsOf(ruleOrGap: string): readonly string[] {
  return byName.get(ruleOrGap) ?? [];
}

/** What the statement of a number says. */
export function statementAt(number: string): string {
  return statements.find(statement => statement.number === number)?.says ?? number;
}

/** `4.2 Group actions`, as a heading of docs/document.md. */
export function headingOf({ number, title }: Section): string {
  return `${number} ${title}`;
}

/** The anchor of a statement's section on its page. */
export function anchorOf(statement: string): string {
  const section = sections.find(({ statements: own }) => own.some(({ number }) => number === statement));
  if (section === undefined) return '';
  return `#${headingOf(section)
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`;
}

/** The citation for a text: `document 4.2-3 (4.2, first row)`. */
export function citationOf(ruleOrGap: string, source: string): string {
  return `document ${statementsOf(ruleOrGap).join(', ')} (${source})`;
}
