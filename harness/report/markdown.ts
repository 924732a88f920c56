// A report as Markdown for a GitHub job summary.
import { counted } from '../../server/derive/text/counted.js';
import { markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { plainReport, shortened } from './plain.js';
import { type Check, countsOf, evidenceOf, type Part, type Report, suitesOf, timeOf } from './report.js';

/** Maximum bytes of each part. GitHub rejects summaries over 1 MiB, and two runs may share a step. */
const MAX_OF_SUITES = 80_000;
const MAX_OF_FAILED = 300_000;
const MAX_OF_SKIPPED = 80_000;
const MAX_OF_WARNED = 20_000;
const MAX_OF_PARTS = 40_000;
/** Characters. */
const LONGEST_INLINE = 300;
const LONGEST_BLOCK = 20_000;

export function markdown(report: Report): string {
  const { title, checks, duration, properties = {}, parts: further = [] } = plainReport(report);
  const facts = Object.entries(properties).map(([name, value]) => `- ${inline(name)}: ${inline(value)}`);
  const parts = [
    [`## ${inline(title)}`],
    [countsLine(checks, duration)],
    fitting(facts, MAX_OF_SUITES, 'fact', 'facts'),
    suitesTable(checks),
    failedPart(checks.filter(({ verdict }) => verdict === 'failed')),
    warnedPart(checks.filter(({ verdict, warning }) => verdict === 'passed' && warning !== undefined)),
    ...further.map(part => furtherPart(part, MAX_OF_PARTS / further.length)),
    skippedPart(checks.filter(({ verdict }) => verdict === 'undetermined')),
  ];
  return parts
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Escapes text for any place: within a line, at its start, in a table, beside HTML. */
export function inline(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&#124;' };
  return shortened(text.replace(/\s+/g, ' ').trim(), LONGEST_INLINE)
    .replace(/[&<>|\\`*_[\]~$#]/g, char => entities[char] ?? `\\${char}`)
    .replace(/^(\d*)([-+=.)])/, '$1\\$2');
}

function countsLine(checks: readonly Check[], duration: number): string {
  const { passed, failed, undetermined, warned } = countsOf(checks);
  if (checks.length === 0) return `**No checks** in ${shownTime(duration)}.`;
  const all = counted(checks.length, 'check');
  return `**${all}**: ${passed - warned} passed${warned === 0 ? '' : `, ${counted(warned, 'warning')}`}, ${failed} failed, ${undetermined} skipped, in ${shownTime(duration)}.`;
}

function suitesTable(checks: readonly Check[]): string[] {
  const rows = suitesOf(checks).map(({ name, checks: members }) => {
    const { passed, failed, undetermined, warned } = countsOf(members);
    const counts = [passed - warned, warned, failed, undetermined].map(String);
    return [inline(name), ...counts, shownTime(timeOf(members))];
  });
  if (rows.length === 0) return [];
  const [heads = '', rule = '', ...lines] = markdownTable(
    ['Suite', 'Passed', 'Warnings', 'Failed', 'Skipped', 'Time'],
    rows,
  );
  return [heads, rule, ...fitting(lines, MAX_OF_SUITES, 'suite', 'suites')];
}

function failedPart(checks: readonly Check[]): string[] {
  if (checks.length === 0) return [];
  return ['### Failed', ...fitting(checks.map(failedCheck), MAX_OF_FAILED, 'failed check', 'failed checks')];
}

function failedCheck(check: Check): string {
  const { file, line, labels = [] } = check;
  const place = file === undefined ? [] : [`In ${inline(line === undefined ? file : `${file}:${line}`)}.`];
  const stands = labels.length === 0 ? [] : [`Labels: ${inline(labels.join(', '))}.`];
  const evidence = evidenceOf(check).join('\n\n');
  return [
    '',
    `#### ${headline(check)}`,
    ...(place.length + stands.length > 0 ? ['', [...place, ...stands].join(' ')] : []),
    ...(evidence === '' ? [] : ['', block(evidence)]),
  ].join('\n');
}

function warnedPart(checks: readonly Check[]): string[] {
  if (checks.length === 0) return [];
  const items = checks.map(check => {
    const { warning = '', file, line } = check;
    const place = file === undefined ? '' : ` (${inline(line === undefined ? file : `${file}:${line}`)})`;
    return `- ${headline(check)}: ${inline(warning)}${place}`;
  });
  return ['### Rests on a guess', '', ...fitting(items, MAX_OF_WARNED, 'check', 'checks')];
}

function furtherPart({ title, says, heads, rows }: Part, most: number): string[] {
  const sentences = says.flatMap(text => ['', inline(text)]);
  const [head = '', rule = '', ...lines] = markdownTable(
    heads.map(inline),
    rows.map(row => row.map(inline)),
  );
  const shown = rows.length === 0 ? [] : ['', head, rule, ...fitting(lines, most, 'row', 'rows')];
  return [`### ${inline(title)}`, ...sentences, ...shown];
}

function skippedPart(checks: readonly Check[]): string[] {
  if (checks.length === 0) return [];
  const items = checks.map(check => {
    const reason = check.message === undefined ? '' : `: ${inline(check.message)}`;
    return `- ${headline(check)}${reason}`;
  });
  const shown = fitting(items, MAX_OF_SKIPPED, 'skipped check', 'skipped checks');
  return ['<details>', `<summary>${checks.length} skipped</summary>`, '', ...shown, '', '</details>'];
}

function headline({ suite, name }: Check): string {
  return `${inline(suite)} › ${inline(name)}`;
}

/** A fenced block whose fence is longer than any inside. */
function block(text: string): string {
  const shown = shortened(text.replace(/\r\n?/g, '\n').replace(/\n$/, ''), LONGEST_BLOCK);
  const longest = [...shown.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

/** The parts that fit into a number of bytes, and the number of the others. */
function fitting(parts: readonly string[], most: number, one: string, several: string): string[] {
  let bytes = 0;
  const end = parts.findIndex(part => {
    bytes += Buffer.byteLength(part) + 1;
    return bytes > most;
  });
  if (end === -1) return [...parts];
  const left = parts.length - end;
  return [...parts.slice(0, end), '', `And ${left} more ${left === 1 ? one : several}.`];
}

function shownTime(duration: number): string {
  return duration < 1000 ? `${Math.round(duration)} ms` : `${(duration / 1000).toFixed(1)} s`;
}
