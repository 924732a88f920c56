// The command line: finds the command, parses its arguments and runs it.

import { visible } from '../server/derive/text/visible.js';
import { expectedOf, nearest, nearestName } from '../server/engine/nearest.js';
import {
  type Environment,
  type OutputStream,
  type Process,
  writeLine,
  writeLines,
} from '../server/process/command-process.js';
import { packageVersion } from '../server/process/package.js';
import { defaultFolders, findNamed } from '../server/scenario/files/folders.js';
import { Unreachable } from '../server/scenario/play/target.js';
import { applyClientCertificate } from './command/client-certificate.js';
import {
  type Arguments,
  type Command,
  Ending,
  type ExitCode,
  environmentName,
  exit,
  helpOf,
  isInjected,
  listed,
  readArguments,
} from './command/command.js';
import { lineWidth as widthOf, wrapped } from './terminal/wrap.js';

/** Each command is loaded on demand. */
const commands = {
  serve: async () => (await import('./serve-command.js')).serve,
  play: async () => (await import('./play/play-command.js')).play,
  record: async () => (await import('./record/record-command.js')).record,
  verify: async () => (await import('./verify/verify-command.js')).verify,
  sensitivity: async () => (await import('./sensitivity/sensitivity-command.js')).sensitivity,
  conform: async () => (await import('./remote/conform-command.js')).conformCommand,
  calibrate: async () => (await import('./remote/calibrate-command.js')).calibrateCommand,
  proxy: async () => (await import('./remote/proxy-command.js')).proxy,
  coverage: async () => (await import('./running-fake/coverage-command.js')).coverage,
  init: async () => (await import('./set-up/init-command.js')).init,
  check: async () => (await import('./set-up/check-command.js')).check,
  health: async () => (await import('./set-up/health-command.js')).health,
  doctor: async () => (await import('./set-up/doctor-command.js')).doctor,
  ledger: async () => (await import('./print-commands.js')).documents.ledger,
  guide: async () => (await import('./print-commands.js')).documents.guide,
  openapi: async () => (await import('./print-commands.js')).documents.openapi,
  schema: async () => (await import('./print-commands.js')).documents.schema,
  completion: async () => (await import('./completion/completion-command.js')).completionOf(everyCommand),
} as const satisfies Record<string, () => Promise<Command>>;
/** Commands for a running fake, derived from the actions. */
const running = async () => (await import('./running-fake/running-fake-commands.js')).verbCommands;

function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(commands).map(load => load()));
}

/** Those for a fake that runs included. */
async function everyCommand(): Promise<readonly Command[]> {
  return [...(await allCommands()), ...(await running())];
}

/** Resolves with the exit code. */
export async function main(argv: readonly string[], process: Process): Promise<ExitCode> {
  const { stdout, stderr } = process;
  const [first, ...rest] = argv;
  if (first === 'help' || first === '-h' || (first === '--help' && rest.length === 0)) {
    const [name] = rest;
    const meant = await commandOf(name);
    if (name !== undefined && meant === undefined) return sayUnknown(stderr, name);
    return say(stdout, meant === undefined ? await overview(widthOf(stdout)) : helpOf(meant, widthOf(stdout)));
  }
  if (first === '--version' || first === '-v') return say(stdout, packageVersion());
  const named = await commandOf(first, process.cwd());
  if (named === undefined && (await isMistyped(first, process.cwd()))) return sayUnknown(stderr, String(first));
  const command = named ?? (await commands.serve());
  const args = named === undefined ? argv : rest;
  const asked = args.includes('--') ? args.slice(0, args.indexOf('--')) : args; // the rest is another program's command line
  if (asked.includes('--help') || asked.includes('-h')) return say(stdout, helpOf(command, widthOf(stdout)));
  writeLines(stderr, await unknownVariables(command, process.env));
  const read = readArguments(command, args, process.env);
  const wrong = [...('errors' in read ? read.errors : []), applyClientCertificate(read.values) ?? []].flat();
  const errors = wrong.map(error => `cwx-fake ${command.name}: ${error}`);
  const { report } = read.values;
  if (typeof report === 'string') {
    const { overwriteReports } = await import('../harness/report/write.js');
    overwriteReports(report, { tool: `cwx-fake ${command.name}`, version: packageVersion(), errors });
  }
  if (!('errors' in read) && errors.length === 0) {
    const code = await ended(command, read, process);
    const isNoCommand = named === undefined && first !== undefined && /^[a-z-]+$/.test(first) && !first.startsWith('-');
    if (isNoCommand && code === exit.usage && !isScenario(first, process.cwd())) writeLine(stderr, HELP);
    return code;
  }
  const misplaced = named === undefined ? await misplacedCommand(argv, process.cwd()) : undefined;
  writeLines(stderr, misplaced ?? [...errors, `Run cwx-fake ${command.name} --help for its arguments and flags.`]);
  return exit.usage;
}

