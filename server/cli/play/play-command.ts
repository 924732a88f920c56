// `cwx-fake play`: what it is called and takes. What plays is loaded when it is asked for, so that serving does not wait for it.
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
    ['cwx-fake play onboarding-a-team --step', 'go on with a key, back with b'],
    ['cwx-fake play scenarios/ --report junit=report.xml', 'play your own scenarios as tests'],
    ['cwx-fake play capsule.json', 'perform what a sandbox was asked again, and compare each answer byte for byte'],
    ['cwx-fake play first-steps --target http://127.0.0.1:8080/~demo', 'play in a sandbox of a fake, and look at it'],
  ],
  run: async (args, process) => (await import('./play-run.js')).runPlay(args, process),
};
