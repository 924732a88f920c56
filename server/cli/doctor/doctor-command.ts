// `cwx-fake doctor`: checks a set-up or a running fake. Its runner is loaded on demand.
import { baseUrl } from '../../settings/flag-checks.js';
import { type Flag, serveFlags } from '../../settings.js';
import type { Command } from '../command.js';

export const doctorFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'check this running fake instead of a set-up; of the flags below, only the control token counts',
    check: value => baseUrl(value),
  },
  { name: 'json', description: 'print the results as JSON' },
  ...serveFlags,
];

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check what serve would do with the same flags, or a running fake. Each finding has a fix.',
  usage: '[scenario]',
  minArgs: 0,
  maxArgs: 1,
  flags: doctorFlags,
  examples: [
    ['cwx-fake doctor', 'check the defaults on this machine'],
    ['cwx-fake doctor my-team.yaml --store file:./sandboxes --host 0.0.0.0', 'check what serve would do with them'],
    ['cwx-fake doctor --target http://127.0.0.1:8080', 'check a running fake'],
    ['cwx-fake doctor --json', 'print the results for a program'],
  ],
  async run(args, process) {
    const { runDoctor } = await import('./doctor-run.js');
    return runDoctor(args, process);
  },
};
