// The exit codes of all commands as a page.
import { exit } from '../../cli/command/command.js';
import { code, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { page } from './page.js';

const MEANINGS: Readonly<Record<keyof typeof exit, readonly [meaning: string, example: string]>> = {
  passed: ['passed', 'every step passed; the contracts hold; a server that was told to stop has stopped'],
  failed: ['failed', 'a step or a contract failed; a rule is contradicted; the doctor has a finding'],
  usage: [
    'wrong usage or input',
    'an unknown flag, a file that does not load, a store that refuses, a port that is taken',
  ],
  empty: [
    'the run was empty',
    'no scenario, no interaction, no reading could be found out: nothing verified is never a success',
  ],
  unreachable: ['unreachable', 'the target, the broker or the store cannot be reached'],
  interrupted: ['interrupted', 'Ctrl-C ended a run before its end'],
};

export function exitCodesPage(): string {
  const names = Object.keys(MEANINGS) as ReadonlyArray<keyof typeof exit>; // keys of a literal
  return page({
    title: 'Exit codes',
    lead: 'How commands end, for scripts that react to it.',
    body: markdownTable(
      ['code', 'means', 'for instance'],
      names.map(name => [code(String(exit[name])), ...MEANINGS[name]]),
    ),
    next: '[run in CI](../how-to/run-in-ci.md).',
  });
}
