// Runs `cwx-fake calibrate`: shows each finding as it comes, and prints the readings to standard output, everything else to standard error.

import type { Process } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { checkOf } from '../../remote/calibrate/calibrate-report.js';
import { knowledgeOf } from '../../remote/calibrate/knowledge.js';
import { inWorld, loadProbes } from '../../remote/calibrate/probes.js';
import { readingsText } from '../../remote/calibrate/readings-text.js';
import { isProblems } from '../../scenario/yaml/problem.js';
import type { Arguments, ExitCode } from '../command.js';
import { showChecks } from '../terminal/show-checks.js';
import { type Conclusion, type RemoteCommand, type RemoteRun, runRemote } from './remote-run.js';

export function runCalibrate(args: Arguments, process: Process): Promise<ExitCode> {
  const command: RemoteCommand = {
    name: 'calibrate',
    to: 'stderr',
    load: (folders, world) => {
      const probes = loadProbes(folders);
      return isProblems(probes) ? probes : { probes: inWorld(probes, world), suite: [] };
    },
    conclude: run => conclude(run, process),
  };
  return runRemote(command, args, process);
}

async function conclude(run: RemoteRun, { stdout, stderr, env }: Process): Promise<Conclusion> {
  const { probes, target, url, startedAt } = run;
  const { calibration, cleanup, ended } = await knowledgeOf(probes, target, {
    ...run,
    onFinding: finding => showChecks([checkOf(finding)], stderr, env),
  });
  const cleanups = [cleanup];
  if (calibration === undefined) return { cleanups, ...(ended !== undefined && { ended }) };
  stdout.write(readingsText(calibration, { target: url, version: packageVersion(), at: startedAt.toISOString() }));
  const { findings, readings } = calibration;
  return {
    cleanups,
    report: {
      title: `The readings of ${url}`,
      checks: findings.map(checkOf),
      properties: { target: url, ...readings },
    },
  };
}
