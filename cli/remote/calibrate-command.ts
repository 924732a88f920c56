// `cwx-fake calibrate`: finds the readings of another server, as a file for `serve --readings`. Everything else goes to standard error.

import { calibrate as calibrateFrom } from '../../harness/calibrate/calibrate.js';
import { checkOfReading, readingsText } from '../../harness/calibrate/calibrate-report.js';
import { inWorld, loadProbes } from '../../harness/calibrate/probes.js';
import type { Process } from '../../server/process/command-process.js';
import { packageVersion } from '../../server/process/package.js';
import { clientCertificateFlags } from '../../server/settings/serve-flags.js';
import { type Arguments, type Command, type ExitCode, usable } from '../command/command.js';
import { Progress } from '../terminal/progress.js';
import { showChecks } from '../terminal/show-checks.js';
import { outsideFlags } from './remote-flags.js';
import { runRemote } from './remote-run.js';

export const calibrateCommand: Command = {
  name: 'calibrate',
  summary:
    'Find out which readings a server follows. Before it changes anything there, it lists the changes and asks for confirmation.',
  usage: '',
  flags: [...outsideFlags, ...clientCertificateFlags],
  examples: [
    [
      'cwx-fake calibrate --target https://wiki.example.com/confluence --as admin:secret --map names.yaml > readings.yaml',
      'probe your server and save its readings',
    ],
    ['cwx-fake serve --readings readings.yaml', 'serve a fake with these readings'],
    ['cwx-fake calibrate --target http://127.0.0.1:8080 --yes', 'probe without asking first'],
  ],
  run: runCalibrate,
};

function runCalibrate(args: Arguments, process: Process): Promise<ExitCode> {
  const { stdout, stderr, env } = process;
  return runRemote(
    {
      name: 'calibrate',
      to: 'stderr',
      load: (folders, world) => ({ probes: inWorld(usable(loadProbes(folders)), world), suite: [] }),
      conclude: async ({ probes }, context, { url, startedAt }) => {
        const progress = new Progress(stderr, probes.length);
        const calibration = await calibrateFrom(probes, context, {
          onProbe: gap => progress.next(gap),
          onFinding: finding => {
            progress.end();
            showChecks([checkOfReading(finding)], stderr, env);
          },
        });
        stdout.write(
          readingsText(calibration, { target: url, version: packageVersion(), at: startedAt.toISOString() }),
        );
        const { findings, readings } = calibration;
        return { title: `The readings of ${url}`, checks: findings.map(checkOfReading), readings };
      },
    },
    args,
    process,
  );
}
