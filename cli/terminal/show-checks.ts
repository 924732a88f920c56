// How the commands show a list of checks: the checks as they come, then the totals and the reports.

import type { Reports } from '../../harness/report/formats.js';
import { checkLines, totalsLine } from '../../harness/report/render-checks.js';
import type { Check, Report } from '../../harness/report/report.js';
import { writeReports } from '../../harness/report/write.js';
import { painterFor } from '../../server/process/colors.js';
import {
  type Environment,
  type OutputStream,
  type Process,
  writeLine,
  writeLines,
} from '../../server/process/command-process.js';
import { fittedLines } from './wrap.js';

export function showChecks(checks: readonly Check[], to: OutputStream, env: Environment): void {
  const paint = painterFor(to, env);
  const lines = checks.flatMap(check => checkLines(check, paint));
  writeLines(to, fittedLines(lines, to));
}

/**
 * Prints the totals, or the results as JSON, and writes the reports. With JSON, GitHub's commands go to standard error, which it reads too.
 * Default of `to`: standard output.
 */
export function endChecks(
  report: Report,
  { stdout, stderr, env }: Process,
  { reports, json, to = stdout }: { reports: Reports; json?: object | undefined; to?: OutputStream },
): void {
  writeLine(to, json === undefined ? totalsLine(report, painterFor(to, env)) : JSON.stringify(json, null, 2));
  const print = (line: string) => writeLine(json === undefined ? to : stderr, line);
  writeLines(stderr, writeReports(report, reports, { env, print }));
}
