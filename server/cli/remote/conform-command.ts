// `cwx-fake conform`: the suite against a server that is not ours, with an answer for each rule.
// What runs it is loaded when it is asked for, so that serving does not wait for it.
import { rulesMeant } from '../../remote/conform/suite.js';
import { outsideFlags } from '../../remote/remote-flags.js';
import type { Command } from '../command.js';

const only = {
  name: 'only',
  value: 'rule',
  description: 'a rule, or all that begin alike, as in groups.*; may be given several times',
  repeatable: true,
  check: (value: string) => {
    const meant = rulesMeant(value);
    return 'problem' in meant ? meant.problem : undefined;
  },
} as const;

export const conform: Command = {
  name: 'conform',
  summary: 'Ask any server which rules of the document hold there; tells what it will change before it does.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  flags: [...outsideFlags, only],
  examples: [
    [
      'cwx-fake conform --target https://wiki.example.com/confluence --as admin:secret --map names.yaml',
      'ask a server of yours',
    ],
    ['cwx-fake conform --target http://127.0.0.1:8080 --yes --only groups.*', 'some rules, without being asked'],
    ['cwx-fake conform --target http://127.0.0.1:8080 --yes --report junit=conform.xml,github', 'in CI'],
  ],
  async run(args, process) {
    const { runConform } = await import('./conform-run.js');
    return runConform(args, process);
  },
};
