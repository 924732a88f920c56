// A report in the Common Test Report Format (ctrf.io), for tools that read JSON. Knows no files.
import { plainReport } from './plain.js';
import { type Check, countsOf, type Report, suitesOf } from './report.js';

/** The version of the format: its schema is a fixture of the test. */
const SPEC_VERSION = '0.0.0';

/** The format has whole milliseconds. Labels become tags, because its labels are pairs. It has no place for warnings. */
export function ctrf(report: Report): object {
  const { tool, version, title, startedAt, duration, checks, properties } = plainReport(report);
  const { passed, failed, undetermined } = countsOf(checks);
  const pending = checks.filter(({ isPending }) => isPending).length;
  const start = Date.parse(startedAt);
  const took = Math.round(duration);
  return {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: new Date(start + took).toISOString(),
    generatedBy: `${tool} ${version}`,
    results: {
      tool: { name: tool, version },
      summary: {
        tests: checks.length,
        passed,
        failed,
        skipped: undetermined - pending,
        pending,
        other: 0,
        suites: suitesOf(checks).length,
        start,
        stop: start + took,
        duration: took,
      },
      tests: checks.map(test),
      environment: { reportName: title, ...(properties !== undefined && { extra: properties }) },
    },
  };
}

function test({
  suite,
  name,
  verdict,
  isPending,
  duration,
  message,
  warning,
  details,
  file,
  line,
  labels,
}: Check): object {
  return {
    name,
    status: isPending ? 'pending' : verdict === 'undetermined' ? 'skipped' : verdict,
    duration: Math.round(duration),
    suite: [suite],
    ...(message !== undefined && { message }),
    ...(details !== undefined && { trace: details }),
    ...(file !== undefined && { filePath: file }),
    ...(line !== undefined && { line }),
    ...(labels !== undefined && { tags: labels }),
    ...(warning !== undefined && { extra: { warning } }),
  };
}
