// The ledger as a Markdown page of tables, for people who read it in a repository. Knows no terminal.
import { operations } from '../../operations/catalog/catalog.js';
import { anchorOf } from '../../operations/catalog/statements.js';
import { defaultReadings, type GapId, gapIds } from '../../operations/gaps/gaps.js';
import { resourceName } from '../reach.js';
import { fewOf } from '../text/counted.js';
import { code, markdownTable } from '../text/markdown-syntax.js';
import {
  type GapEntry,
  type Ledger,
  MAX_SHOWN,
  type ProfileEntry,
  type RefusalEntry,
  type RuleEntry,
} from './ledger.js';

/** The ledger as Markdown; with a column for the evidence if it is known. */
export function ledgerMarkdown({ rules, gaps, profiles, refusals }: Ledger): string {
  const hasEvidence = rules.some(({ evidence }) => evidence !== undefined);
  const readings = gaps.reduce((sum, gap) => sum + gap.readings.length, 0);
  return [
    '# The ledger',
    '',
    'Every response of the fake is based on a **rule**, which is a statement of the source document, or on a **reading**, which is one',
    'answer to a **gap**, a question that the document leaves open. A **refusal** names the rule or the gap that it is based on.',
    `There are ${rules.length} rules, ${gaps.length} gaps with ${readings} readings, and ${refusals.length} refusals.`,
    '',
    '## Rules',
    '',
    ...markdownTable(
      ['rule', 'what the document says', 'where', 'operations', ...column(hasEvidence)],
      rules.map(ruleRow),
    ),
    '',
    '## Gaps',
    '',
    'The reading in bold is the default. Choose another for a server, a sandbox, a scenario or one request.',
    '',
    ...markdownTable(['gap', 'question and where it is left open', 'readings', 'operations'], gaps.map(gapRow)),
    '',
    '## Profiles',
    '',
    'A profile is a named set of readings. In every profile, gaps that are not in this table have their default reading.',
    '',
    ...profiles.map(({ name, means }) => `- ${code(name)} ${means}.`),
    '',
    ...profileTable(profiles),
    '',
    '## Refusals',
    '',
    'Where no number is given as the status, the reading of the gap determines it. A refusal based on a gap occurs only under some readings.',
    '',
    ...markdownTable(['refusal', 'status', 'what it means', 'rests on', 'operations'], refusals.map(refusalRow)),
    '',
  ].join('\n');
}

/** The gaps in which profiles differ from the default. */
function profileTable(profiles: readonly ProfileEntry[]): string[] {
  const differing = gapIds.filter(gap => profiles.some(({ readings }) => readings[gap] !== undefined));
  const reading = ({ readings }: ProfileEntry, gap: GapId) => code(readings[gap] ?? defaultReadings[gap]);
  return markdownTable(
    ['gap', ...profiles.map(({ name }) => name)],
    differing.map(gap => [code(gap), ...profiles.map(profile => reading(profile, gap))]),
  );
}

/** Each number links to its section of docs/document.md. */
function cited(numbers: readonly string[], source: string): string {
  return `${numbers.map(number => `[${number}](../document.md${anchorOf(number)})`).join(', ')}: ${source}`;
}

/** The ids of operations, shortened: all of a resource as `groups.*`. */
function shortList(ids: readonly string[]): string {
  if (ids.length === operations.length) return 'all';
  const resources = [...new Set(operations.map(resourceName))];
  const listed = resources.flatMap(name => {
    const members = operations.filter(operation => resourceName(operation) === name).map(({ id }) => id);
    return members.every(id => ids.includes(id)) ? [`${name}.*`] : members.filter(id => ids.includes(id));
  });
  return listed.map(code).join(', ');
}

function ruleRow({ id, says, source, statements, operations: ids, evidence }: RuleEntry): string[] {
  return [
    code(id),
    says,
    cited(statements, source),
    shortList(ids),
    ...(evidence === undefined ? [] : [evidenceCell(evidence)]),
  ];
}

function gapRow({ id, asks, source, statements, readings, default: chosen, open, askedBy }: GapEntry): string[] {
  const choices = readings.map(({ name, means, evidence }) => {
    const shown = name === chosen ? `**${code(name)}**` : code(name);
    return `${shown}: ${means}${evidence === undefined ? '' : ` (${evidenceCell(evidence)})`}`;
  });
  const further = open === undefined ? [] : [`or ${open}`];
  return [
    code(id),
    `${asks}<br>${cited(statements, source)}`,
    [...choices, ...further].join('<br>'),
    shortList(askedBy),
  ];
}

function refusalRow({ code: name, status, title, rules, gap, operations: ids }: RefusalEntry): string[] {
  const grounds = [...rules.map(code), ...(gap === undefined ? [] : [`gap ${code(gap)}`])];
  return [
    code(name),
    status === 'as-read' ? 'as read' : String(status),
    title,
    grounds.join(', '),
    ids.length === 0 ? 'before any' : shortList(ids),
  ];
}

function column(hasEvidence: boolean): string[] {
  return hasEvidence ? ['evidence'] : [];
}

function evidenceCell(evidence: readonly string[]): string {
  return evidence.length === 0 ? '**no evidence**' : fewOf(evidence, MAX_SHOWN);
}
