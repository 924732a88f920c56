// The ledger: every rule, gap, reading and refusal, with the operations it concerns and its evidence if that is given; as a value, and as text for a terminal.

import { operations, rules } from '../../operations/catalog/catalog.js';
import { citationOf, statements, statementsOf } from '../../operations/catalog/statements.js';
import { type GapId, gapIds, gapSpec, type SomeReadings } from '../../operations/gaps/gaps.js';
import { profileNames, profiles } from '../../operations/gaps/profiles.js';
import { type RefusalCode, refusalSpec } from '../../operations/refusals.js';
import { gapsOf, refusalCodes, refusalsOf, rulesOf, stepsGiving } from '../reach.js';
import { fewOf } from '../text/counted.js';

/** Column of the text, after the longest id. */
const COLUMN = 34;

/** The first names of scenarios that prove something. */
export const MAX_SHOWN = 3;

/** The names of the scenarios that prove a rule or a reading, by the id of the rule or as `gap=reading`. */
export type Evidence = Readonly<Record<string, readonly string[]>>;

export interface RuleEntry {
  readonly id: string;
  /** The rule in our own words. */
  readonly says: string;
  /** Place in the document. */
  readonly source: string;
  /** The numbers of its statements in docs/document.md. */
  readonly statements: readonly string[];
  /** Ids of the operations that it may decide. */
  readonly operations: readonly string[];
  /** Its evidence: the names of scenarios. */
  readonly evidence?: readonly string[];
}

export interface ReadingEntry {
  readonly name: string;
  readonly means: string;
  /** Its evidence: the names of scenarios. */
  readonly evidence?: readonly string[];
}

export interface GapEntry {
  readonly id: GapId;
  /** The question. */
  readonly asks: string;
  /** Place in the document that leaves it open. */
  readonly source: string;
  readonly statements: readonly string[];
  readonly readings: readonly ReadingEntry[];
  /** The default reading. */
  readonly default: string;
  /** Format of literal readings. */
  readonly open?: string;
  /** Ids of the operations that it may decide. */
  readonly askedBy: readonly string[];
}

export interface RefusalEntry {
  readonly code: RefusalCode;
  /** `as-read`: the status that the reading of the gap names. */
  readonly status: number | 'as-read';
  readonly title: string;
  /** The rules it rests on. */
  readonly rules: readonly string[];
  /** The gap whose reading decides about it or its status. */
  readonly gap?: string;
  /** Its sources: stages, access, or the operation's decision. */
  readonly steps: readonly string[];
  /** Ids of the operations that can give it; empty before an operation is found. */
  readonly operations: readonly string[];
}

export interface ProfileEntry {
  readonly name: string;
  /** Whom it is for. */
  readonly means: string;
  /** Its readings that differ from the default. */
  readonly readings: SomeReadings;
}

export interface Ledger {
  /** The statements of the document in our own words, by number. */
  readonly statements: Readonly<Record<string, string>>;
  readonly rules: readonly RuleEntry[];
  readonly gaps: readonly GapEntry[];
  readonly profiles: readonly ProfileEntry[];
  readonly refusals: readonly RefusalEntry[];
}

/** The whole ledger. With `evidence`, each rule and reading lists its own, even if there is none. */
export function ledger(evidence?: Evidence): Ledger {
  return {
    statements: Object.fromEntries(statements.map(({ number, says }) => [number, says])),
    rules: Object.entries(rules).map(([id, { says, source }]) => ({
      id,
      says,
      source,
      statements: statementsOf(id),
      operations: operations.filter(operation => Object.hasOwn(rulesOf(operation), id)).map(operation => operation.id),
      ...evidenceOf(evidence, id),
    })),
    gaps: gapIds.map(id => gapEntry(id, evidence)),
    profiles: profileNames.map(name => ({ name, ...profiles[name] })),
    refusals: refusalCodes.map(refusalEntry),
  };
}

/** The ids of the rules, and the readings as `gap=reading`, that have no evidence. */
export function withoutEvidence({ rules: entries, gaps }: Ledger): { rules: string[]; readings: string[] } {
  const hasNone = ({ evidence = [] }: RuleEntry | ReadingEntry) => evidence.length === 0;
  return {
    rules: entries.filter(hasNone).map(({ id }) => id),
    readings: gaps.flatMap(({ id, readings }) => readings.filter(hasNone).map(({ name }) => `${id}=${name}`)),
  };
}

