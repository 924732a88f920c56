// A list of checks for a terminal: each with a mark, the reason, and its evidence below; then the totals.
import { counted } from '../../server/derive/text/counted.js';
import { visible } from '../../server/derive/text/visible.js';
import type { Paint } from '../../server/process/colors.js';
import { type Check, countsOf, type Report } from './report.js';

/** A mark and its colour by how something ended; `warned`: it passed on a guess. */
export const verdictMarks = {
  passed: ['✔', 'green'],
  warned: ['!', 'yellow'],
  failed: ['✘', 'red'],
  undetermined: ['–', 'yellow'],
} as const;

/** `✘ ppf.push · status is 200, not 400`, with the evidence indented below. */
export function checkLines(check: Check, paint: Paint): string[] {
  const { name, verdict, message, warning, remark = message ?? warning ?? '', details } = check;
  const [mark, format] = verdictMarks[verdict === 'passed' && warning !== undefined ? 'warned' : verdict];
  const why = remark === '' ? '' : paint('dim', ` · ${visible(remark)}`);
  const evidence = details === undefined ? [] : details.split('\n').map(line => `    ${visible(line)}`);
  return [`${paint(format, mark)} ${visible(name)}${why}`, ...evidence];
}

/** `✔ Contracts verified against a fake in this process: 2 passed, 1 warning, 0 failed, 0 undetermined`. */
export function totalsLine(
  { title, checks, isUnfinished = false }: Pick<Report, 'title' | 'checks' | 'isUnfinished'>,
  paint: Paint,
): string {
  const { passed, failed, undetermined, warned } = countsOf(checks);
  const warnings = warned === 0 ? '' : `, ${counted(warned, 'warning')}`;
  const [mark, format] = verdictMarks[failed > 0 ? 'failed' : passed > 0 && !isUnfinished ? 'passed' : 'undetermined'];
  const counts = `${passed - warned} passed${warnings}, ${failed} failed, ${undetermined} undetermined`;
  return paint(['bold', format], `${mark} ${visible(title)}: ${counts}`);
}
