// Failures and guesses as annotations for GitHub Actions.
import { plainReport, shortened } from './plain.js';
import type { Check, Report } from './report.js';

/** Maximum characters of evidence: the report has the rest. */
const LONGEST = 4000;

/** One line for each failed check, then one for each warning. GitHub shows ten of each kind, the others in the log. */
export function annotations(report: Report): string[] {
  const { checks } = plainReport(report);
  const failed = checks.filter(({ verdict }) => verdict === 'failed');
  const warned = checks.filter(({ verdict }) => verdict === 'passed');
  return [
    ...failed.map(check => annotation('error', check.message ?? 'This check failed.', check)),
    ...warned.flatMap(check => (check.warning === undefined ? [] : annotation('warning', check.warning, check))),
  ];
}

function annotation(kind: 'error' | 'warning', message: string, { suite, name, details, file, line }: Check): string {
  const properties = Object.entries({ file, line, title: `${suite} › ${name}` })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${property(String(value))}`)
    .join(',');
  return `::${kind} ${properties}::${data(shortened(details === undefined ? message : `${message}\n${details}`, LONGEST))}`;
}

/** The percent sign first, so that others are not escaped twice. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
