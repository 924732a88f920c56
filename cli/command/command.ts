// The shape of a command, and the parser of its arguments: flags win over environment variables, these over defaults. All errors are reported at
// once.

import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { nearest } from '../../server/engine/nearest.js';
import { redactUrl } from '../../server/engine/secrets.js';
import type { Environment, Process } from '../../server/process/command-process.js';
import { isProblems, type Problems, showProblem } from '../../server/scenario/yaml/problem.js';
import type { Flag } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { hanging, wrapped } from '../terminal/wrap.js';

/** Exit codes; 130 as in shells after Ctrl-C. */
export const exit = { passed: 0, failed: 1, usage: 2, empty: 3, unreachable: 4, interrupted: 130 } as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

/** Ends a command early: lines for standard error, and the exit code. */
export class Ending extends Error {
  override readonly name = 'Ending';

  /** Compared by name: commands are loaded on demand, and some loaders then load this file twice. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'Ending';
  }

  constructor(
    readonly code: ExitCode,
    readonly lines: readonly string[],
    /** Whether the name of the command goes before each line; indented lines continue the one before. */
    readonly isNamed: boolean,
  ) {
    super(lines.join('\n'));
  }
}

/** Ends the command with these lines. */
export function end(code: ExitCode, ...lines: readonly string[]): never {
  throw new Ending(code, lines, false);
}

/** Ends the command with these lines, the first of them after the command's name. */
export function fail(code: ExitCode, ...lines: readonly string[]): never {
  throw new Ending(code, lines, true);
}

/** The value, unless it is the problems of a file: they end the command. */
export function usable<T extends object>(value: T | Problems): Exclude<T, Problems> {
  if (isProblems(value)) end(exit.usage, ...value.problems.map(showProblem));
  return value as Exclude<T, Problems>; // it has no problems
}

/** The error of a flag that is of use only with --target. */
export function needsTarget(flag: string): string {
  return `--${flag} requires a target: add --target, as in --target http://127.0.0.1:8080`;
}

export interface Arguments {
  readonly positionals: readonly string[];
  readonly values: FlagValues;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The usage after the name, without flags: `<one>`, `[one or none]`, `<some…>`. */
  readonly usage: string;
  /** Numbers of positionals, if not those of the usage. */
  readonly minArgs?: number;
  readonly maxArgs?: number;
  readonly flags: readonly Flag[];
  /** Inputs that are written `name=value`, not as flags: an example by name. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Lines of the help between the summary and the flags. */
  readonly details?: (width: number) => readonly string[];
  readonly examples: readonly (readonly [command: string, does?: string])[];
  run(args: Arguments, process: Process): Promise<ExitCode>;
}

/** What is wrong with arguments, and what could be read of them all the same. */
export interface WrongArguments {
  readonly errors: readonly string[];
  readonly values: FlagValues;
}

