// The commands and their flags as pages: what `--help` prints, since that is made from the flags; and the exit codes.
import { exit } from '../../cli/command/command.js';
import { code, fenced, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { page } from './page.js';
import { printed } from './printed.js';

/** The pages below cli/ with their commands. All others are for a running fake. */
const groups: Readonly<
  Record<string, { readonly title: string; readonly lead: string; readonly commands: readonly string[] }>
> = {
  serve: {
    title: 'Serve, and set up',
    lead: 'Begin a project, start a fake, and find out what is wrong with a set-up.',
    commands: ['serve', 'init', 'doctor', 'health'],
  },
  play: { title: 'Scenarios', lead: 'Play, record and check scenarios.', commands: ['play', 'record', 'check'] },
  verify: {
    title: 'Contracts and test suites',
    lead: 'Verify contracts, and find the guesses that a client relies on.',
    commands: ['verify', 'sensitivity', 'coverage'],
  },
  conform: {
    title: 'The real service',
    lead: 'Compare a real server with the document.',
    commands: ['conform', 'calibrate', 'proxy'],
  },
  documents: {
    title: 'Documents',
    lead: 'Print what is derived from the operations and formats.',
    commands: ['ledger', 'guide', 'openapi', 'schema', 'completion'],
  },
};
const RUNNING = 'running-fake';

const overview = await printed(['--help']);
const commands = [...overview.matchAll(/^ {2}(\w[\w-]*) {2,}(\S.*)$/gm)].map(([, name = '', summary = '']) => ({
  name,
  summary,
}));
const helps = new Map(
  await Promise.all(commands.map(async ({ name }) => [name, await printed([name, '--help'])] as const)),
);

const pageOf = (name: string) =>
  Object.entries(groups).find(([, { commands }]) => commands.includes(name))?.[0] ?? RUNNING;

/** The pages of all commands, by their paths. */
export const commandPages: Readonly<Record<string, () => string>> = {
  'cli.md': cliPage,
  ...Object.fromEntries(
    Object.entries(groups).map(([file, { title, lead, commands }]) => [
      `cli/${file}.md`,
      () =>
        groupPage(
          title,
          lead,
          commands.map(name => [name, helps.get(name) ?? '']),
        ),
    ]),
  ),
  [`cli/${RUNNING}.md`]: runningPage,
};

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

function cliPage(): string {
  const names = Object.keys(MEANINGS) as ReadonlyArray<keyof typeof exit>; // keys of a literal
  return page({
    title: 'Commands and flags',
    lead: 'All commands.',
    body: [
      'In a project write `npx cwx-fake`; in a clone `node dist/server/cli.js`. A flag wins over its environment variable, which wins over the',
      'default. The variable of `--max-body` is `CWX_FAKE_MAX_BODY`, and so on. `cwx-fake <command> --help` prints what its page says.',
      '',
      ...markdownTable(
        ['command', 'does'],
        commands.map(({ name, summary }) => [`[${code(name)}](cli/${pageOf(name)}.md#cwx-fake-${name})`, summary]),
      ),
      '',
      '`play`, `verify`, `sensitivity`, `conform` and `calibrate` show a list of checks: `✔` passed, `!` passed on a guess, `✘` failed, `–` undetermined.',
      'The reason is beside the name, the evidence below it, and the last line has the totals. `doctor` does the same with fixes; its `!` is a warning.',
      '',
      '## Exit codes',
      '',
      ...markdownTable(
        ['code', 'means', 'for instance'],
        names.map(name => [code(String(exit[name])), ...MEANINGS[name]]),
      ),
    ],
    next: '[run in CI](../how-to/run-in-ci.md).',
  });
}

function groupPage(
  title: string,
  lead: string,
  helps: ReadonlyArray<readonly [name: string, help: string]>,
  before: readonly string[] = [],
): string {
  return page({
    title,
    lead,
    body: [
      ...before,
      ...helps.flatMap(([name, help]) => [`## cwx-fake ${name}`, '', ...fenced('text', help), '']),
    ].slice(0, -1),
    next: '[all commands](../cli.md), with their [exit codes](../cli.md#exit-codes).',
  });
}

/** Flags that only some of the commands for a running fake have. */
const OPTIONAL = ['--sandbox', '--body'];

/** Most commands for a running fake have the same flags: these are printed once. */
function runningPage(): string {
  const parts = commands
    .filter(({ name }) => pageOf(name) === RUNNING)
    .map(({ name }) => {
      const whole = helps.get(name) ?? '';
      const [, usage = '', flags = '', examples = ''] =
        /^([\s\S]*)\nFlags, each[^\n]*\n([\s\S]*?)\n(Examples:[\s\S]*)$/.exec(whole) ?? [];
      return { name, whole, flags, short: `${usage}\n${examples}` };
    });
  const common = parts.find(({ flags }) => OPTIONAL.every(flag => flags.includes(flag)))?.flags ?? '';
  const always = (flags: string) =>
    OPTIONAL.reduce((left, flag) => left.replace(new RegExp(`  ${flag}.*\n.*\n`), ''), flags);
  const isUsual = (flags: string) => always(flags) === always(common);
  const lacking = (flag: string) =>
    parts.flatMap(({ name, flags }) => (isUsual(flags) && !flags.includes(flag) ? [`\`${name}\``] : [])).join(', ');
  return groupPage(
    'A running fake',
    'Look into a running fake, and change it, at `--url`.',
    parts.map(({ name, whole, flags, short }) => [name, isUsual(flags) ? short : whole]),
    [
      'Where no others are named, the flags are these, each with its environment variable.',
      `Commands that do not concern a single existing sandbox have no \`--sandbox\`: ${lacking('--sandbox')}.`,
      `Commands that take no input have no \`--body\`: ${lacking('--body')}.`,
      '',
      ...fenced('text', common),
      '',
    ],
  );
}
