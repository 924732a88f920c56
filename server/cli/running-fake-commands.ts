// The commands for a running fake: each action of the control API as words, such as `cwx-fake clock set advance=PT1H`. Commands, arguments and help
// are derived from the actions.

import { readFileSync } from 'node:fs';
import type { Action } from '../control/action.js';
import { readingJournal } from '../control/actions/journal-actions.js';
import { actions } from '../control/actions.js';
import { isObject } from '../domain/form/patch.js';
import type { JournalEntry } from '../engine/journal/journal-entry.js';
import { nearest } from '../engine/nearest.js';
import { parsedJson } from '../engine/parsed-json.js';
import { FakeError } from '../library/fake-error.js';
import { HttpPort } from '../library/port/http-port.js';
import type { JsonSchema } from '../operations/schema.js';
import { type Process, writeLine, writeLines } from '../process/command-process.js';
import { interruption } from '../process/interruption.js';
import { sandboxError, sandboxOf } from '../remote/target/sandbox-name.js';
import { baseUrl } from '../settings/flag-checks.js';
import { type Flag, targetToken } from '../settings.js';
import { type Arguments, type Command, type ExitCode, exit, failAs } from './command.js';
import { entryLine, valueLines } from './terminal/value-lines.js';

/** Actions with a command of their own, which needs no running fake or does more. */
const elsewhere = [
  'play',
  'openapi.read',
  'control-openapi.read',
  'ledger.read',
  'guide.read',
  'events.read',
  'coverage.read',
];
/** Verbs that are implied. */
const implied = ['read', 'list'];

/** The words of an action's command: `faults set` for `faults.set`, `faults` for `faults.list`, `reset` for `sandboxes.reset`. */
export function wordsOf({ id }: Pick<Action, 'id'>): readonly string[] {
  if (id === 'journal.explain') return ['explain'];
  const [family = '', act = ''] = id.split('.');
  const isImplied = implied.includes(act) || act === '';
  if (family === 'sandboxes' && !isImplied) return [act];
  return isImplied ? [family] : [family, act];
}

const verbs = actions.filter(({ id }) => !elsewhere.includes(id));

/** Command names in the order of the actions. */
export const runningFakeCommands: readonly string[] = [...new Set(verbs.map(action => wordsOf(action)[0] ?? ''))];

const flags: readonly Flag[] = [
  {
    name: 'url',
    value: 'url',
    description: 'the running fake, or a sandbox of it',
    default: 'http://127.0.0.1:8080',
    check: value => baseUrl(value),
  },
  {
    name: 'sandbox',
    value: 'name',
    description: 'the sandbox; default: the one in the URL, or default',
    check: sandboxError,
  },
  targetToken,
  {
    name: 'body',
    value: 'json|file',
    description: 'the whole body: JSON, the path of a file, or - for standard input',
  },
  { name: 'json', description: 'print the answer as JSON' },
];
const follow = { name: 'follow', description: 'continue with new entries until Ctrl-C' };

/** The command of this name. */
export function runningFakeCommand(name: string): Command {
  const own = verbs.filter(action => wordsOf(action)[0] === name);
  const [plain] = own.filter(action => wordsOf(action).length === 1);
  const acts = own.flatMap(action => wordsOf(action)[1] ?? []);
  const first = plain ?? own[0];
  return {
    name,
    summary: `${first?.summary ?? ''}.`,
    usage: [acts.length > 0 ? `[${acts.join('|')}]` : '', '[field=value]…'].filter(part => part !== '').join(' '),
    minArgs: 0,
    maxArgs: 50,
    flags: name === 'journal' ? [...flags, follow] : flags,
    examples: own.map(action => [exampleOf(action), action.summary]),
    run: (args, process) => run(name, own, args, process),
  };
}

/** The words that may follow such a command: what it does, and the fields that it takes. */
export function wordsAfter(name: string): string[] {
  const own = verbs.filter(action => wordsOf(action)[0] === name);
  const fields = own.flatMap(action => Object.keys(fieldsOf(action)).map(field => `${field}=`));
  return [...new Set([...own.flatMap(action => wordsOf(action)[1] ?? []), ...fields])];
}

function exampleOf(action: Action): string {
  const fields = Object.keys(fieldsOf(action));
  return ['cwx-fake', ...wordsOf(action), ...fields.slice(0, 3).map(field => `${field}=…`)].join(' ');
}

/** The named inputs of an action: path parameters except the sandbox, query parameters, body fields. */
function fieldsOf({ path, query = {}, body }: Action): Readonly<Record<string, JsonSchema>> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
    name === 's' ? [] : [[name, { type: 'string' }]],
  );
  const inBody = isObject(body?.json.properties) ? (body.json.properties as Readonly<Record<string, JsonSchema>>) : {};
  return { ...Object.fromEntries(inPath), ...query, ...inBody };
}

