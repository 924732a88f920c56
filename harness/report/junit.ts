// A report as JUnit XML, in the common dialect of CI systems.
import { plainReport } from './plain.js';
import { type Check, countsOf, evidenceOf, type Report, type Suite, suitesOf, timeOf } from './report.js';

/**
 * Follows the schema of Jenkins' xUnit plugin (junit-10.xsd) except for `file` and `line` of test cases, which other CIs link. So labels and warnings
 * are in `system-out`, and each suite has the properties.
 */
export function junit(report: Report): string {
  const { title, checks, duration, startedAt, properties = {} } = plainReport(report);
  const attributes = { name: title, tests: checks.length, failures: countsOf(checks).failed, errors: 0 };
  const started = new Date(startedAt).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length); // UTC, as Ant writes it
  const suites = suitesOf(checks).map(suite => suiteElement(suite, started, properties));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { ...attributes, time: seconds(duration) }, suites)}\n`;
}

function suiteElement(
  { name, checks }: Suite,
  timestamp: string,
  properties: Readonly<Record<string, string>>,
): string {
  const { failed, undetermined: skipped } = countsOf(checks);
  const facts = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  return element(
    'testsuite',
    { name, tests: checks.length, failures: failed, errors: 0, skipped, time: seconds(timeOf(checks)), timestamp },
    [...(facts.length > 0 ? [element('properties', {}, facts)] : []), ...checks.map(caseElement)],
  );
}

function caseElement(check: Check): string {
  const { suite, name, duration, warning, file, line, labels = [] } = check;
  const output = [
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
    ...(labels.length > 0 ? [`Labels: ${labels.join(', ')}`] : []),
  ];
  return element('testcase', { classname: suite, name, time: seconds(duration), file, line }, [
    ...outcome(check),
    ...(output.length > 0 ? [textElement('system-out', {}, output.join('\n'))] : []),
  ]);
}

/** The text of a failure repeats its message: GitLab shows nothing else. */
function outcome(check: Check): string[] {
  const { verdict, message, details } = check;
  if (verdict === 'passed') return [];
  if (verdict === 'undetermined') return [textElement('skipped', { message }, details ?? '')];
  return [textElement('failure', { message, type: 'failed' }, evidenceOf(check).join('\n'))];
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  if (children.length === 0) return `<${name}${written(attributes)}/>`;
  const lines = children.map(child => `\n${child}`).join('');
  return `<${name}${written(attributes)}>${lines}\n</${name}>`;
}

/** Without additional line breaks, which would be content. */
function textElement(name: string, attributes: Attributes, text: string): string {
  return `<${name}${written(attributes)}${text === '' ? '/>' : `>${escaped(text)}</${name}>`}`;
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replace(/[\t\n]/g, reference)}"`)
    .join('');
}

/** Escapes what XML readers normalize: carriage returns, and line feeds and tabs in attributes. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"\r]/g, char => entities[char] ?? reference(char));
}

function reference(char: string): string {
  return `&#${char.charCodeAt(0)};`;
}

function seconds(duration: number): string {
  return (duration / 1000).toFixed(3);
}
