// `cwx-fake calibrate`: which reading of each gap a server that is not ours follows, as a file for `serve --readings`.
// What runs it is loaded when it is asked for, so that serving does not wait for it.
import { outsideFlags } from '../../remote/remote-flags.js';
import type { Command } from '../command.js';

export const calibrate: Command = {
  name: 'calibrate',
  summary: 'Ask any server which readings of the open questions it follows; tells what it will change before it does.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: outsideFlags,
  examples: [
    [
      'cwx-fake calibrate --target https://wiki.example.com/confluence --as admin:secret --map names.yaml > readings.yaml',
      'ask a server of yours, and keep what it shows',
    ],
    ['cwx-fake serve --readings readings.yaml', 'a fake that answers as it does'],
    ['cwx-fake calibrate --target http://127.0.0.1:8080 --yes', 'without being asked before anything is changed'],
  ],
  async run(args, process) {
    const { runCalibrate } = await import('./calibrate-run.js');
    return runCalibrate(args, process);
  },
};
