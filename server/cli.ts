#!/usr/bin/env node
// The command line: finds the command, reads its arguments, ends with its exit code.
import { calibrate } from './commands/calibrate.js';
import { check } from './commands/check.js';
import { type Command, exit, helpOf, readArguments } from './commands/command.js';
import { conform } from './commands/conform.js';
import { doctor } from './commands/doctor.js';
import { documents } from './commands/documents.js';
import { play } from './commands/play.js';
import { record } from './commands/record.js';
import { serve } from './commands/serve.js';
import { verify } from './commands/verify.js';
import { nearest, nearestName } from './engine/nearest.js';
import { packageVersion } from './package.js';
import { defaultFolders, findNamed } from './scenario/folders.js';

const commands: readonly Command[] = [serve, play, record, verify, conform, calibrate, check, doctor, ...documents];
const names = commands.map(({ name }) => name);

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === 'help' && rest[0] !== undefined && find(rest[0]) === undefined) return sayUnknown(rest[0]);
  if (first === 'help' || (first === '--help' && rest.length === 0) || first === '-h') return say(overview(rest[0]));
  if (first === '--version' || first === '-v') return say(packageVersion());
  const named = find(first);
  if (named === undefined && isMistyped(first)) return sayUnknown(first);
  const command = named ?? serve;
  const args = named === undefined ? argv : rest;
  if (args.includes('--help') || args.includes('-h')) return say(helpOf(command));
  const read = readArguments(command, args, process.env);
  if (!('mistakes' in read)) return command.run(read);
  process.stderr.write(
    `${read.mistakes.map(mistake => `cwx-fake ${command.name}: ${mistake}`).join('\n')}\ncwx-fake ${command.name} --help says more\n`,
  );
  return exit.usage;
}

function find(name: string | undefined): Command | undefined {
  return commands.find(command => command.name === name);
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

function overview(name: string | undefined): string {
  const command = find(name);
  if (command !== undefined) return helpOf(command);
  const width = Math.max(...commands.map(other => other.name.length)) + 2;
  return [
    'cwx-fake [command] [flags]',
    '',
    'A stateful fake of the wiki extension API and of the push/pull favourites API.',
    '',
    ...commands.map(other => `  ${other.name.padEnd(width)}${other.summary}`),
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
process.exitCode = await main(process.argv.slice(2));
