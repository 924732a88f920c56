// `cwx-fake verify`: whether the fake, or another server, keeps what Pact contracts expect, and whether the document promises it.
// What runs it is loaded when it is asked for, so that serving does not wait for it.
import type { Command } from '../command.js';
import { verifyFlags } from './verify-flags.js';

export const verify: Command = {
  name: 'verify',
  summary: 'Verify Pact contracts, and tell where a client relies on what the document never promised.',
  usage: '<pact file, folder, URL or broker…>',
  minArgs: 0, // PACT_BROKER_BASE_URL may stand for it
  maxArgs: Number.POSITIVE_INFINITY,
  flags: verifyFlags,
  examples: [
    ['cwx-fake verify pacts/', 'every pact of a folder, against a fake of its own'],
    ['cwx-fake verify pacts/web-push-pull.json --sensitivity', 'and under every other reading of the open questions'],
    ['cwx-fake verify pacts/ --strict --report junit=pacts.xml,github', 'in CI'],
    ['cwx-fake verify pacts/ --target https://wiki.example.com', 'against another server'],
    [
      'cwx-fake verify https://broker.example.com --selector mainBranch --publish --provider-version 1.2.3',
      'what a broker has, with the result back to it',
    ],
  ],
  async run(args, process) {
    const { runVerify } = await import('./verify-run.js');
    return runVerify(args, process);
  },
};
