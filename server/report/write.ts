// Puts reports where they are wanted: into files, and before GitHub. What goes wrong there is told, never thrown, because a run has an
// outcome of its own.
import { appendFileSync } from 'node:fs';
import { annotations } from './annotations.js';
import { ctrf } from './ctrf.js';
import type { Format, Reports } from './formats.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import type { Report } from './report.js';
import { isKept, writeWhole } from './whole-file.js';

const writers: Readonly<Record<Format, (report: Report) => string>> = {
  junit,
  ctrf: report => `${JSON.stringify(ctrf(report), null, 2)}\n`,
  md: markdown,
};

export interface Outlets {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes one line for standard output, where GitHub looks for annotations. */
  print(line: string): void;
}

/** Writes the reports that are wanted, each whatever becomes of the others. What comes back are problems, one sentence each. */
export function writeReports(report: Report, { files, github }: Reports, outlets: Outlets): readonly string[] {
  const problems = files.map(({ format, file }) =>
    problemWith(`The ${format} report`, file, () => writeWhole(file, writers[format](report))),
  );
  if (github) problems.push(writeGithub(report, outlets));
  return problems.filter(problem => problem !== undefined);
}

/**
 * Puts in the place of the report files that are there already one that says that the run has not ended: whatever becomes of the run, none of
 * an earlier one is taken for its own. What cannot be written is told when the run ends.
 */
export function outdateReports(unfinished: Report, { files }: Reports, outlets: Outlets): void {
  writeReports(unfinished, { files: files.filter(({ file }) => isKept(file)), github: false }, outlets);
}

function writeGithub(report: Report, { env, print }: Outlets): string | undefined {
  for (const line of annotations(report)) print(line);
  const summary = env.GITHUB_STEP_SUMMARY;
  if (summary === undefined || summary === '') return undefined;
  // The empty line parts it from what an earlier command of the same step has left there.
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

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written there',
  EPERM: 'it may not be written there',
  EROFS: 'nothing can be written there',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  ENOENT: 'there is no such place',
  ENOSPC: 'there is no space left',
  EDQUOT: 'there is no space left for this user',
  EFBIG: 'it is larger than a file may be there',
  ENXIO: 'it cannot be opened for writing',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

/** An error without a code is ours, and no fault of the place. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) throw error;
  return reasons[String(error.code)] ?? String(error.code);
}
