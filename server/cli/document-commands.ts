// `cwx-fake ledger|guide|openapi|schema`: what is derived from the operations and formats, on standard output.
// What makes each is loaded when it is asked for, so that serving does not wait for it.

import { nearest } from '../engine/nearest.js';
import { operations } from '../operations/catalog.js';
import { chosenReadings } from '../operations/gaps/profiles.js';
import { type Output, writeLine, writeLines } from '../process/command-process.js';
import { packageVersion } from '../process/package.js';
import { formatSchemas } from '../scenario/format/format.js';
import { loadReadings } from '../scenario/load/readings-file.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import { flagsOfServe, settingsFrom } from '../settings.js';
import { type Command, exit } from './command.js';

/** The flags that say under which readings a document is. */
const READINGS = ['profile', 'reading', 'readings'];

const json = { name: 'json', description: 'as JSON' };
const hosts = { name: 'hosts', description: "that of the hosts' own resources, such as /rest/api/space" };

export const documents = {
  ledger: {
    name: 'ledger',
    summary:
      'Every rule of the document, and every gap with its readings, each with its evidence: the scenarios that prove it.',
    usage: '[rule or gap]',
    minArgs: 0,
    maxArgs: 1,
    flags: [json],
    examples: [
      ['cwx-fake ledger', 'read it'],
      ['cwx-fake ledger unknown-user', 'one gap or rule'],
      ['cwx-fake ledger --json', 'for a program'],
    ],
    async run({ positionals: [id], values }, { stdout, stderr }) {
      const { shippedLedger } = await import('../scenario/load/shipped-ledger.js');
      const whole = shippedLedger();
      const { showEntry, showLedger } = await import('../derive/ledger/ledger.js');
      if (id === undefined) return print(stdout, values.json === true ? whole : showLedger(whole));
      const entries = [...whole.rules, ...whole.gaps];
      const entry = entries.find(each => each.id === id);
      const names = entries.map(each => each.id);
      if (entry === undefined) return unknown(stderr, 'rule or gap', id, names);
      return print(stdout, values.json === true ? entry : showEntry(entry, whole.refusals));
    },
  },
  guide: {
    name: 'guide',
    summary: 'The guide for someone who writes a client, or the part about one operation, as Markdown.',
    usage: '[operation]',
    minArgs: 0,
    maxArgs: 1,
    flags: [json],
    examples: [
      ['cwx-fake guide > guide.md', 'keep it'],
      ['cwx-fake guide ppf.push', 'one operation'],
    ],
    async run({ positionals: [id], values }, { stdout, stderr }) {
      const { guide, guideTo } = await import('../derive/guide/guide.js');
      const operation = operations.find(other => other.id === id);
      const names = operations.map(other => other.id);
      if (id !== undefined && operation === undefined) return unknown(stderr, 'operation', id, names);
      const text = operation === undefined ? guide() : guideTo(operation);
      return print(stdout, values.json === true ? { guide: text } : text);
    },
  },
  openapi: {
    name: 'openapi',
    summary: 'The OpenAPI 3.1 document of the operations, under the default readings or others.',
    usage: '',
    minArgs: 0,
    maxArgs: 0,
    flags: [json, hosts, ...flagsOfServe(...READINGS)],
    examples: [
      ['cwx-fake openapi > openapi.json', 'for a generator or a linter'],
      ['cwx-fake openapi --reading wiki-success=no-content', 'as a server of that reading would have it'],
      ['cwx-fake openapi --profile strict', 'as one that refuses what it may has it'],
      ['cwx-fake openapi --hosts', "the hosts' own resources"],
    ],
    async run({ values }, { stdout, stderr }) {
      if (values.hosts === true) {
        const given = READINGS.find(name => values[name] !== undefined);
        if (given !== undefined) {
          writeLine(
            stderr,
            `cwx-fake openapi: --${given} is about the operations, and --hosts prints another document: leave out one of them`,
          );
          return exit.usage;
        }
        const { hostsOpenapi } = await import('../derive/openapi/hosts-openapi.js');
        return print(stdout, hostsOpenapi(packageVersion()));
      }
      const file = typeof values.readings === 'string' ? loadReadings(values.readings) : { readings: {} };
      if (isProblems(file)) {
        writeLines(stderr, file.problems.map(showProblem));
        return exit.usage;
      }
      const readings = chosenReadings(settingsFrom(undefined, values, file));
      const { openapiOf } = await import('../derive/openapi/openapi.js');
      return print(stdout, openapiOf(readings, packageVersion()));
    },
  },
  schema: {
    name: 'schema',
    summary: 'The JSON Schema of a file format: fixture, scenario or map.',
    usage: '<format>',
    minArgs: 1,
    maxArgs: 1,
    flags: [json],
    examples: [['cwx-fake schema scenario > scenario.schema.json', 'for an editor']],
    async run({ positionals: [format = ''] }, { stdout, stderr }) {
      const schema = Object.hasOwn(formatSchemas, format)
        ? formatSchemas[format as keyof typeof formatSchemas]
        : undefined;
      if (schema !== undefined) return print(stdout, schema);
      writeLine(
        stderr,
        `there is no format ${JSON.stringify(format)}${nearest(format, Object.keys(formatSchemas))}: it takes ${Object.keys(formatSchemas).join(' or ')}`,
      );
      return exit.usage;
    },
  },
} as const satisfies Record<string, Command>;

/** With the nearest; where none is near, with all of them. */
function unknown(stderr: Output, what: string, word: string, names: readonly string[]): typeof exit.usage {
  const meant = nearest(word, names) || `: there are ${names.join(', ')}`;
  writeLine(stderr, `there is no ${what} ${JSON.stringify(word)}${meant}`);
  return exit.usage;
}

function print(stdout: Output, what: string | object): typeof exit.held {
  const text = typeof what === 'string' ? what : JSON.stringify(what, null, 2);
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return exit.held;
}
