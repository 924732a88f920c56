// Sanitizes a report for all formats: no terminal codes, control characters, lone surrogates or empty names. Responses of foreign servers are
// untrusted.
import { stripVTControlCharacters } from 'node:util';
import type { Check, Part, Report } from './report.js';

/** Characters that XML 1.0 cannot represent, not even escaped. */
const UNWRITABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

export function plain(text: string): string {
  return stripVTControlCharacters(text).replace(UNWRITABLE, '\ufffd');
}

/** Text with a maximum number of whole characters. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\u{d800}-\u{dbff}]$/u, '')}…`;
}

/** The report with plain texts, non-empty names and finite numbers. */
export function plainReport(report: Report): Report {
  const { tool, version, title, startedAt, duration, checks, properties, parts } = report;
  return {
    tool: named(tool),
    version: plain(version),
    title: named(title),
    startedAt,
    duration: time(duration),
    checks: checks.map(plainCheck),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [named(name), plain(value)])),
    }),
    ...(parts !== undefined && { parts: parts.map(plainPart) }),
  };
}

function plainPart({ title, says, heads, rows }: Part): Part {
  return { title: named(title), says: says.map(plain), heads: heads.map(plain), rows: rows.map(row => row.map(plain)) };
}

function plainCheck(check: Check): Check {
  const { suite, name, verdict, isPending, duration, message, warning, details, file, line, labels = [] } = check;
  return {
    suite: named(suite),
    name: named(name),
    verdict,
    ...(isPending && { isPending }),
    duration: time(duration),
    ...(filled(message) && { message: plain(message) }),
    ...(filled(warning) && { warning: plain(warning) }),
    ...(filled(details) && { details: plain(details) }),
    ...(filled(file) && { file: plain(file) }),
    ...(filled(file) && line !== undefined && Number.isSafeInteger(line) && line > 0 && { line }),
    ...(labels.length > 0 && { labels: labels.map(named) }),
  };
}

function filled(text: string | undefined): text is string {
  return text !== undefined && plain(text) !== '';
}

function named(text: string): string {
  return plain(text) || '(unnamed)';
}

function time(duration: number): number {
  return Number.isFinite(duration) && duration > 0 ? duration : 0;
}