async function run(name: string, own: readonly Action[], args: Arguments, process: Process): Promise<ExitCode> {
  const [second = '', ...others] = args.positionals;
  const named = own.find(action => wordsOf(action)[1] === second);
  const action = named ?? own.find(other => wordsOf(other).length === 1);
  const given = named === undefined ? args.positionals : others;
  if (action === undefined) {
    const acts = own.flatMap(other => wordsOf(other)[1] ?? []);
    return failAs(name, process, exit.usage, [`expected one of ${acts.join(', ')}${nearest(second, acts)}`]);
  }
  const input = inputFrom(action, given, args.values.body, process);
  if ('errors' in input) return failAs(name, process, exit.usage, input.errors);
  const { url = 'http://127.0.0.1:8080', 'control-token': token, json } = args.values;
  const { origin } = new URL(String(url));
  const sandbox = String(args.values.sandbox ?? sandboxOf(String(url)) ?? 'default');
  try {
    const port = await HttpPort.open(origin, token === undefined ? undefined : String(token));
    try {
      if (args.values.follow === true) await following(port, sandbox, process, json === true);
      else show(process, await port.invoke(action, { sandbox, ...input }), json === true);
      return exit.passed;
    } finally {
      port.stop();
    }
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    return failAs(name, process, exitOf(error), error.message.split('\n'));
  }
}

/** Without a status, no server answered, or it is no fake. */
function exitOf({ status }: FakeError): ExitCode {
  if (status === undefined || status >= 500 || status === 401) return exit.unreachable;
  return status === 417 ? exit.failed : exit.usage;
}

type Taken = {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
};

/** Parses `field=value`, a first value without its field, and the whole body; or returns all errors. */
function inputFrom(
  action: Action,
  words: readonly string[],
  whole: unknown,
  process: Process,
): Taken | { readonly errors: readonly string[] } {
  const fields = fieldsOf(action);
  const names = Object.keys(fields);
  const isOpen = action.body !== undefined && action.body.json.additionalProperties !== false;
  const errors: string[] = [];
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  for (const [i, text] of words.entries()) {
    const [, field, given] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
    const name = field ?? (i === 0 ? names[0] : undefined);
    const value = given ?? text;
    const schema = name === undefined ? undefined : fields[name];
    if (name === undefined || (schema === undefined && !isOpen)) errors.push(unknownField(name ?? text, names));
    else if (action.path.includes(`{${name}}`)) params[name] = value;
    else if (action.query !== undefined && Object.hasOwn(action.query, name)) query[name] = value;
    else body[name] = parsedValue(value, schema);
  }
  const all = typeof whole === 'string' ? bodyFrom(whole, process) : undefined;
  if (all !== undefined && 'error' in all) errors.push(all.error);
  if (errors.length > 0) return { errors };
  const merged = all !== undefined && 'value' in all ? all.value : body;
  return { params, query, ...(action.body !== undefined && { body: merged }) };
}

function unknownField(given: string, names: readonly string[]): string {
  const there = names.length === 0 ? 'this command takes none' : `known are ${names.join(', ')}`;
  return `unknown field ${JSON.stringify(given)}${nearest(given, names)}: ${there}`;
}

/** Text if the schema wants text, else JSON if it parses. */
function parsedValue(text: string, schema: JsonSchema | undefined): unknown {
  const types = [schema?.type ?? 'string'].flat();
  if (types.includes('string') && !(types.length > 1 && /^-?[\d.]+$/.test(text))) return text;
  return parsedJson(text, text); // the fake reports the error
}

function bodyFrom(whole: string, process: Process): { readonly value: unknown } | { readonly error: string } {
  try {
    const text = /^\s*[[{"]/.test(whole)
      ? whole
      : readFileSync(whole === '-' ? 0 : `${process.cwd()}/${whole}`, 'utf8');
    return { value: JSON.parse(text) };
  } catch (error) {
    return {
      error: `--body ${JSON.stringify(whole.slice(0, 80))} is neither JSON nor a file of JSON: ${(error as Error).message}`,
    };
  }
}

function show({ stdout }: Process, output: unknown, isJson: boolean): void {
  if (output === undefined) return;
  if (isJson) stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  else writeLines(stdout, valueLines(output));
}

/** Prints the journal, then each new entry on one line, until the process is interrupted. */
async function following(port: HttpPort, sandbox: string, process: Process, isJson: boolean): Promise<void> {
  const ending = interruption(process);
  try {
    let last = 0;
    const tell = (entry: JournalEntry) => {
      if (entry.id <= last) return; // it came after the stream was opened and before the journal was read
      last = entry.id;
      writeLine(process.stdout, isJson ? JSON.stringify(entry) : entryLine(entry));
    };
    let begun = () => {};
    const opened = new Promise<void>(resolve => {
      begun = resolve;
    });
    const events = port.listen(sandbox, ending.signal, begun);
    const first = events.next();
    await Promise.race([opened, first]);
    for (const entry of (await port.invoke(readingJournal, { sandbox })).entries) tell(entry);
    for (let next = await first; next.done !== true; next = await events.next()) {
      if (next.value.type === 'reset') last = 0;
      if (next.value.type === 'entry') tell(next.value.data);
    }
  } finally {
    ending.release();
  }
}
