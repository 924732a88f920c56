// The command line: finds the command, reads its arguments, runs it in the process that it is given.

import { type Output, type Process, writeLine, writeLines } from '../command-process.js';
import { nearest, nearestName } from '../engine/nearest.js';
import { packageVersion } from '../package.js';
import { defaultFolders, findNamed } from '../scenario/folders.js';
import { calibrate } from './calibrate.js';
import { check } from './check.js';
import { type Command, type ExitCode, exit, helpOf, readArguments } from './command.js';
import { conform } from './conform.js';
import { doctor } from './doctor.js';
import { documents } from './documents.js';
import { play } from './play.js';
import { record } from './record.js';
import { serve } from './serve.js';
import { verify } from './verify.js';

const commands: readonly Command[] = [serve, play, record, verify, conform, calibrate, check, doctor, ...documents];
const names = commands.map(({ name }) => name);

/** Resolves with the exit code. */
export async function main(argv: readonly string[], process: Process): Promise<ExitCode> {
  const { stdout, stderr } = process;
  const [first, ...rest] = argv;
  if (first === 'help' && rest[0] !== undefined && find(rest[0]) === undefined) return sayUnknown(stderr, rest[0]);
  if (first === 'help' || (first === '--help' && rest.length === 0) || first === '-h')
    return say(stdout, overview(rest[0]));
  if (first === '--version' || first === '-v') return say(stdout, packageVersion());
  const named = find(first);
  if (named === undefined && isMistyped(first, process.cwd())) return sayUnknown(stderr, first);
  const command = named ?? serve;
  const args = named === undefined ? argv : rest;
  if (args.includes('--help') || args.includes('-h')) return say(stdout, helpOf(command));
  const read = readArguments(command, args, process.env);
  if (!('mistakes' in read)) return command.run(read, process);
  writeLines(stderr, [
    ...read.mistakes.map(mistake => `cwx-fake ${command.name}: ${mistake}`),
    `cwx-fake ${command.name} --help says more`,
  ]);
  return exit.usage;
}

function find(name: string | undefined): Command | undefined {
  return commands.find(command => command.name === name);
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

function say(stdout: Output, text: string): ExitCode {
  writeLine(stdout, text);
  return exit.held;
}
