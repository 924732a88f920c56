// The input of a verb from the words of a command line: arguments by position, `field=value`, `field.member=value`, or a whole body.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sandboxError } from '../../harness/target/sandbox-name.js';
import { isObject } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { expectedOf, nearest, orList } from '../../server/engine/nearest.js';
import { schemaErrors } from '../../server/engine/request/validate.js';
import type { JsonSchema } from '../../server/operations/schema.js';
import type { Process } from '../../server/process/command-process.js';
import { decodedText, readFailure } from '../../server/scenario/yaml/text.js';
import type { Arguments } from '../command/command.js';
import {
  assigned,
  exampleLine,
  exampleOf,
  isOpen,
  nounOf,
  runningFakeCommands,
  type Verb,
  verbMeantBy,
} from './verbs.js';

export interface VerbInput {
  readonly verb: Verb;
  /** Named by an argument. */
  readonly sandbox?: string;
  readonly call: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
}

/** Words for reading or listing, which is what a command without a verb does. */
const PLAIN = ['list', 'ls', 'get', 'show', 'read'];

export function inputFrom(
  own: readonly Verb[],
  args: Arguments,
  process: Process,
): VerbInput | { readonly errors: readonly string[] } {
  const [word, ...others] = args.positionals;
  const plain = own.find(({ words }) => words.length === 1);
  const named = own.find(({ words }) => words[1] === word);
  if (named !== undefined && word !== undefined) return inputOf(named, others, args, process);
  if (plain !== undefined && word !== undefined && own.length > 1 && PLAIN.includes(word))
    return inputOf(plain, others, args, process);
  if (plain === undefined || isWrongVerb(plain, own, word)) return { errors: [unknownVerb(own, word)] };
  return inputOf(plain, args.positionals, args, process);
}

/** Whether a first word is neither a field nor an argument of the command without a verb. */
function isWrongVerb(plain: Verb, own: readonly Verb[], word: string | undefined): boolean {
  if (word === undefined || own.length === 1 || /^[\w.$-]+=/.test(word)) return false;
  const [alternatives = []] = plain.positions;
  return alternatives.find(name => fits(word, plain.fields[name])) === undefined;
}

function unknownVerb(own: readonly Verb[], word: string | undefined): string {
  const [command = ''] = own[0]?.words ?? [];
  const known = own.flatMap(({ words }) => words[1] ?? []);
  const [alternatives = []] = own.find(({ words }) => words.length === 1)?.positions ?? [];
  const expected = expectedOf([...known, ...suchAs(command, alternatives)]);
  if (word === undefined) return expected;
  const meant = verbMeantBy(word, known) ?? verbTaking(word, own);
  const hint =
    meant !== undefined
      ? ` (did you mean "${[command, ...[meant].flat()].join(' ')}"?)`
      : nearest(word, [...known, ...alternatives.flatMap(name => valuesOf(own, name))]) || otherCommand(word);
  return `unknown ${alternatives.length === 0 ? 'subcommand' : 'argument'} ${JSON.stringify(word)}${hint}: ${expected}`;
}

/** The verb with the word as its argument, if only values of a certain form are. */
function verbTaking(word: string, own: readonly Verb[]): readonly string[] | undefined {
  const isMeant = ({ positions: [first = []], fields }: Verb) =>
    first.some(
      name => !['name', 'hold'].includes(name) && fields[name]?.pattern !== undefined && fits(word, fields[name]),
    );
  const [verb] = own.filter(isMeant).sort((a, b) => (a.positions[0]?.length ?? 0) - (b.positions[0]?.length ?? 0));
  return verb?.words[1] === undefined ? undefined : [verb.words[1], word];
}

