// The few lines of a test runner's output that show why a run failed. Knows the formats of common runners, so the runner need not be named.
import { stripVTControlCharacters } from 'node:util';
import { visible } from '../../server/derive/text/visible.js';

/** Lines shown for one run: the first failed assertion, whole. */
const MAX_LINES = 10;
/** Characters of a line; no assertion needs more. */
const LONGEST_LINE = 2_000;

/** Headings of failed tests: mocha and ava, Jest, vitest, unittest and pytest, TAP, Go, JUnit's console. */
const HEADING = /^\s*(?:\d+\) \S|● .+|(?:FAIL|FAILED|ERROR)\b:? +\S.*|_{3,} .+ _{3,}|not ok \d+|--- FAIL: |[✗✘✖×✕] \S)/;

/** Lines with a reason: an assertion, an exception, a difference. */
const REASON =
  /\b(?:Assertion(?:Error)?|\w*(?:Error|Exception)\b\s*[:[(]|expected\b.*\b(?:to|but|got|received|equal|actual)\b|Expected:|expect\(.*\)\.|assert(?:ion)? fail)|!==?|panic: /i;

/** Lines without information: stack frames, lines of symbols, totals, and legends of differences. */
const NOISE =
  /^\s*(?:at .+[:(]|Traceback \(most|File ".+", line \d+|[\s\-=_~^*|+.⎯]*$|\d+ (?:passing|failing|pending)\b|FAILED \(|[+-] (?:expected|actual)\b)/i;

/** The lines that show why a run failed, compared with its output when it passed (`passing`). In order, as plain text. */
export function failureExcerpt(failing: string, passing: string): string[] {
  const known = new Set(linesOf(passing).map(alike));
  const news = linesOf(failing).filter(line => !NOISE.test(line) && !known.has(alike(line)));
  const reason = news.findIndex(line => REASON.test(line) && !HEADING.test(line));
  const heading = news.findIndex(line => HEADING.test(line));
  if (reason === -1 && heading === -1) return news.slice(-MAX_LINES).map(shown);
  if (reason === -1) return news.slice(heading, heading + MAX_LINES).map(shown);
  const above = news.slice(0, reason).findLastIndex(line => HEADING.test(line));
  const title = above === -1 ? [] : news.slice(above, Math.min(reason, above + 2));
  const after = news.slice(reason + 1).findIndex(line => HEADING.test(line));
  const most = MAX_LINES - title.length;
  return [...title, ...news.slice(reason, reason + (after === -1 ? most : Math.min(most, after + 1)))].map(shown);
}

function linesOf(output: string): string[] {
  return stripVTControlCharacters(output)
    .split(/\r?\n/)
    .map(line => line.slice(0, 2 * LONGEST_LINE));
}

/** Lines that differ only in times, ports and counts are alike. */
function alike(line: string): string {
  return line.trim().replace(/\d+/g, '0');
}

function shown(line: string): string {
  const text = visible(line.trim());
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
}
