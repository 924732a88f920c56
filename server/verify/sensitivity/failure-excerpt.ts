// The few lines of a test runner's output that tell why a run failed. Knows the marks of common runners, and no runner needs to be named.
import { stripVTControlCharacters } from 'node:util';
import { visible } from '../../derive/text/visible.js';

/** Lines that are told of one run. */
const MOST_LINES = 4;
const LONGEST_LINE = 160;

/** How runners head a test that failed: mocha and ava, Jest, vitest, unittest and pytest, TAP, Go, JUnit's console. */
const HEADING = /^\s*(?:\d+\) \S|● .+|(?:FAIL|FAILED|ERROR)\b:? +\S.*|_{3,} .+ _{3,}|not ok \d+|--- FAIL: |[✗✘✖×✕] \S)/;

/** What tells why: an assertion, an exception, a difference. */
const REASON =
  /\b(?:Assertion(?:Error)?|\w*(?:Error|Exception)\b\s*[:[(]|expected\b.*\b(?:to|but|got|received|equal|actual)\b|Expected:|expect\(.*\)\.|assert(?:ion)? fail)|!==?|panic: /i;

/** No news: the frames of a stack, lines of nothing but signs, totals, and the legends of differences. */
const NOISE =
  /^\s*(?:at .+[:(]|Traceback \(most|File ".+", line \d+|[\s\-=_~^*|+.⎯]*$|\d+ (?:passing|failing|pending)\b|FAILED \(|[+-] (?:expected|actual)\b)/i;

/** The lines that tell why a run failed whose output was `passing` when it passed; in the order of the output, plain text. */
export function failureExcerpt(failing: string, passing: string): string[] {
  const known = new Set(linesOf(passing).map(alike));
  const news = linesOf(failing).filter(line => !NOISE.test(line) && !known.has(alike(line)));
  const reason = news.findIndex(line => REASON.test(line) && !HEADING.test(line));
  const heading = news.findIndex(line => HEADING.test(line));
  if (reason === -1 && heading === -1) return news.slice(-MOST_LINES).map(shown);
  if (reason === -1) return news.slice(heading, heading + MOST_LINES).map(shown);
  const above = news.slice(0, reason).findLastIndex(line => HEADING.test(line));
  const title = above === -1 ? [] : news.slice(above, Math.min(reason, above + 2));
  const after = news.slice(reason + 1).findIndex(line => HEADING.test(line));
  const most = MOST_LINES - title.length;
  return [...title, ...news.slice(reason, reason + (after === -1 ? most : Math.min(most, after + 1)))].map(shown);
}

function linesOf(output: string): string[] {
  return stripVTControlCharacters(output).split(/\r?\n/);
}

/** Two lines that differ in nothing but times, ports and counts say the same. */
function alike(line: string): string {
  return line.trim().replace(/\d+/g, '0');
}

function shown(line: string): string {
  const text = visible(line.trim());
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
}
