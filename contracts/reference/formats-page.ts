// The formats of files as a page, read off their JSON Schemas.
import { code, markdownTable } from '../../server/derive/text/markdown-syntax.js';
import { page } from './page.js';
import { type Elsewhere, type JsonSchema, schemaRows } from './schema-rows.js';

/** How deep keys are listed. */
const DEPTH = 3;

/** `others` is the number of schemas of requests and responses. */
export function formatsPage(
  formats: ReadonlyArray<readonly [name: string, schema: JsonSchema]>,
  others: number,
): string {
  return page({
    title: 'File formats',
    lead: 'The files that you write, fixtures, scenarios and maps, and those that commands write.',
    body: [
      'Name the schema in the first line of a YAML file, and editors complete and check it: `# yaml-language-server: $schema=…`. The schemas are in',
      '`dist/contracts/schemas/` of the package; `cwx-fake schema fixture|scenario|map` prints them.',
      ...formats.flatMap(([name, schema]) => section(name, schema)),
      '',
      '## Requests and responses',
      '',
      `The other schemas are about operations ([how to use them](../how-to/validate-with-schemas.md)): ${others} files,`,
      '`<operation>.path`, `.query`, `.body` and `.reply`, `wiki.refusal` and `ppf.refusal`, each ending in `.schema.json`.',
    ],
    next: '[write a scenario](../how-to/write-a-scenario.md).',
  });
}

const elsewhere: Elsewhere = Object.fromEntries([
  ...['world', 'then'].map(key => [key, 'Keys as in a [fixture](#fixture).']),
  ['readings', 'All gaps and readings are in the [ledger](ledger.md).'],
]);

function outputRow([key = '', type = '', meaning = '']: readonly string[]): string[] {
  return [plain(key), type, isRequired(key), meaning];
}

/** Splits default and example from the meaning, where a description ends with them. */
function inputRow([key = '', type = '', meaning = '']: readonly string[]): string[] {
  const [, stated = ''] = DEFAULT.exec(meaning) ?? [];
  const [, example = ''] = EXAMPLE.exec(meaning) ?? [];
  const rest = meaning.replace(DEFAULT, ' ').replace(EXAMPLE, '.').replace(/ {2,}/g, ' ').trim();
  return [plain(key), type, isRequired(key), stated, example === '' ? '' : code(example), rest];
}

const DEFAULT = /(?:^| )Default: ((?:[^.]|\.(?! |$))+)\.(?= |$)/;
const EXAMPLE = /,? such as (\S+)\.(?= |$)/;

function isRequired(key: string): string {
  return key.startsWith('**') ? 'yes' : '';
}

function plain(key: string): string {
  return key.replaceAll('**', '');
}

/** An example of each part of a step that changes the sandbox. */
const changes = [
  '',
  '### Steps that change the sandbox',
  '',
  'A step makes its changes in this order, before its request if it has one: `reset`, `clock`, `readings`, `faults`, `world`.',
  '',
  '```yaml',
  '# maintenance.yaml',
  'title: A day of maintenance',
  'fixture: small-team',
  'clock: 2026-01-05T09:00:00Z',
  'steps:',
  '  - say: The push add-on is down until midnight.',
  '    faults: [{ operation: ppf.push, until: 2026-01-06T00:00:00Z, effect: { status: 503 } }]',
  '    as: admin',
  '    call: ppf.push',
  '    body: { users: [alice], filters: [10500] }',
  '    expect: { status: 503 }',
  '  - say: A day later, the same request succeeds.',
  '    clock: +P1D                                    # or an instant: 2026-01-06T09:00:00Z',
  '    as: admin',
  '    call: ppf.push',
  '    body: { users: [alice], filters: [10500] }',
  '    expect: { status: 200 }',
  '  - say: From now on, the server responds to unknown users with 400.',
  '    readings: { unknown-user: 400 }                # in a step with a request: for that request only',
  '  - say: Bob registers.',
  '    world: { users: { bob: { displayName: Bob } } }  # null removes: { users: { carol: null } }',
  '  - say: Everything begins again.',
  '    reset: true',
  '    then: { users: { bob: { $absent: true } } }',
  '```',
  '',
  '```console',
  '$ npx cwx-fake play maintenance.yaml',
  'maintenance.yaml: A day of maintenance',
  '✔ 1 The push add-on is down until midnight. · 503 ppf.push',
  '✔ 2 A day later, the same request succeeds. · 200 ppf.push',
  '✔ 3 From now on, the server responds to unknown users with 400.',
  '✔ 4 Bob registers.',
  '✔ 5 Everything begins again.',
  '✔ 1 scenario, 5 steps passed, 0 failed, 0 skipped',
  '```',
];

function section(name: string, schema: JsonSchema): string[] {
  const whole = { ...schema, properties: { ...schema.then?.properties, ...schema.properties } };
  return [
    '',
    `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
    '',
    `${schema.description ?? ''} ${code(`${name}.schema.json`)}`,
    '',
    ...(name === 'verification'
      ? markdownTable(['key', 'type', 'always', 'meaning'], schemaRows(whole, DEPTH - 1).map(outputRow))
      : markdownTable(
          ['key', 'type', 'required', 'default', 'example', 'meaning'],
          schemaRows(whole, DEPTH, name === 'scenario' ? elsewhere : {}).map(inputRow),
        )),
    ...(name === 'scenario' ? changes : []),
  ];
}
