// `cwx-fake play`: its flags and help. Its runner is loaded on demand, to keep the start of `serve` fast.
import type { Command } from '../command.js';
import { playFlags } from './play-flags.js';

export const play: Command = {
  name: 'play',
  summary: 'Play scenarios, as demos and as tests, in this process or against a server.',
  usage: '<scenario…>',
  minArgs: 1,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: playFlags,
  examples: [
    ['cwx-fake play pushing-favourites', 'play a scenario by its name'],
    ['cwx-fake play onboarding-a-team --step', 'step by step: Enter or Space goes on, q ends'],
    ['cwx-fake play scenarios/ --report junit=report.xml', 'play your own scenarios as tests'],
    ['cwx-fake record > seen.yaml; cwx-fake play seen.yaml', 'play what a running fake was asked'],
    [
      'cwx-fake play first-steps --target http://127.0.0.1:8080/~demo',
      'play in a sandbox of a fake, and inspect it afterwards',
    ],
  ],
  run: async (args, process) => (await import('./play-run.js')).runPlay(args, process),
};
