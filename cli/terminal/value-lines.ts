// The result of an action as lines for people: a table for a list of records, else one line for each value.

import { visible } from '../../server/derive/text/visible.js';
import { isObject } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import type { EntryView } from '../../server/engine/look-back/entry-view.js';
import type { Forwarded } from '../../server/engine/request/forwarded.js';
import { misspellingSentence } from '../../server/engine/request/misspelled-fields.js';
import { messageIn } from '../../server/engine/response-message.js';
import { isShownGap } from '../../server/operations/provenance.js';

/** Records with longer values are shown one below the other instead of in a table. */
const WIDEST = 60;

/** `width`: maximum columns of a table. */
export function valueLines(value: unknown, width = Number.POSITIVE_INFINITY): string[] {
  if (!isObject(value)) return String(value).split('\n').map(visible);
  const [only, ...others] = Object.entries(value);
  if (only !== undefined && others.length === 0 && isList(only[1])) return listLines(only[0], only[1], width);
  if (isList(value.entries) && value.entries.every(isEntry))
    return value.entries.length === 0 ? ['no entries'] : value.entries.map(entryLine);
  return recordLines(value, '');
}

/** One request: id, time, caller, request, status, operation, the message of its response, and what decided. */
export function entryLine(entry: EntryView): string {
  const { response, gaps, refused, fault, stub, forwarded, nearest, misspelledFields = [], warnings = [] } = entry;
  const message = messageText(response);
  const shown = Object.entries(gaps).filter(([gap]) => isShownGap(gap, refused));
  const guesses = shown.map(([gap, reading]) => `${gap}=${reading}`);
  const parts = [
    `#${entry.id} ${entry.at} ${entry.caller ?? '-'} ${entry.method} ${entry.url} ${response.status}`,
    entry.operation ?? 'no operation',
    ...(message === '' ? [] : [message]),
    ...(nearest === undefined || message.includes(nearest) ? [] : [`did you mean ${nearest}?`]),
    ...(response.status < 400 ? misspelledFields.map(misspellingSentence) : []),
    ...warnings.map(warning => `warning: ${warning}`),
    ...(guesses.length > 0 ? [`guesses: ${guesses.join(', ')}`] : []),
    ...(fault === undefined ? [] : [`fault: ${fault}`]),
    ...(stub === undefined ? [] : [`stub: ${stub}`]),
    ...(forwarded === undefined ? [] : forwardedParts(forwarded)),
  ];
  return visible(parts.join(' · '));
}

/** The message of a refusal, or those of a push or pull, in one line; empty if there is none. */
function messageText({ body }: JournalEntry['response']): string {
  return (messageIn(parsedJson(body ?? '')) ?? '').replace(/(?<=[.?])\n/g, ' ').replaceAll('\n', '; ');
}

/** The response of another server, with the findings of a proxy. */
function forwardedParts({ to, problem, violations = [], agrees = {} }: Forwarded): string[] {
  const agreeing = Object.entries(agrees).map(([gap, readings]) => `${gap}=${readings.join('|')}`);
  return [
    `forwarded to ${to}${problem === undefined ? '' : `: ${problem}`}`,
    ...(agreeing.length === 0 ? [] : [`agrees with: ${agreeing.join(', ')}`]),
    ...violations.map(text => `violates the document: ${text}`),
  ];
}

function isEntry(value: unknown): value is EntryView {
  return isObject(value) && isObject(value.response) && typeof value.method === 'string';
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function listLines(name: string, list: readonly unknown[], width: number): string[] {
  if (list.length === 0) return [`no ${name}`];
  if (!list.every(isObject)) return list.map(textOf);
  const columns = [...new Set(list.flatMap(record => Object.keys(record)))];
  const rows = [columns, ...list.map(record => columns.map(column => textOf(record[column])))];
  const widths = columns.map((_, i) => Math.max(...rows.map(row => row[i]?.length ?? 0)));
  const isTooWide = widths.reduce((sum, each) => sum + each + 2, -2) > width;
  if (isTooWide || widths.some(each => each > WIDEST)) return list.flatMap(record => itemLines(record, ''));
  return rows.map(row =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A record of a list. */
function itemLines(item: unknown, indent: string): string[] {
  if (!isObject(item)) return [`${indent}- ${textOf(item)}`];
  return recordLines(item, `${indent}  `).map((line, i) => (i === 0 ? `${indent}- ${line.trimStart()}` : line));
}

/** `status=503 retryAfter=30`, `alice, bob`. */
function textOf(value: unknown): string {
  if (isList(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  if (!isObject(value)) return visible(value === undefined ? '' : String(value));
  const members = Object.entries(value).map(([name, member]) => {
    const text = typeof member === 'object' ? JSON.stringify(member) : String(member);
    return visible(`${name}=${text}`);
  });
  return members.length === 0 ? 'none' : members.join(' ');
}

function recordLines(record: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.entries(record).flatMap(([name, value]) => {
    if (isObject(value) && Object.keys(value).length > 0)
      return [`${indent}${visible(name)}:`, ...recordLines(value, `${indent}  `)];
    if (isList(value) && value.some(isObject))
      return [`${indent}${visible(name)}:`, ...value.flatMap(item => itemLines(item, `${indent}  `))];
    return [`${indent}${visible(name)}: ${textOf(value)}`];
  });
}
