// Parses `--report`.
import { existsSync } from 'node:fs';
import { dirname, normalize } from 'node:path';
import { nearest } from '../../server/engine/nearest.js';
import { checkedBy, checkOutputFolder } from '../../server/settings/flag-checks.js';
import type { Flag } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { parsedBy } from '../../server/settings/settings.js';

/** Formats of files, with typical file names. */
const examples = { junit: 'report.xml', ctrf: 'report.json', md: 'report.md' } as const;

export type Format = keyof typeof examples;

export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

export interface Reports {
  readonly files: readonly ReportFile[];
  /** Whether to write annotations and a job summary for GitHub Actions. */
  readonly github: boolean;
}

export const reportFlag: Flag = {
  name: 'report',
  value: 'junit=f,ctrf=f,md=f,github',
  description: 'write reports to these files; github writes annotations and a job summary',
  check: text => checkedBy(parseReports)(text) ?? folderProblem(text),
};

/** The reports of a checked flag. */
export function reportsIn({ report }: FlagValues): Reports {
  return parsedBy(parseReports, report)[0] ?? { files: [], github: false };
}

/** A file that exists may be a pipe or a device, which needs no permission for its folder. */
function folderProblem(text: string): string | undefined {
  const missing = reportsIn({ report: text }).files.filter(({ file }) => !existsSync(file));
  return missing.map(({ file }) => checkOutputFolder(dirname(file))).find(problem => problem !== undefined);
}

/** Parses `junit=report.xml,github`, or returns the first error. */
export function parseReports(text: string): Reports | { readonly problem: string } {
  let reports: Reports = { files: [], github: false };
  for (const part of text.split(',').map(piece => piece.trim())) {
    const added = part === '' ? { problem: `a report is missing: write ${example('junit')}` } : add(reports, part);
    if ('problem' in added) return added;
    reports = added;
  }
  return reports;
}

function add(reports: Reports, part: string): Reports | { readonly problem: string } {
  const at = part.indexOf('=');
  const name = (at === -1 ? part : part.slice(0, at)).trim();
  const file = at === -1 ? '' : part.slice(at + 1).trim();
  if (name === 'github') {
    if (at !== -1) return { problem: 'the report github does not take a file: write only github' };
    return reports.github ? { problem: 'the report github is given twice' } : { ...reports, github: true };
  }
  if (!isFormat(name)) {
    const names = Object.keys(examples);
    return {
      problem: `there is no report format ${JSON.stringify(name)}${nearest(name, [...names, 'github'])}: use ${names.join(', ')} or github`,
    };
  }
  if (file === '') return { problem: `the report ${name} requires a file: write ${example(name)}` };
  if (file.endsWith('/'))
    return {
      problem: `the report ${name} requires a file, but ${JSON.stringify(file)} is a folder: write ${example(name, file)}`,
    };
  if (reports.files.some(({ format }) => format === name)) return { problem: `the report ${name} is given twice` };
  const other = reports.files.find(taken => normalize(taken.file) === normalize(file));
  if (other !== undefined)
    return {
      problem: `the reports ${other.format} and ${name} need separate files, but both name ${JSON.stringify(file)}`,
    };
  return { ...reports, files: [...reports.files, { format: name, file }] };
}

function isFormat(name: string): name is Format {
  return Object.hasOwn(examples, name);
}

function example(format: Format, folder = ''): string {
  return `${format}=${folder}${examples[format]}`;
}
