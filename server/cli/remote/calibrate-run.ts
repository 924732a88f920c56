// Runs `cwx-fake calibrate`: shows each finding as it comes, and prints the readings to standard output, everything else to standard error.
import type { Process } from '../../process/command-process.js';
import { packageVersion } from '../../process/package.js';
import { calibrate } from '../../remote/calibrate/calibrate.js';
import { checkOf } from '../../remote/calibrate/calibrate-report.js';
import { inWorld, loadProbes } from '../../remote/calibrate/probes.js';
import { readingsText } from '../../remote/calibrate/readings-text.js';
import { isProblems } from '../../scenario/yaml/problem.js';
import type { Arguments, ExitCode } from '../command.js';
import { Progress } from '../terminal/progress.js';
import { showChecks } from '../terminal/show-checks.js';
import { runRemote } from './remote-run.js';

export function runCalibrate(args: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  return runRemote(
    {
      name: 'calibrate',
      to: 'stderr',
      load: (folders, world) => {
        const probes = loadProbes(folders);
        return isProblems(probes) ? probes : { probes: inWorld(probes, world), suite: [] };
      },
      conclude: async ({ probes }, context, { url, startedAt }) => {
        const progress = new Progress(stderr, probes.length);
        const calibration = await calibrate(probes, context, {
          onProbe: gap => progress.next(gap),
          onFinding: finding => {
            progress.end();
            showChecks([checkOf(finding)], stderr, env);
          },
        });
        stdout.write(
          readingsText(calibration, { target: url, version: packageVersion(), at: startedAt.toISOString() }),
        );
        const { findings, readings } = calibration;
        const report = {
          title: `The readings of ${url}`,
          checks: findings.map(checkOf),
          properties: { target: url, ...readings },
        };
        return { report };
      },
    },
    args,
    process,
  );
}
