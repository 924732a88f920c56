// `cwx-fake conform`: plays the rules suite against another server and judges each rule. Its runner is loaded on demand, to keep the start of `serve`
// fast.
import { rulesMeant } from '../../remote/conform/suite.js';
import { outsideFlags } from '../../remote/remote-flags.js';
import type { Command } from '../command.js';

const only = {
  name: 'only',
  value: 'rule',
  description: 'a rule, or a prefix such as groups.*; repeatable',
  repeatable: true,
  check: (value: string) => {
    const meant = rulesMeant(value);
    return 'problem' in meant ? meant.problem : undefined;
  },
} as const;

const verbose = { name: 'verbose', description: 'show every failed step of a broken rule' } as const;

export const conform: Command = {
  name: 'conform',
  summary: 'Check which rules of the document a server keeps. Lists its changes and asks before it makes them.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: [...outsideFlags, only, verbose],
  examples: [
    [
      'cwx-fake conform --target https://wiki.example.com/confluence --as admin:secret --map names.yaml',
      'check your server',
    ],
    ['cwx-fake conform --target http://127.0.0.1:8080 --yes --only groups.*', 'check some rules, without asking'],
    ['cwx-fake conform --target http://127.0.0.1:8080 --yes --report junit=conform.xml,github', 'in CI'],
  ],
  async run(args, process) {
    const { runConform } = await import('./conform-run.js');
    return runConform(args, process);
  },
};
