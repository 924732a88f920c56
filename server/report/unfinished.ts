// The report that stands where those of an earlier run stood until a run has results of its own: however it ends, none of them is taken for its own.
import { parseReports } from './formats.js';
import type { Report } from './report.js';
import { outdateReports } from './write.js';

const UNFINISHED = 'The run has not ended, or it has ended without results: its output says why.';

interface UnfinishedRun {
  /** The program and the command, as in `cwx-fake conform`. */
  readonly tool: string;
  readonly version: string;
  /** Why the run does not begin. Empty: it does. */
  readonly errors: readonly string[];
}

/** Overwrites the files that are there. `report`: the value of the flag, which may be wrong. */
export function overwriteReports(report: string, run: UnfinishedRun): void {
  const reports = parseReports(report);
  if (!('problem' in reports)) outdateReports(unfinishedReport(run), reports, { env: {}, print: () => {} });
}

/** One check, which failed. */
function unfinishedReport({ tool, version, errors }: UnfinishedRun): Report {
  const message = (errors.length > 0 ? errors : [UNFINISHED]).join('\n');
  return {
    tool,
    version,
    title: `${tool} has no results`,
    startedAt: new Date().toISOString(),
    duration: 0,
    checks: [{ suite: tool, name: 'the run has results', verdict: 'failed', duration: 0, message }],
    properties: {},
  };
}
