// The command line: finds the command, reads its arguments, runs it in the process that it is given.

import { type Output, type Process, writeLine, writeLines } from '../command-process.js';
import { nearest, nearestName } from '../engine/nearest.js';
import { packageVersion } from '../package.js';
import { defaultFolders, findNamed } from '../scenario/load/folders.js';
import { type Command, type ExitCode, exit, helpOf, readArguments } from './command.js';

/** Each command is loaded when it is wanted, so that none waits for the others. */
const commands = {
  serve: async () => (await import('./serve.js')).serve,
  play: async () => (await import('./play.js')).play,
  record: async () => (await import('./record.js')).record,
  verify: async () => (await import('./verify.js')).verify,
  conform: async () => (await import('./conform.js')).conform,
  calibrate: async () => (await import('./calibrate.js')).calibrate,
  check: async () => (await import('./check.js')).check,
  doctor: async () => (await import('./doctor.js')).doctor,
  ledger: async () => (await import('./documents.js')).documents.ledger,
  guide: async () => (await import('./documents.js')).documents.guide,
  openapi: async () => (await import('./documents.js')).documents.openapi,
  schema: async () => (await import('./documents.js')).documents.schema,
} as const satisfies Record<string, () => Promise<Command>>;
const names = Object.keys(commands);

/** Resolves with the exit code. */
export async function main(argv: readonly string[], process: Process): Promise<ExitCode> {
  const { stdout, stderr } = process;
  const [first, ...rest] = argv;
  if (first === 'help' && rest[0] !== undefined && !isCommand(rest[0])) return sayUnknown(stderr, rest[0]);
  if (first === 'help' || (first === '--help' && rest.length === 0) || first === '-h')
    return say(stdout, await overview(rest[0]));
  if (first === '--version' || first === '-v') return say(stdout, packageVersion());
  const isNamed = isCommand(first);
  if (!isNamed && isMistyped(first, process.cwd())) return sayUnknown(stderr, first);
  const command: Command = await commands[isNamed ? first : 'serve']();
  const args = isNamed ? rest : argv;
  if (args.includes('--help') || args.includes('-h')) return say(stdout, helpOf(command));
  const read = readArguments(command, args, process.env);
  if (!('mistakes' in read)) return command.run(read, process);
  writeLines(stderr, [
    ...read.mistakes.map(mistake => `cwx-fake ${command.name}: ${mistake}`),
    `cwx-fake ${command.name} --help says more`,
  ]);
  return exit.usage;
}

function isCommand(name: string | undefined): name is keyof typeof commands {
  return name !== undefined && Object.hasOwn(commands, name);
}

/** Whether a first word, which may be a scenario to serve, is none and is near the name of a command. */
function isMistyped(word: string | undefined, cwd: string): word is string {
  if (word === undefined || word.startsWith('-') || nearestName(word, names) === undefined) return false;
  const { scenarios, fixtures } = defaultFolders(cwd);
  return 'missing' in findNamed(word, [...scenarios, ...fixtures]);
}

function sayUnknown(stderr: Output, word: string): ExitCode {
  writeLine(
    stderr,
    `there is no command ${JSON.stringify(word)}${nearest(word, names)}: there are ${names.join(', ')}`,
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

function say(stdout: Output, text: string): ExitCode {
  writeLine(stdout, text);
  return exit.held;
}
