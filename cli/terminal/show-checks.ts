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

export interface Outputs {
  readonly reports: Reports;
  /** Printed instead of the totals. GitHub's commands then go to standard error, which it reads too. */
  readonly json?: object | undefined;
  /** Default: standard output. */
  readonly to?: OutputStream;
}

/** Prints the totals, or the results as JSON, and writes the reports. */
export function endChecks(report: Report, { stdout, stderr, env }: Process, outputs: Outputs): void {
  const { reports, json, to = stdout } = outputs;
  writeLine(to, json === undefined ? totalsLine(report, painterFor(to, env)) : JSON.stringify(json, null, 2));
  const print = (line: string) => writeLine(json === undefined ? to : stderr, line);
  writeLines(stderr, writeReports(report, reports, { env, print }));
}
