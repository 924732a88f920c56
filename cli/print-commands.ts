// `cwx-fake ledger|guide|openapi|schema`: documents derived from the operations and formats. Generators are loaded on demand, to keep the start of
// `serve` fast.

import type { DocumentPart } from '../server/derive/openapi/named-schemas.js';
import { expectedOf, nearest } from '../server/engine/nearest.js';
import { operations } from '../server/operations/catalog/catalog.js';
import { chosenReadings } from '../server/operations/gaps/profiles.js';
import type { OutputStream } from '../server/process/command-process.js';
import { packageVersion } from '../server/process/package.js';
import { formatSchemas } from '../server/scenario/format/format.js';
import { readingsFrom } from '../server/scenario/load/readings-file.js';
import { flagsOfServe } from '../server/settings/serve-flags.js';
import { settingsFrom } from '../server/settings/settings.js';
import { type Command, end, exit, fail, usable } from './command/command.js';

/** Flags for the readings of a document. */
const READINGS = ['profile', 'reading', 'readings'];

const json = { name: 'json', description: 'print JSON' };
const restApi = {
  name: 'rest-api',
  description: 'print the document of the REST APIs of Confluence and Jira instead',
};
const version = {
  name: 'openapi-version',
  value: 'v',
  description: 'the OpenAPI version: 3.1, or 3.0 for generators that support only that version',
  default: '3.1',
  check: (value: string) => (['3.0', '3.1'].includes(value) ? undefined : 'it must be 3.0 or 3.1'),
};

export const documents = {
  ledger: {
    name: 'ledger',
    summary: 'Print every rule and every gap with its readings, and the scenarios that are the evidence for each.',
    usage: '[rule, gap or refusal]',
    flags: [json],
    examples: [
      ['cwx-fake ledger', 'print the whole ledger'],
      ['cwx-fake ledger unknown-user', 'print one gap, rule or refusal'],
      ['cwx-fake ledger --json', 'print it as JSON, for another program to read'],
    ],
    async run({ positionals: [id], values }, process) {
      const { stdout } = process;
      const { shippedLedger } = await import('../server/scenario/load/shipped-ledger.js');
      const whole = shippedLedger();
      const { showEntry, showLedger, showRefusal } = await import('../server/derive/ledger/ledger.js');
      if (id === undefined) return print(stdout, values.json === true ? whole : showLedger(whole));
      const entries = [...whole.rules, ...whole.gaps];
      const entry = entries.find(each => each.id === id);
      const refusal = whole.refusals.find(({ code }) => code === id);
      if (entry === undefined && refusal !== undefined)
        return print(stdout, values.json === true ? refusal : showRefusal(refusal));
      const names = [...entries.map(each => each.id), ...whole.refusals.map(({ code }) => code)];
      if (entry === undefined) unknown('rule, gap or refusal', id, [...new Set(names)]);
      return print(stdout, values.json === true ? entry : showEntry(entry, whole.refusals));
    },
  },
  guide: {
    name: 'guide',
    summary: 'Print the guide for client developers, or its section about one operation, as Markdown.',
    usage: '[operation]',
    flags: [json],
    examples: [
      ['cwx-fake guide > guide.md', 'save the guide'],
      ['cwx-fake guide ppf.push', 'print the section about one operation'],
    ],
    async run({ positionals: [id], values }, process) {
      const { stdout } = process;
      const { guide, guideTo } = await import('../server/derive/guide/guide.js');
      const operation = operations.find(other => other.id === id);
      const names = operations.map(other => other.id);
      if (id !== undefined && operation === undefined) unknown('operation', id, names);
      const text = operation === undefined ? guide() : guideTo(operation);
      return print(stdout, values.json === true ? { guide: text } : text);
    },
  },
  openapi: {
    name: 'openapi',
    summary: 'Print the OpenAPI document of the operations, under the default readings or the given ones.',
    usage: '',
    flags: [version, restApi, ...flagsOfServe(...READINGS)],
    examples: [
      ['cwx-fake openapi > openapi.json', 'for a generator or a linter'],
      ['cwx-fake openapi --openapi-version 3.0 > openapi.json', 'for a generator that needs OpenAPI 3.0'],
      ['cwx-fake openapi --reading wiki-success=no-content', 'for a server with this reading'],
      ['cwx-fake openapi --profile strict', 'for a server with the profile strict'],
      ['cwx-fake openapi --rest-api', 'the REST APIs of Confluence and Jira'],
    ],
    async run({ values }, process) {
      const { asOpenapi30 } = await import('../server/derive/openapi/openapi-3-0.js');
      const show = (document: DocumentPart) =>
        print(process.stdout, values[version.name] === '3.0' ? asOpenapi30(document) : document);
      if (values[restApi.name] === true) {
        const given = READINGS.find(name => values[name] !== undefined);
        if (given !== undefined)
          fail(exit.usage, `--${given} and --rest-api cannot be combined: --${given} applies only to the operations`);
        const { restApiOpenapi } = await import('../server/derive/openapi/rest-api-openapi.js');
        return show(restApiOpenapi(packageVersion()));
      }
      const readings = chosenReadings(settingsFrom(undefined, values, usable(readingsFrom(values.readings))));
      const { openapiOf } = await import('../server/derive/openapi/openapi.js');
      return show(openapiOf(readings, packageVersion()));
    },
  },
  schema: {
    name: 'schema',
    summary: 'Print the JSON Schema of a format: fixture, scenario, map, or the JSON report of verify (verification).',
    usage: '<format>',
    flags: [],
    examples: [['cwx-fake schema scenario > scenario.schema.json', 'for an editor']],
    async run({ positionals: [format = ''] }, process) {
      const { verificationSchema } = await import('../harness/verify/results/verification-format.js');
      const all = { ...formatSchemas, verification: verificationSchema };
      const schema = Object.entries(all).find(([name]) => name === format);
      if (schema === undefined) unknown('format', format, Object.keys(all));
      return print(process.stdout, schema[1]);
    },
  },
} as const satisfies Record<string, Command>;

/** More names are not listed in a message. */
const MAX_LISTED = 40;

/** Names the nearest; if none is near, all, unless they are too many. */
function unknown(what: string, word: string, names: readonly string[]): never {
  const all = names.length > MAX_LISTED ? '; cwx-fake ledger lists them all' : `: ${expectedOf(names)}`;
  const meant = nearest(word, names) || all;
  end(exit.usage, `unknown ${what} ${JSON.stringify(word)}${meant}`);
}

function print(stdout: OutputStream, what: string | object): typeof exit.passed {
  const text = typeof what === 'string' ? what : JSON.stringify(what, null, 2);
  stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return exit.passed;
}
