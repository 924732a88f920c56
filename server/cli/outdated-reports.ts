// However a run ends, a report of an earlier one is not taken for its own: the files are overwritten before it begins.
import type { Process } from '../command-process.js';
import { packageVersion } from '../package.js';
import { parseReports } from '../report/formats.js';
import { unfinishedReport } from '../report/unfinished.js';
import { outdateReports } from '../report/write.js';

const UNFINISHED = 'The run has not ended, or it has ended without results: its output says why.';

/** `command`: as in `conform`. `report`: the value of its flag, which may be wrong. `mistakes`: why the run does not begin. */
export function overwriteReports(command: string, report: string, mistakes: readonly string[], process: Process): void {
  const reports = parseReports(report);
  if ('problem' in reports) return;
  const reasons = mistakes.length > 0 ? mistakes : [UNFINISHED];
  const unfinished = unfinishedReport(`cwx-fake ${command}`, reasons, packageVersion());
  outdateReports(unfinished, reports, { env: process.env, print: () => {} });
}