/** Parses the arguments of a command, or returns all errors. */
export function readArguments(command: Command, argv: readonly string[], env: Environment): Arguments | WrongArguments {
  const options = Object.fromEntries(
    command.flags.map(flag => [
      flag.name,
      { type: flag.value === undefined ? 'boolean' : 'string', multiple: flag.repeatable === true } as const,
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...argv],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const errors: string[] = [];
  const given = new Map<string, string | string[] | true>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = command.flags.find(({ name }) => name === token.name);
    if (flag === undefined)
      errors.push(
        command.fields !== undefined && Object.hasOwn(command.fields, token.name)
          ? `unknown flag ${token.rawName}: write it without dashes, as in ${token.name}=${token.value ?? command.fields[token.name]}`
          : `unknown flag ${token.rawName}${nearest(
              token.rawName,
              command.flags.map(({ name }) => `--${name}`),
            ).replaceAll('"', '')}`,
      );
    else if (
      flag.value !== undefined &&
      (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
    )
      errors.push(`${token.rawName} needs a value: ${token.rawName} ${flag.value}`);
    else if (flag.value === undefined && token.value !== undefined)
      errors.push(`${token.rawName} does not take a value`);
    else take(given, flag, token.value, token.rawName, errors);
  }
  const values = new Map(
    fromEnvironment(
      command.flags.filter(({ name }) => !given.has(name)),
      env,
      errors,
    ),
  );
  const { usage } = command;
  const { minArgs = usage.includes('<') ? 1 : 0 } = command;
  const { maxArgs = usage.includes('…') ? Number.POSITIVE_INFINITY : usage === '' ? 0 : 1 } = command;
  if (positionals.length < minArgs)
    errors.push(`missing arguments: ${[usage, command.examples[0]?.[0] ?? []].flat().join('. Example: ')}`);
  if (positionals.length > maxArgs)
    errors.push(
      `unexpected argument ${JSON.stringify(redactUrl(positionals[maxArgs] ?? ''))}: ${command.name} takes ${usage === '' ? 'no arguments' : `only ${usage}`}`,
    );
  for (const [name, value] of given) values.set(name, value);
  const scenario = (usage === OF_SERVE && positionals.length === 0 && env.CWX_FAKE_SCENARIO) || [];
  const read = { positionals: [...positionals, scenario].flat(), values: Object.fromEntries(values) };
  return errors.length > 0 ? { ...read, errors } : read;
}

/** The usage of commands whose scenario may be given by CWX_FAKE_SCENARIO. */
const OF_SERVE = '[scenario]';

/** `width`: maximum columns of a line. Default: no wrapping. */
export function helpOf(command: Command, width = Number.POSITIVE_INFINITY): string {
  const column = Math.max(...command.flags.map(flag => shown(flag).length), 6) + 2;
  const flags = command.flags.flatMap(flag => {
    const head = `  ${shown(flag).padEnd(column)}`;
    return [
      ...listed(head, describedFlag(flag), width),
      ...listed(' '.repeat(head.length), environmentName(flag), width),
    ];
  });
  const examples = command.examples.flatMap(([line, does = '']) => [
    `  ${line}`,
    ...(does === '' ? [] : hanging('      ', does, width)),
  ]);
  const ofServe =
    command.usage === OF_SERVE ? wrapped('The variable of the scenario is CWX_FAKE_SCENARIO.', width) : [];
  const details = command.details?.(width) ?? ofServe;
  const shownFlags = command.flags.length > 0 ? '[flags]' : '';
  const isLast = command.usage.startsWith('-- '); // what follows is not parsed
  const usage = ['cwx-fake', command.name, ...(isLast ? [shownFlags, command.usage] : [command.usage, shownFlags])]
    .filter(part => part !== '')
    .join(' ');
  return [
    usage,
    '',
    ...wrapped(command.summary, width),
    ...(details.length > 0 ? ['', ...details] : []),
    ...(flags.length > 0 ? ['', ...wrapped('Flags, each with its environment variable:', width), ...flags] : []),
    '',
    'Examples:',
    ...examples,
    '',
  ].join('\n');
}

/** The description with the default, or with the example before any details: `only this gap, such as x; repeatable`. */
function describedFlag({ description, default: standard, example }: Flag): string {
  if (standard !== undefined) return `${description} (default ${standard})`;
  return example === undefined ? description : description.replace(/;|$/, end => `, such as ${example}${end}`);
}

/** A text beside its head, or below it if there is little room. */
export function listed(head: string, text: string, width: number): string[] {
  if (width - head.length >= MIN_BESIDE) return hanging(head, text, width);
  const name = head.trimEnd();
  return [...(name === '' ? [] : [name]), ...hanging('      ', text, width)];
}

/** Minimum columns for a text beside its head. */
const MIN_BESIDE = 30;

function shown({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

/** The environment variable of a flag. */
export function environmentName({ name }: Flag): string {
  return `CWX_FAKE_${name.toUpperCase().replaceAll('-', '_')}`;
}

const INJECTED = [
  /_SERVICE_(?:HOST|PORT)$|_SERVICE_PORT_/,
  /_PORT_\d+_(?:TCP|UDP|SCTP)(?:_PROTO|_PORT|_ADDR)?$/,
  /^CWX_FAKE_(?:(?:\w*_)?ENV_|VERSION$)/,
];

/** Whether a platform sets a variable: a Service or a linked container named cwx-fake makes many, and images name their version so. */
export function isInjected(name: string, value = ''): boolean {
  return (
    INJECTED.some(pattern => pattern.test(name)) ||
    (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value)) ||
    (name.endsWith('_NAME') && value.startsWith('/'))
  );
}

/** The values of the flags that have a variable. */
function fromEnvironment(
  flags: readonly Flag[],
  env: Environment,
  errors: string[],
): Map<string, string | string[] | true> {
  const values = new Map<string, string | string[] | true>();
  for (const flag of flags) {
    const name = environmentName(flag);
    const text = env[name];
    if (text === undefined || text === '' || isInjected(name, text)) continue;
    if (flag.value !== undefined)
      for (const part of flag.repeatable ? text.trim().split(flag.separator ?? ',') : [text])
        take(values, flag, part.trim(), environmentName(flag), errors);
    else if (/^(1|true|yes|on)$/i.test(text)) values.set(flag.name, true);
    else if (!/^(0|false|no|off)$/i.test(text))
      errors.push(`${environmentName(flag)} is ${JSON.stringify(text)}: it must be true or false`);
  }
  return values;
}

/** Placeholders of values that are paths, or contain some. */
const PATHS = /\b(?:file|dir)\b|=f\b/;

/** With the home folder in place of `~`, which shells leave after an equals sign. */
function withHome(value: string | undefined, flag: Flag): string | undefined {
  return PATHS.test(flag.value ?? '') ? value?.replace(/(^|=)~(?=[/\\])/g, (_, before) => before + homedir()) : value;
}

function take(
  values: Map<string, string | string[] | true>,
  flag: Flag,
  given: string | undefined,
  shownAs: string,
  errors: string[],
): void {
  const value = withHome(given, flag);
  if (value === undefined) {
    values.set(flag.name, true);
    return;
  }
  const wrong = flag.check?.(value);
  const valueText = flag.isSecret ? '' : ` cannot be ${JSON.stringify(redactUrl(String(value)))}`;
  if (wrong !== undefined)
    errors.push(
      flag.isSecret && wrong.startsWith('it ') ? shownAs + wrong.slice(2) : `${shownAs}${valueText}: ${wrong}`,
    );
  const before = values.get(flag.name);
  if (flag.repeatable) values.set(flag.name, [...(Array.isArray(before) ? before : []), value]);
  else if (before !== undefined) errors.push(`${shownAs} is given twice`);
  else values.set(flag.name, value);
}
