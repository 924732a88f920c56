// The commands for a running fake: each action of the control API as words, such as `cwx-fake clock set advance=PT1H`. Commands, arguments and help
// are derived from the actions.

import { readingHar, readingJournal } from '../../server/control/actions/journal-actions.js';
import { resettingSandbox } from '../../server/control/actions/sandbox-actions.js';
import { choosingReadings } from '../../server/control/actions/world-actions.js';
import { isObject } from '../../server/domain/form/patch.js';
import { pathOfPointer } from '../../server/domain/json/json-pointer.js';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { FakeError } from '../../server/library/port/fake-error.js';
import type { HttpPort } from '../../server/library/port/http-port.js';
import { type Process, writeLine, writeLines } from '../../server/process/command-process.js';
import { interruption } from '../../server/process/interruption.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import type { Flag } from '../../server/settings/serve-flags.js';
import { type Arguments, type Command, type ExitCode, exit, fail, listed } from '../command/command.js';
import { explanationLines, isExplanation } from '../terminal/explanation-lines.js';
import { entryLine, valueLines } from '../terminal/value-lines.js';
import { fittedLines, hanging, lineWidth as widthOf } from '../terminal/wrap.js';
import { atFake, fakeFlags } from './at-fake.js';
import { inputFrom } from './verb-input.js';
import { assigned, exampleLine, exampleOf, isOpen, nounOf, runningFakeCommands, type Verb, verbs } from './verbs.js';

const flags: readonly Flag[] = [
  ...fakeFlags,
  {
    name: 'body',
    value: 'json|file',
    description: 'JSON file with the whole input; or the JSON itself, or - for standard input',
    example: 'patch.json',
  },
  { name: 'json', description: 'print the result as JSON' },
];
const har = { name: 'har', description: 'print the entries as an HTTP Archive (HAR), which browsers open' };
const follow = { name: 'follow', description: 'print new entries as they arrive, until Ctrl-C' };

/** The summaries of commands that do more than one thing. */
const summaries: Readonly<Record<string, string>> = {
  clock: 'Get, set, advance, freeze or start the clock of a sandbox',
  faults: 'List, replace, add, clear or release faults',
  journal:
    'List, follow, check or clear the requests and responses of a sandbox, with the rules and readings behind each response',
  readings: 'Get or choose the readings of a sandbox, one for each gap',
  snapshots: 'List, take, restore or drop the snapshots of a sandbox',
  stubs: 'List, replace, add or clear stubs: responses to requests that the fake does not model',
  world: 'Get or change the world of a sandbox, or get one part of it',
};

/** The commands for a running fake, in the order of the actions. */
export const verbCommands: readonly Command[] = runningFakeCommands.map(commandOf);

function commandOf(name: string): Command {
  const own = verbsOf(name);
  const [plain] = own.filter(({ words }) => words.length === 1);
  const named = own.flatMap(({ words }) => words[1] ?? []);
  const usages = own.map(verb => usageOf(verb).slice(1).join(' '));
  return {
    name,
    summary: `${summaries[name] ?? (plain ?? own[0])?.summary ?? ''}.`,
    usage: own.length === 1 ? (usages[0] ?? '') : `[${named.join('|')}] [argument…] [field=value]…`,
    minArgs: 0,
    maxArgs: 50,
    flags: flagsOf(name, own),
    fields: Object.fromEntries(
      own.flatMap(({ fields }) => Object.keys(fields)).map(field => [field, exampleOf(field, name)]),
    ),
    details: width => (own.length > 1 ? own.flatMap(verb => verbHelp(verb, width)) : fieldsAlone(own, width)),
    examples: own.map(verb => [exampleLine(verb)]),
    run: (args, process) => run(own, args, process),
  };
}

function flagsOf(name: string, own: readonly Verb[]): Flag[] {
  const isInSandbox = own.some(({ action }) => action.inSandbox || action.path.includes('{s}'));
  const hasInput = own.some(({ action }) => action.body !== undefined);
  const fitting = flags.filter(
    ({ name: flag }) => (flag !== 'sandbox' || isInSandbox) && (flag !== 'body' || hasInput),
  );
  return name === 'journal' ? [...fitting, follow, har] : fitting;
}

function verbsOf(name: string): readonly Verb[] {
  return verbs.filter(({ words }) => words[0] === name);
}

/** The words that may follow such a command: its verbs, the fields that they take, and the values of arguments. */
export function wordsAfter(name: string): string[] {
  const own = verbsOf(name);
  const fields = own.flatMap(verb => Object.keys(verb.fields).map(field => `${field}=`));
  const values = own.flatMap(verb =>
    verb.positions.flat().flatMap(field => (verb.fields[field]?.enum as string[]) ?? []),
  );
  return [...new Set([...own.flatMap(({ words }) => words[1] ?? []), ...fields, ...values])];
}

