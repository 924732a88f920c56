// `cwx-fake doctor`: attacks a running fake and tells what held. What runs it is loaded when it is asked for.
import type { Command } from '../command.js';
import { doctorFlags } from './doctor-flags.js';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Attack a running fake, politely, in a sandbox of its own, and tell what held and what is open.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: doctorFlags,
  examples: [
    ['cwx-fake doctor', 'attack the fake on http://127.0.0.1:8080, for less than 15 seconds'],
    ['cwx-fake doctor --thorough', 'the same, and wait until it closes slow connections'],
    ['cwx-fake doctor --target http://192.0.2.7:8080 --control-token t', 'one beyond loopback'],
    ['cwx-fake doctor --only foreign-* --only cors-headers', 'some attacks'],
    ['cwx-fake doctor --patience 3 --report junit=doctor.xml', 'in CI, of a server started with --request-timeout 2'],
  ],
  async run(args, process) {
    const { runDoctor } = await import('./doctor-run.js');
    return runDoctor(args, process);
  },
};
