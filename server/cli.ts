#!/usr/bin/env node
// The command line: finds the command, reads its arguments, ends with its exit code.
import { type Command, exit, helpOf, readArguments } from './commands/command.js';
import { nearest, nearestName } from './engine/nearest.js';
import { packageVersion } from './package.js';
import { defaultFolders, findNamed } from './scenario/folders.js';

/** Each command is loaded when it is wanted, so that none waits for the others. */
const commands = {
  serve: async () => (await import('./commands/serve.js')).serve,
  play: async () => (await import('./commands/play.js')).play,
  record: async () => (await import('./commands/record.js')).record,
  verify: async () => (await import('./commands/verify.js')).verify,
  conform: async () => (await import('./commands/conform.js')).conform,
  calibrate: async () => (await import('./commands/calibrate.js')).calibrate,
  check: async () => (await import('./commands/check.js')).check,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
  ledger: async () => (await import('./commands/documents.js')).documents.ledger,
  guide: async () => (await import('./commands/documents.js')).documents.guide,
  openapi: async () => (await import('./commands/documents.js')).documents.openapi,
  schema: async () => (await import('./commands/documents.js')).documents.schema,
} as const satisfies Record<string, () => Promise<Command>>;
const names = Object.keys(commands);

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === 'help' && rest[0] !== undefined && !isCommand(rest[0])) return sayUnknown(rest[0]);
  if (first === 'help' || (first === '--help' && rest.length === 0) || first === '-h')
    return say(await overview(rest[0]));
  if (first === '--version' || first === '-v') return say(packageVersion());
  const isNamed = isCommand(first);
  if (!isNamed && isMistyped(first)) return sayUnknown(first);
  const command: Command = await commands[isNamed ? first : 'serve']();
  const args = isNamed ? rest : argv;
  if (args.includes('--help') || args.includes('-h')) return say(helpOf(command));
  const read = readArguments(command, args, process.env);
  if (!('mistakes' in read)) return command.run(read);
  process.stderr.write(
    `${read.mistakes.map(mistake => `cwx-fake ${command.name}: ${mistake}`).join('\n')}\ncwx-fake ${command.name} --help says more\n`,
  );
  return exit.usage;
}

function isCommand(name: string | undefined): name is keyof typeof commands {
  return name !== undefined && Object.hasOwn(commands, name);
}

/** Whether a first word, which may be a scenario to serve, is none and is near the name of a command. */
function isMistyped(word: string | undefined): word is string {
  if (word === undefined || word.startsWith('-') || nearestName(word, names) === undefined) return false;
  const { scenarios, fixtures } = defaultFolders(process.cwd());
  return 'missing' in findNamed(word, [...scenarios, ...fixtures]);
}

function sayUnknown(word: string): number {
  process.stderr.write(
    `there is no command ${JSON.stringify(word)}${nearest(word, names)}: there are ${names.join(', ')}\n`,
  );
  return exit.usage;
}

async function overview(name: string | undefined): Promise<string> {
  if (isCommand(name)) return helpOf(await commands[name]());
  const width = Math.max(...names.map(other => other.length)) + 2;
  const all: readonly Command[] = await Promise.all(Object.values(commands).map(load => load()));
  return [
    'cwx-fake [command] [flags]',
    '',
    'A stateful fake of the wiki extension API and of the push/pull favourites API.',
    '',
    ...all.map(other => `  ${other.name.padEnd(width)}${other.summary}`),
    '',
    'cwx-fake <command> --help says more about a command. serve is the default.',
  ].join('\n');
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return exit.held;
}

/** Whoever reads may have read enough, as `head` has. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
void main(process.argv.slice(2)).then(code => {
  process.exitCode = code;
});