/** `an operation such as ppf.push`, for each field that an argument may be. */
function suchAs(command: string, names: readonly string[]): string[] {
  return names.map(name => {
    const noun = nounOf(name, command);
    return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun} such as ${exampleOf(name, command)}`;
  });
}

/** The values that a field is limited to. */
function valuesOf(own: readonly Verb[], field: string): readonly string[] {
  const values = own.find(({ words }) => words.length === 1)?.fields[field]?.enum;
  return Array.isArray(values) ? values.map(String) : [];
}

function otherCommand(word: string): string {
  return runningFakeCommands.includes(word) ? ` (did you mean "cwx-fake ${word}"?)` : '';
}

function inputOf(
  verb: Verb,
  words: readonly string[],
  { values }: Arguments,
  process: Process,
): VerbInput | { readonly errors: readonly string[] } {
  const { action } = verb;
  const errors: string[] = [];
  const given = new Map<string, unknown>();
  let place = 0;
  for (const word of words) {
    const [, path, text = ''] = /^([\w$-]+(?:\.[\w$-]+)*)=(.*)$/s.exec(word) ?? [];
    const found = path === undefined ? byPosition(verb, place++, word) : byName(verb, path, text);
    if ('error' in found) errors.push(found.error);
    else if (given.has(found.name) && !isObject(found.value)) errors.push(`${found.name} is given twice`);
    else given.set(found.name, merged(given.get(found.name), found.value));
  }
  const whole = typeof values.body === 'string' ? bodyFrom(values.body, process, errors) : undefined;
  if (values.body !== undefined && action.body === undefined)
    errors.push(`--body cannot be used: ${verb.words.join(' ')} takes no input`);
  if (errors.length === 0 && values.body === undefined) errors.push(...missingIn(verb, given));
  const sandbox = given.get('sandbox');
  if (typeof sandbox === 'string') errors.push(...sandboxProblems(sandbox, values.sandbox));
  if (errors.length > 0) return { errors };
  return {
    verb,
    ...(typeof sandbox === 'string' && { sandbox }),
    call: callOf(verb, given, whole),
  };
}

function missingIn(verb: Verb, given: ReadonlyMap<string, unknown>): string[] {
  const { words, required, requiredOneOf = [] } = verb;
  const lacking = requiredOneOf.filter(names => !names.some(name => given.has(name)));
  return [
    ...required
      .filter(name => !given.has(name))
      .map(
        name =>
          `missing argument <${nounOf(name, words[0])}>. Example: cwx-fake ${[...words, exampleOf(name, words[0])].join(' ')}`,
      ),
    ...lacking.map(names => `give at least one of ${orList(names)}. Example: ${exampleLine(verb)}`),
  ];
}

function sandboxProblems(sandbox: string, flag: unknown): string[] {
  const wrong = sandboxError(sandbox);
  if (wrong !== undefined) return [`${JSON.stringify(sandbox)} is not a valid sandbox name: ${wrong}`];
  return flag === undefined || flag === sandbox
    ? []
    : [`the sandbox is given twice, as ${sandbox} and with --sandbox ${flag}: use one of them`];
}

function callOf(verb: Verb, given: ReadonlyMap<string, unknown>, whole: unknown): VerbInput['call'] {
  const { action } = verb;
  const isIn = (name: string) =>
    action.path.includes(`{${name}}`) ? 'params' : Object.hasOwn(action.query ?? {}, name) ? 'query' : 'body';
  const part = (where: string) =>
    Object.fromEntries([...given].filter(([name]) => name !== 'sandbox' && isIn(name) === where));
  const texts = (where: string) =>
    Object.fromEntries(Object.entries(part(where)).map(([name, value]) => [name, String(value)]));
  const body = whole ?? verb.bodyOf?.(part('body')) ?? part('body');
  return { params: texts('params'), query: texts('query'), ...(action.body !== undefined && { body }) };
}

type Found = { readonly name: string; readonly value: unknown } | { readonly error: string };

function byPosition(verb: Verb, place: number, word: string): Found {
  const alternatives = verb.positions[place];
  if (alternatives === undefined) {
    const places = verb.positions.length;
    const takes = places === 0 ? 'no arguments' : `at most ${places} argument${places === 1 ? '' : 's'}`;
    return {
      error: `unexpected argument ${JSON.stringify(word)}: ${verb.words.join(' ')} takes ${takes}${fieldsHint(verb)} Example: ${exampleLine(verb)}`,
    };
  }
  const name =
    alternatives.find(each => fits(word, verb.fields[each])) ??
    (alternatives.length === 1 ? alternatives[0] : undefined);
  if (name !== undefined) return { name, value: valueFor(verb, name, word) };
  const near = nearest(
    word,
    alternatives.flatMap(each => (verb.fields[each]?.enum as string[] | undefined) ?? []),
  );
  return {
    error: `invalid argument ${JSON.stringify(word)}${near}: ${expectedOf(suchAs(verb.words[0], alternatives))}`,
  };
}

function fieldsHint({ action, words, fields }: Verb): string {
  if (isOpen(action)) return ' without "=".';
  const names = Object.keys(fields);
  return names.length === 0
    ? ' and no fields.'
    : `. It also takes fields, such as ${names
        .slice(0, 3)
        .map(name => assigned(name, words[0]))
        .join(', ')}.`;
}

/** More names are not listed in a message. */
const MAX_LISTED = 30;

function fieldsOf({ words }: Verb, names: readonly string[]): string {
  if (names.length > MAX_LISTED) return `cwx-fake ${words[0]} --help lists them all`;
  return names.length === 0 ? `${words.join(' ')} takes no fields` : expectedOf(names);
}

function byName(verb: Verb, path: string, text: string): Found {
  const [name = '', ...members] = path.split('.');
  const names = Object.keys(verb.fields);
  if (!Object.hasOwn(verb.fields, name) && !isOpen(verb.action)) {
    const noun = verb.words[0] === 'readings' ? 'gap' : 'field';
    return { error: `unknown ${noun} ${JSON.stringify(name)}${nearest(name, names)}: ${fieldsOf(verb, names)}` };
  }
  const value =
    members.length === 0 ? valueFor(verb, name, text) : parsedValue(text, members.reduce(memberOf, verb.fields[name]));
  return { name, value: members.reduceRight<unknown>((inner, member) => ({ [member]: inner }), value) };
}

/** The schema of a member of an object, if it has one. */
function memberOf(schema: JsonSchema | undefined, member: string): JsonSchema | undefined {
  const { properties, additionalProperties } = (isObject(schema?.then) ? schema.then : schema) ?? {};
  const own = isObject(properties) ? properties[member] : additionalProperties;
  return isObject(own) ? own : undefined;
}

function merged(before: unknown, value: unknown): unknown {
  if (!isObject(before) || !isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, merged(before[name], member)]);
  return { ...before, ...Object.fromEntries(members) };
}

function fits(word: string, schema: JsonSchema | undefined): boolean {
  return schema !== undefined && schemaErrors(schema, parsedValue(word, schema)).length === 0;
}

/** Text for a path and a query, else a value of JSON. */
function valueFor({ action, fields }: Verb, name: string, text: string): unknown {
  const isText = action.path.includes(`{${name}}`) || Object.hasOwn(action.query ?? {}, name);
  return isText ? text : parsedValue(text, fields[name]);
}

/** Text if the schema wants text, else JSON if it parses; the fake reports the error. */
function parsedValue(text: string, schema: JsonSchema | undefined): unknown {
  if (isObject(schema?.else)) {
    const value = parsedJson(text);
    return isObject(value) ? value : parsedValue(text, schema.else);
  }
  const types = schema?.type === undefined ? [] : [schema.type].flat();
  if (types.includes('string') && !(types.length > 1 && /^-?[\d.]+$/.test(text))) return text;
  return parsedJson(text, text);
}

function bodyFrom(whole: string, process: Process, errors: string[]): unknown {
  try {
    const text = /^\s*[[{"]/.test(whole)
      ? whole
      : decodedText(readFileSync(whole === '-' ? 0 : resolve(process.cwd(), whole)));
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : readFailure(error);
    errors.push(`--body ${JSON.stringify(whole.slice(0, 80))} is neither JSON nor a JSON file: ${why}`);
    return undefined;
  }
}
