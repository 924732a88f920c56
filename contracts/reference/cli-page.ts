// The commands and their flags as a page: what `--help` prints, since that is made from the flags.
import { code, fenced, table } from '../../server/derive/text/markdown-syntax.js';
import { page } from './page.js';
import { printed } from './printed.js';

const overview = await printed(['--help']);
const commands = [...overview.matchAll(/^ {2}(\w+) {2,}(\S.*)$/gm)].map(([, name = '', summary = '']) => ({
  name,
  summary,
}));
const helps = new Map(
  await Promise.all(commands.map(async ({ name }) => [name, await printed([name, '--help'])] as const)),
);

/** The pages of all commands, by their paths. */
export const commandPages: Readonly<Record<string, () => string>> = {
  'cli.md': cliPage,
  ...Object.fromEntries(commands.map(({ name, summary }) => [`cli/${name}.md`, () => commandPage(name, summary)])),
};

function cliPage(): string {
  return page({
    title: 'Commands and flags',
    reader: 'looks up a command',
    body: [
      'In a project write `npx cwx-fake`; in a clone `node dist/server/cli.js`. A flag wins over its environment variable, which wins over the',
      'default. The variable of `--max-body` is `CWX_FAKE_MAX_BODY`, and so on. `cwx-fake <command> --help` prints what its page says.',
      '',
      ...table(
        ['command', 'does'],
        commands.map(({ name, summary }) => [`[${code(name)}](cli/${name}.md)`, summary]),
      ),
      '',
      '`play`, `verify`, `sensitivity`, `conform` and `calibrate` show a list of checks: `✔` passed, `!` passed on a guess, `✘` failed, `–` undetermined.',
      'The reason is beside the name, the evidence below it, and the last line has the totals. `doctor` does the same with fixes; its `!` is a warning.',
    ],
    next: '[exit codes](exit-codes.md).',
  });
}

function commandPage(name: string, summary: string): string {
  return page({
    title: `cwx-fake ${name}`,
    reader: 'looks up a flag',
    body: [summary, '', ...fenced('text', helps.get(name) ?? '')],
    next: '[all commands](../cli.md), or [exit codes](../exit-codes.md).',
  });
}
