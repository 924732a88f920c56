// The result of an action as lines for people: a table for a list of records, else one line for each value.
import { visible } from '../../derive/text/visible.js';
import { isObject } from '../../domain/form/patch.js';
import type { Forwarded, JournalEntry } from '../../engine/journal/journal-entry.js';
import { isShownGap } from '../../operations/gaps/gaps-address.js';

/** Wider columns are cut. */
const WIDEST = 60;

export function valueLines(value: unknown): string[] {
  if (!isObject(value)) return String(value).split('\n').map(visible);
  const [only, ...others] = Object.entries(value);
  if (only !== undefined && others.length === 0 && isList(only[1])) return listLines(only[0], only[1]);
  if (isList(value.entries) && value.entries.every(isEntry)) return entriesLines(value.entries);
  return recordLines(value, '');
}

/** One request: id, time, caller, request, status, and what decided. */
export function entryLine({
  id,
  at,
  method,
  url,
  operation,
  answer,
  caller,
  gaps,
  refused,
  fault,
  forwarded,
}: JournalEntry): string {
  const shown = Object.entries(gaps).filter(([gap]) => isShownGap(gap, refused));
  const guesses = shown.map(([gap, reading]) => `${gap}=${reading}`);
  const parts = [
    `#${id} ${at} ${caller ?? '-'} ${method} ${url} ${answer.status}`,
    operation ?? 'no operation',
    ...(guesses.length > 0 ? [`guesses: ${guesses.join(', ')}`] : []),
    ...(fault === undefined ? [] : [`fault: ${fault}`]),
    ...(forwarded === undefined ? [] : forwardedParts(forwarded)),
  ];
  return visible(parts.join(' · '));
}

/** The answer of another server, with the findings of a proxy. */
function forwardedParts({ to, problem, departs = [], agrees = {} }: Forwarded): string[] {
  const agreeing = Object.entries(agrees).map(([gap, readings]) => `${gap}=${readings.join('|')}`);
  return [
    `forwarded to ${to}${problem === undefined ? '' : `: ${problem}`}`,
    ...(agreeing.length === 0 ? [] : [`agrees with: ${agreeing.join(', ')}`]),
    ...departs.map(text => `violates the document: ${text}`),
  ];
}

function entriesLines(entries: readonly JournalEntry[]): string[] {
  return entries.length === 0 ? ['no entries'] : entries.map(entryLine);
}

function isEntry(value: unknown): value is JournalEntry {
  return isObject(value) && isObject(value.answer) && typeof value.method === 'string';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function listLines(name: string, list: readonly unknown[]): string[] {
  if (list.length === 0) return [`no ${name}`];
  if (!list.every(isObject)) return list.map(cell);
  const columns = [...new Set(list.flatMap(record => Object.keys(record)))];
  const rows = [columns, ...list.map(record => columns.map(column => cell(record[column])))];
  const widths = columns.map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function cell(value: unknown): string {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return visible(text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);
}

function recordLines(record: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isObject(value) && Object.keys(value).length > 0)
      return [`${indent}${visible(name)}:`, ...recordLines(value, `${indent}  `)];
    if (isList(value) && value.some(isObject))
      return [`${indent}${visible(name)}:`, ...value.map(item => `${indent}  ${cell(item)}`)];
    return [
      `${indent}${visible(name)}: ${isList(value) || isObject(value) ? JSON.stringify(value) : visible(String(value))}`,
    ];
  });
}
