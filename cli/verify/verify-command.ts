// `cwx-fake verify`: checks whether a server meets Pact contracts, and whether the document promises what they expect. Its runner is loaded on
// demand, to keep the start of `serve` fast.
import type { Command } from '../command.js';
import { verifyFlags } from './verify-flags.js';

export const verify: Command = {
  name: 'verify',
  summary: 'Verify Pact contracts, and report where a client relies on something that the document does not promise.',
  usage: '<pact file, folder, URL or broker…>',
  minArgs: 0, // PACT_BROKER_BASE_URL may replace it
  maxArgs: Number.POSITIVE_INFINITY,
  flags: verifyFlags,
  examples: [
    ['cwx-fake verify pacts/', 'verify every pact of a folder against a fake'],
    ['cwx-fake verify pacts/web-push-pull.json --sensitivity', 'also try every other reading'],
    ['cwx-fake verify pacts/ --strict --report junit=pacts.xml,github', 'in CI'],
    ['cwx-fake verify pacts/ --target https://wiki.example.com', 'against another server'],
    [
      'cwx-fake verify https://broker.example.com --selector mainBranch --publish --provider-version 1.2.3',
      'verify the pacts of a broker and publish the results',
    ],
  ],
  async run(args, process) {
    const { runVerify } = await import('./verify-run.js');
    return runVerify(args, process);
  },
};
