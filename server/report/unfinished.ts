// The report that stands where those of an earlier run stood until a run has results of its own: none of them is taken for this run's.
import type { Report } from './report.js';

/** One check, which failed for these reasons. `tool`: as in `cwx-fake conform`. */
export function unfinishedReport(tool: string, reasons: readonly string[], version: string): Report {
  return {
    tool,
    version,
    title: `${tool} has no results`,
    startedAt: new Date().toISOString(),
    duration: 0,
    checks: [{ suite: tool, name: 'the run has results', status: 'failed', duration: 0, message: reasons.join('\n') }],
    properties: {},
  };
}
