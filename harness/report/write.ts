// Writes reports to files and for GitHub. Failures are returned, never thrown: the run has its own result.
import { appendFileSync } from 'node:fs';
import { isKept, writeWhole } from '../../server/process/whole-file.js';
import { annotations } from './annotations.js';
import { ctrf } from './ctrf.js';
import { type Format, parseReports, type Reports } from './formats.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import type { Report } from './report.js';

const writers: Readonly<Record<Format, (report: Report) => string>> = {
  junit,
  ctrf: report => `${JSON.stringify(ctrf(report), null, 2)}\n`,
  md: markdown,
};

export interface Outlets {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prints one line to standard output, where GitHub reads annotations. */
  print(line: string): void;
}

/** Writes all wanted reports independently. Returns the errors, one sentence each. */
export function writeReports(report: Report, { files, github }: Reports, outlets: Outlets): readonly string[] {
  const problems = files.map(({ format, file }) =>
    problemWith(`The ${format} report`, file, () => writeWhole(file, writers[format](report))),
  );
  if (github) problems.push(writeGithub(report, outlets));
  return problems.filter(problem => problem !== undefined);
}

const UNFINISHED = 'The run has not finished, or it finished without results. See its output.';

interface UnfinishedRun {
  /** The program and the command, as in `cwx-fake conform`. */
  readonly tool: string;
  readonly version: string;
  /** Why the run does not begin. Empty: it does. */
  readonly errors: readonly string[];
}

/**
 * Overwrites the reports of an earlier run, so that nobody mistakes them for those of this run, however it ends. `report`: the value of the flag, which may be
 * wrong. Failures to write are reported at the end.
 */
export function overwriteReports(report: string, run: UnfinishedRun): void {
  const reports = parseReports(report);
  if ('problem' in reports) return;
  const kept = reports.files.filter(({ file }) => isKept(file));
  writeReports(unfinishedReport(run), { files: kept, github: false }, { env: {}, print: () => {} });
}

/** One check, which failed. */
export function unfinishedReport({ tool, version, errors }: UnfinishedRun): Report {
  const message = (errors.length > 0 ? errors : [UNFINISHED]).join('\n');
  return {
    tool,
    version,
    title: `${tool} has no results`,
    startedAt: new Date().toISOString(),
    duration: 0,
    checks: [{ suite: tool, name: 'the run has results', verdict: 'failed', duration: 0, message }],
  };
}

function writeGithub(report: Report, { env, print }: Outlets): string | undefined {
  for (const line of annotations(report)) print(line);
  const summary = env.GITHUB_STEP_SUMMARY;
  if (summary === undefined || summary === '') return undefined;
  // The empty line separates it from the output of earlier commands in the step.
  return problemWith('The summary for GitHub', summary, () => appendFileSync(summary, `\n${markdown(report)}`));
}

function problemWith(what: string, file: string, write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return `${what} cannot be written to ${JSON.stringify(file)}: ${reasonOf(error)}.`;
  }
}

/** The system's words, such as `permission denied`. Throws an error without a code: it is a bug. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) throw error;
  return /^\w+: (.+?)(?:, \w+\b.*)?$/s.exec(error.message)?.[1] ?? String(error.code);
}
