// The shape of a command, and how its arguments are read: flags over environment variables over defaults, every mistake told at once.

import { parseArgs } from 'node:util';
import { redactUrl } from '../engine/journal/secrets.js';
import { nearest } from '../engine/nearest.js';
import type { Environment, Process } from '../process/command-process.js';
import type { Flag, FlagValues } from '../settings.js';
import { hanging, wrapped } from './terminal/wrap.js';

/** What a command ends with (design 10); 130 as shells say of what Ctrl-C ended. */
export const exit = { held: 0, failed: 1, usage: 2, empty: 3, unreachable: 4, interrupted: 130 } as const;
export type ExitCode = (typeof exit)[keyof typeof exit];

export interface Arguments {
  readonly positionals: readonly string[];
  readonly values: FlagValues;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name, without the flags. */
  readonly usage: string;
  /** How many positionals it takes. */
  readonly minArgs: number;
  readonly maxArgs: number;
  readonly flags: readonly Flag[];
  readonly examples: readonly (readonly [command: string, does: string])[];
  run(args: Arguments, process: Process): Promise<ExitCode>;
}

/** What is wrong with arguments, and what could be read of them all the same. */
export interface WrongArguments {
  readonly mistakes: readonly string[];
  readonly values: FlagValues;
}

/** Reads the arguments of a command; or tells everything that is wrong with them. */
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
  const mistakes: string[] = [];
  const values = new Map<string, string | string[] | true>(fromEnvironment(command, env, mistakes));
  const given = new Map<string, string | string[] | true>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const flag = command.flags.find(({ name }) => name === token.name);
    if (flag === undefined)
      mistakes.push(
        `there is no flag ${token.rawName}${nearest(
          token.name,
          command.flags.map(({ name }) => name),
        )}`,
      );
    else if (
      flag.value !== undefined &&
      (token.value === undefined || (!token.inlineValue && token.value.startsWith('--')))
    )
      mistakes.push(`${token.rawName} takes a value: ${token.rawName} ${flag.value}`);
    else if (flag.value === undefined && token.value !== undefined) mistakes.push(`${token.rawName} takes no value`);
    else take(given, flag, token.value, token.rawName, mistakes);
  }
  if (positionals.length < command.minArgs) mistakes.push(`it takes ${command.usage}`);
  if (positionals.length > command.maxArgs)
    mistakes.push(
      `it takes ${command.maxArgs === 0 ? 'no arguments' : command.usage}, and ${JSON.stringify(redactUrl(positionals[command.maxArgs] ?? ''))} is one too many`,
    );
  for (const [name, value] of given) values.set(name, value);
  const read = { positionals, values: Object.fromEntries(values) };
  return mistakes.length > 0 ? { ...read, mistakes } : read;
}

/** `width`: columns that a line may have. Left out: each stands on one line. */
export function helpOf(command: Command, width = Number.POSITIVE_INFINITY): string {
  const column = Math.max(...command.flags.map(flag => shown(flag).length), 6) + 2;
  const flags = command.flags.flatMap(flag => {
    const standard = flag.default === undefined ? '' : ` (default ${flag.default})`;
    const head = `  ${shown(flag).padEnd(column)}`;
    return [
      ...listed(head, `${flag.description}${standard}`, width),
      ...listed(' '.repeat(head.length), environmentName(flag), width),
    ];
  });
  const examples = command.examples.flatMap(([line, does]) => [`  ${line}`, ...hanging('      ', does, width)]);
  const usage = ['cwx-fake', command.name, command.usage, command.flags.length > 0 ? '[flags]' : '']
    .filter(part => part !== '')
    .join(' ');
  return [
    usage,
    '',
    ...wrapped(command.summary, width),
    ...(flags.length > 0 ? ['', ...wrapped('Flags, each with its environment variable:', width), ...flags] : []),
    '',
    'Examples:',
    ...examples,
    '',
  ].join('\n');
}

/** A text behind a head, and below it where little room is left beside it. */
export function listed(head: string, text: string, width: number): string[] {
  if (width - head.length >= LEAST_BESIDE) return hanging(head, text, width);
  const name = head.trimEnd();
  return [...(name === '' ? [] : [name]), ...hanging('      ', text, width)];
}

/** Columns that a text beside its head has at least. */
const LEAST_BESIDE = 30;

function shown({ name, value }: Flag): string {
  return `--${name}${value === undefined ? '' : ` ${value}`}`;
}

/** The variable that stands for a flag. */
export function environmentName({ name }: Flag): string {
  return `CWX_FAKE_${name.toUpperCase().replaceAll('-', '_')}`;
}

function fromEnvironment(
  command: Command,
  env: Environment,
  mistakes: string[],
): Map<string, string | string[] | true> {
  const values = new Map<string, string | string[] | true>();
  for (const flag of command.flags) {
    const text = env[environmentName(flag)];
    if (text === undefined || text === '') continue;
    if (flag.value !== undefined)
      for (const part of flag.repeatable ? text.trim().split(flag.separator ?? ',') : [text])
        take(values, flag, part.trim(), environmentName(flag), mistakes);
    else if (/^(1|true|yes|on)$/i.test(text)) values.set(flag.name, true);
    else if (!/^(0|false|no|off)$/i.test(text))
      mistakes.push(`${environmentName(flag)} is ${JSON.stringify(text)}: it takes true or false`);
  }
  return values;
}

function take(
  values: Map<string, string | string[] | true>,
  flag: Flag,
  value: string | undefined,
  shownAs: string,
  mistakes: string[],
): void {
  if (value === undefined) {
    values.set(flag.name, true);
    return;
  }
  const wrong = flag.check?.(value);
  const shownValue = flag.isSecret ? '' : ` is ${JSON.stringify(redactUrl(String(value)))}`;
  if (wrong !== undefined) mistakes.push(`${shownAs}${shownValue}: ${wrong}`);
  const before = values.get(flag.name);
  if (flag.repeatable) values.set(flag.name, [...(Array.isArray(before) ? before : []), value]);
  else if (before !== undefined) mistakes.push(`${shownAs} is given twice`);
  else values.set(flag.name, value);
}
