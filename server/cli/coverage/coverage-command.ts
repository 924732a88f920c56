// `cwx-fake coverage`: what it is called and takes. What reads it is loaded when it is asked for.
import { urlFlaw } from '../../remote/target/any-server.js';
import type { Command } from '../command.js';

export const coverage: Command = {
  name: 'coverage',
  summary: 'Tell which operations, rules and readings requests have met, and which they never met, as Markdown.',
  usage: '[folder or file…]',
  minArgs: 0,
  maxArgs: Number.POSITIVE_INFINITY,
  flags: [
    {
      name: 'url',
      value: 'url',
      description: 'a fake that is running; several are added together; may be given several times',
      repeatable: true,
      check: urlFlaw,
    },
    { name: 'since', value: 'mark', description: 'only what came after this mark, which --json tells' },
    {
      name: 'control-token',
      value: 't',
      description: 'the token that the control API of the fakes takes',
      isSecret: true,
    },
    { name: 'json', description: 'as JSON' },
  ],
  examples: [
    ['cwx-fake coverage --url http://127.0.0.1:8080', 'of a fake that is running'],
    ['cwx-fake coverage --url http://a:8080 --url http://b:8080', 'of two replicas together'],
    ['CWX_FAKE_COVERAGE=met npm test && cwx-fake coverage met', 'of a test suite that makes its fakes in process'],
  ],
  run: async (args, process) => (await import('./coverage-run.js')).runCoverage(args, process),
};