/** The ledger as text: rules, gaps and refusals, and at the end what has no evidence, if the evidence is known. */
export function showLedger(ledger: Ledger): string {
  const { rules, gaps, profiles: sets, refusals } = ledger;
  const isEvidenceKnown = rules.some(({ evidence }) => evidence !== undefined);
  const without = missing(ledger);
  return [
    section('Rules: what the document says', rules.map(showRule)),
    section('Gaps: what it leaves open, and the readings to choose from (*: default)', gaps.map(showGap)),
    section(
      'Profiles: named sets of readings; only readings that are not the default are listed',
      sets.map(showProfile),
    ),
    section('Refusals', refusals.map(showRefusal)),
    ...(isEvidenceKnown && without.length > 0 ? [section('No evidence', without)] : []),
  ].join('\n');
}

/** One rule or gap as text, with the operations that it concerns and the refusals that rest on it. */
export function showEntry(entry: RuleEntry | GapEntry, refusals: readonly RefusalEntry[]): string {
  const { id } = entry;
  const affected = 'asks' in entry ? entry.askedBy : entry.operations;
  const resting = refusals.filter(({ gap, rules }) => gap === id || rules.includes(id)).map(({ code }) => code);
  const more = [
    ...(affected.length > 0 ? [`operations: ${affected.join(', ')}`] : []),
    ...(resting.length > 0 ? [`refusals: ${resting.join(', ')}`] : []),
  ];
  const own = 'asks' in entry ? showGap(entry) : showRule(entry);
  return more.length === 0 ? own : `${own}\n${lines('', more)}`;
}

function gapEntry(id: GapId, evidence: Evidence | undefined): GapEntry {
  const { asks, source, readings, open } = gapSpec(id);
  return {
    id,
    asks,
    source,
    statements: statementsOf(id),
    readings: readings.map(([name, means]) => ({ name, means, ...evidenceOf(evidence, `${id}=${name}`) })),
    default: readings[0]?.[0] ?? '',
    ...(open !== undefined && { open: open.form }),
    askedBy: operations.filter(operation => gapsOf(operation).includes(id)).map(operation => operation.id),
  };
}

function refusalEntry(code: RefusalCode): RefusalEntry {
  const { status, title, rules: grounds = [], gap } = refusalSpec(code);
  return {
    code,
    status,
    title,
    rules: grounds,
    ...(gap !== undefined && { gap }),
    steps: stepsGiving(code),
    operations: operations
      .filter(operation => refusalsOf(operation).some(refusal => refusal.code === code))
      .map(operation => operation.id),
  };
}

function evidenceOf(evidence: Evidence | undefined, key: string): { evidence?: readonly string[] } {
  if (evidence === undefined) return {};
  return { evidence: Object.hasOwn(evidence, key) ? (evidence[key] ?? []) : [] };
}

function section(title: string, entries: readonly string[]): string {
  return `${title} (${entries.length})\n\n${entries.join('\n')}\n`;
}

function showRule({ id, says, source, evidence }: RuleEntry): string {
  return lines(id, [says, citationOf(id, source), ...evidenceLine(evidence)]);
}

function showGap({ id, asks, source, readings, default: chosen, open }: GapEntry): string {
  const choices = readings.flatMap(({ name, means, evidence }) => [
    `${name === chosen ? '*' : ' '} ${name}: ${means}`,
    ...evidenceLine(evidence).map(line => `    ${line}`),
  ]);
  return lines(id, [asks, citationOf(id, source), ...choices, ...(open === undefined ? [] : [`  or ${open}`])]);
}

function showProfile({ name, means, readings }: ProfileEntry): string {
  return lines(name, [means, ...Object.entries(readings).map(pair => pair.join('='))]);
}

export function showRefusal({ code, status, title, rules, gap }: RefusalEntry): string {
  const grounds = [...rules, ...(gap === undefined ? [] : [`gap ${gap}`])];
  const rests = grounds.length === 0 ? '' : ` (${grounds.join(', ')})`;
  return lines(code, [`${status === 'as-read' ? 'by its reading' : status}: ${title}${rests}`]);
}

function missing(ledger: Ledger): string[] {
  const { rules, readings } = withoutEvidence(ledger);
  return [...rules, ...readings].map(name => `  ${name}`);
}

function evidenceLine(evidence: readonly string[] | undefined): string[] {
  if (evidence === undefined) return [];
  return [evidence.length === 0 ? 'no evidence' : `evidence: ${fewOf(evidence, MAX_SHOWN)}`];
}

function lines(id: string, said: readonly string[]): string {
  return said.map((line, i) => `  ${(i === 0 ? id : '').padEnd(COLUMN)}${line}`).join('\n');
}