/** Runs a command, and prints why it ended early. */
async function ended(command: Command, args: Arguments, process: Process): Promise<ExitCode> {
  try {
    return await command.run(args, process);
  } catch (error) {
    const ending = error instanceof Unreachable ? new Ending(codeOf(error), [error.message], true) : error;
    if (!(ending instanceof Ending)) throw error;
    const { code, lines, isNamed } = ending;
    const named = (line: string) => `${line.startsWith(' ') ? '' : `cwx-fake ${command.name}: `}${visible(line)}`;
    writeLines(process.stderr, isNamed ? lines.map(named) : lines);
    return code;
  }
}

/** A server that asks for the control token can be reached. */
function codeOf({ cause }: Unreachable): ExitCode {
  return cause instanceof Error && 'status' in cause && cause.status === 401 ? exit.usage : exit.unreachable;
}

/** Why these are no arguments of `serve`, if the first word is no scenario. */
async function misplacedCommand([first = '', ...rest]: readonly string[], cwd: string): Promise<string[] | undefined> {
  const names = await allNames();
  const late = rest.find(word => names.includes(word));
  if (first.startsWith('-') && late !== undefined) return [`The command comes first: cwx-fake ${late} ${first} …`];
  if (first === '' || first.startsWith('-') || isScenario(first, cwd)) return undefined;
  return [`Unknown command or scenario ${JSON.stringify(first)}.`, HELP];
}

const HELP = 'Run cwx-fake --help for the commands.';

/** Environment variables that are no flag's. */
const OTHER_VARIABLES: readonly string[] = [
  'CWX_FAKE_URL',
  'CWX_FAKE_READING',
  'CWX_FAKE_COVERAGE',
  'CWX_FAKE_VARY',
  'CWX_FAKE_PROFILE',
  'CWX_FAKE_SCENARIO',
];

/** Warnings about environment variables that look like ours but belong to no flag of the command, nor of `serve`. */
async function unknownVariables(command: Command, env: Environment): Promise<string[]> {
  const namesOf = ({ flags }: Command) => flags.map(environmentName);
  const own = [...OTHER_VARIABLES, ...namesOf(command), ...namesOf(await commands.serve())];
  const foreign = Object.keys(env).filter(
    name => name.startsWith('CWX_FAKE_') && !own.includes(name) && !isInjected(name, env[name]),
  );
  if (foreign.length === 0) return []; // loads every command, but only if it must
  const all = await everyCommand();
  return foreign.map(name => {
    const other = all.find(one => namesOf(one).includes(name));
    const hint = other === undefined ? nearest(name, own) : `, which belongs to ${other.name}`;
    return `cwx-fake ${command.name}: unknown environment variable ${name}${hint}`;
  });
}

function isOwn(name: string | undefined): name is keyof typeof commands {
  return name !== undefined && Object.hasOwn(commands, name);
}

/** A scenario of the user wins over a command for a running fake: `cwx-fake reset` may name a file. */
async function commandOf(name: string | undefined, cwd?: string): Promise<Command | undefined> {
  if (isOwn(name)) return commands[name]();
  if (name === undefined || name.startsWith('-') || !/^[a-z-]+$/.test(name)) return undefined;
  if (cwd !== undefined && isScenario(name, cwd)) return undefined;
  return (await running()).find(command => command.name === name);
}

function isScenario(word: string, cwd: string): boolean {
  const { scenarios, fixtures } = defaultFolders(cwd);
  return 'file' in findNamed(word, [...scenarios, ...fixtures]);
}

/** Whether a first word is no scenario, and close to the name of a command. */
async function isMistyped(word: string | undefined, cwd: string): Promise<boolean> {
  if (word === undefined || word.startsWith('-') || isScenario(word, cwd)) return false;
  return nearestName(word, await allNames()) !== undefined;
}

async function allNames(): Promise<readonly string[]> {
  return [...Object.keys(commands), ...(await running()).map(({ name }) => name)];
}

async function sayUnknown(stderr: OutputStream, word: string): Promise<ExitCode> {
  const names = await allNames();
  writeLine(stderr, `unknown command ${JSON.stringify(word)}${nearest(word, names)}: ${expectedOf(names)}`);
  return exit.usage;
}

async function overview(columns: number): Promise<string> {
  const all = await allCommands();
  const verbs = await running();
  const width = Math.max(...[...all, ...verbs].map(other => other.name.length)) + 2;
  const lines = (other: Command) => listed(`  ${other.name.padEnd(width)}`, other.summary, columns);
  return [
    'cwx-fake [command] [flags]',
    '',
    ...wrapped('A stateful fake of the wiki extension API and of the push/pull favourites API.', columns),
    '',
    ...all.flatMap(lines),
    '',
    ...wrapped('For a running fake, at --url:', columns),
    ...verbs.flatMap(lines),
    '',
    ...wrapped('Run cwx-fake <command> --help for help on a command. Default command: serve.', columns),
  ].join('\n');
}

function say(stdout: OutputStream, text: string): ExitCode {
  writeLine(stdout, text);
  return exit.passed;
}