/** `journal [entry|operation|path] [field=value]…` */
function usageOf({ words, positions, fields, required, action }: Verb): string[] {
  const places = positions.map(names => {
    const shown = names.map(name => nounOf(name, words[0])).join('|');
    return names.some(name => required.includes(name)) ? `<${shown}>` : `[${shown}]`;
  });
  const others = Object.keys(fields).some(name => !positions.flat().includes(name)) || isOpen(action);
  return [...words.filter(word => word !== undefined), ...places, ...(others ? ['[field=value]…'] : [])];
}

/** The usage, the summary and the fields of one of several verbs. */
function verbHelp(verb: Verb, width: number): string[] {
  return [
    `  cwx-fake ${usageOf(verb).join(' ')}`,
    ...hanging('      ', `${verb.summary}.`, width),
    ...fieldsHelp(verb, '        ', width),
  ];
}

/** The fields of a command with one verb, which its usage shows already. */
function fieldsAlone(own: readonly Verb[], width: number): string[] {
  const lines = own.flatMap(verb => fieldsHelp(verb, '  ', width));
  return lines.length > 0 ? ['Fields:', ...lines] : [];
}

function fieldsHelp({ words, fields }: Verb, indent: string, width: number): string[] {
  const shown = Object.entries(fields).map(
    ([name, { title, description }]) =>
      [
        assigned(name, words[0]),
        [title, description]
          .flatMap(text => text ?? [])
          .map(sentence)
          .join(' '),
      ] as const,
  );
  const column = Math.min(MAX_FIELD, Math.max(0, ...shown.map(([text]) => text.length))) + 2;
  return shown.flatMap(([text, description]) =>
    text.length > MAX_FIELD
      ? [`${indent}${text}`, ...hanging(indent + ' '.repeat(column), description, width)]
      : listed(`${indent}${text.padEnd(column)}`, description, width),
  );
}

function sentence(text: unknown): string {
  return String(text).replace(/\.?$/, '.');
}

/** Longer examples have a line of their own. */
const MAX_FIELD = 34;

const NO_FAKE = '  Start a fake with cwx-fake serve, or give the URL of a running one with --url.';

async function run(own: readonly Verb[], args: Arguments, process: Process): Promise<ExitCode> {
  const input = inputFrom(own, args, process);
  if ('errors' in input) fail(exit.usage, ...input.errors);
  const { verb, call } = input;
  const isJson = args.values.json === true;
  try {
    await atFake(args.values, async (port, named) => {
      const sandbox = input.sandbox ?? named;
      const isHar = args.values.har === true;
      if (isHar && verb.action !== readingJournal)
        fail(exit.usage, '--har prints entries: use it with cwx-fake journal');
      if (args.values.follow === true) return following(port, sandbox, process, isJson);
      const output = await port.invoke(isHar ? readingHar : verb.action, {
        ...call,
        sandbox,
        mustExist: verb.action === resettingSandbox && sandbox !== 'default', // it would have nothing to reset
      });
      const isChoice = verb.action.id === choosingReadings.id;
      show(process, isChoice && !isJson ? fieldsOf(output, call.body) : output, isJson || isHar);
    });
    return exit.passed;
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    fail(exitOf(error), ...errorLines(error, verb), ...(error.cause instanceof Unreachable ? [NO_FAKE] : []));
  }
}

/** The fields of an object that another one has too: of all readings, those just chosen. */
function fieldsOf(object: unknown, given: unknown): unknown {
  if (!isObject(object) || !isObject(given)) return object;
  return Object.fromEntries(Object.entries(object).filter(([field]) => Object.hasOwn(given, field)));
}

/** The message, with fields as they are typed instead of JSON pointers, and without the words of HTTP. */
function errorLines({ message, problems }: FakeError, { places = [] }: Verb): string[] {
  const title = (message.split('\n', 1)[0] ?? '').replace(/^Invalid (body|query):/, 'Invalid input:');
  const lines = problems.flatMap(({ pointer = '', message }) => {
    if (!pointer.startsWith('/')) return message.split('\n');
    const place = places.find(one => pointer.startsWith(`${one}/`)) ?? '';
    const field = JSON.stringify(pathOfPointer(pointer.slice(place.length)).join('.'));
    return message.startsWith(pointer) ? `${field}${message.slice(pointer.length)}` : `${field}: ${message}`;
  });
  return [title, ...lines.map(line => `  ${line}`)];
}

/** Without a status, no server answered, or it is no fake. */
function exitOf({ status }: FakeError): ExitCode {
  if (status === undefined || status >= 500) return exit.unreachable;
  return status === 417 ? exit.failed : exit.usage;
}

function show({ stdout }: Process, output: unknown, isJson: boolean): void {
  if (output === undefined) return;
  if (isJson) stdout.write(`${JSON.stringify(output, null, 2)}\n`);
  else if (isExplanation(output)) writeLines(stdout, explanationLines(output, widthOf(stdout)));
  else writeLines(stdout, fittedLines(valueLines(output, widthOf(stdout)), stdout));
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
