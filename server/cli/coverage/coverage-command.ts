// `cwx-fake coverage`: its flags and help. Its runner is loaded on demand.
import { baseUrl } from '../../settings/flag-checks.js';
import { targetToken } from '../../settings.js';
import type { Command } from '../command.js';

export const coverage: Command = {
  name: 'coverage',
  summary: 'Show which operations, rules and readings requests have met, and which they have not, as Markdown.',
  usage: '[folder or file…]',
  minArgs: 0,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: [
    {
      name: 'url',
      value: 'url',
      description: 'a running fake; repeatable, the counts are added',
      repeatable: true,
      check: value => baseUrl(value),
    },
    { name: 'since', value: 'mark', description: 'only requests after this mark, which --json prints' },
    targetToken,
    { name: 'json', description: 'as JSON' },
  ],
  examples: [
    ['cwx-fake coverage --url http://127.0.0.1:8080', 'of a running fake'],
    ['cwx-fake coverage --url http://a:8080 --url http://b:8080', 'of two replicas together'],
    ['CWX_FAKE_COVERAGE=met npm test && cwx-fake coverage met', 'of a test suite that creates its fakes in process'],
  ],
  run: async (args, process) => (await import('./coverage-run.js')).runCoverage(args, process),
};
