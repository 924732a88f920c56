// `cwx-fake doctor`: attacks a running fake and reports which attacks it withstands. Its runner is loaded on demand.
import type { Command } from '../command.js';
import { doctorFlags } from './doctor-flags.js';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Attack a running fake, harmlessly, in a sandbox of its own, and report weaknesses.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: doctorFlags,
  examples: [
    ['cwx-fake doctor', 'attack the fake on http://127.0.0.1:8080, for less than 15 seconds'],
    ['cwx-fake doctor --thorough', 'also wait until it closes slow connections'],
    ['cwx-fake doctor --target http://192.0.2.7:8080 --control-token t', 'attack one beyond loopback'],
    ['cwx-fake doctor --only foreign-* --only cors-headers', 'some attacks'],
    ['cwx-fake doctor --patience 3 --report junit=doctor.xml', 'in CI, for a server started with --request-timeout 2'],
  ],
  async run(args, process) {
    const { runDoctor } = await import('./doctor-run.js');
    return runDoctor(args, process);
  },
};
