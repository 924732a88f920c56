// `cwx-fake calibrate`: finds the readings of another server, as a file for `serve --readings`. Its runner is loaded on demand, to keep the start of
// `serve` fast.
import { outsideFlags } from '../../remote/remote-flags.js';
import type { Command } from '../command.js';

export const calibrate: Command = {
  name: 'calibrate',
  summary: 'Find out which readings a server follows. Lists its changes and asks before it makes them.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: outsideFlags,
  examples: [
    [
      'cwx-fake calibrate --target https://wiki.example.com/confluence --as admin:secret --map names.yaml > readings.yaml',
      'probe your server and keep its readings',
    ],
    ['cwx-fake serve --readings readings.yaml', 'serve a fake with these readings'],
    ['cwx-fake calibrate --target http://127.0.0.1:8080 --yes', 'change things without asking'],
  ],
  async run(args, process) {
    const { runCalibrate } = await import('./calibrate-run.js');
    return runCalibrate(args, process);
  },
};
