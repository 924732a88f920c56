// The formats of files as a page, read off their JSON Schemas.
import { code, table } from '../../server/derive/text/markdown-syntax.js';
import { page } from './page.js';
import { type JsonSchema, schemaRows } from './schema-rows.js';

/** How deep keys are listed. */
const DEPTH = 3;

/** `others` is how many schemas of requests and answers there are. */
export function formatsPage(
  formats: ReadonlyArray<readonly [name: string, schema: JsonSchema]>,
  others: number,
): string {
  return page({
    title: 'File formats',
    reader: 'writes a fixture, a scenario or a map, or reads what a command writes',
    body: [
      'Name the schema in the first line of a YAML file, and editors complete and check it: `# yaml-language-server: $schema=…`. The schemas are in',
      '`contracts/schemas/` of the package; `cwx-fake schema fixture|scenario|map` prints them. Required keys are in bold.',
      ...formats.flatMap(([name, schema]) => section(name, schema)),
      '',
      '## Requests and answers',
      '',
      `The other schemas are about operations ([how to use them](../how-to/validate-with-schemas.md)): ${others} files,`,
      '`<operation>.path`, `.query`, `.body` and `.reply`, `wiki.refusal` and `ppf.refusal`, each ending in `.schema.json`.',
    ],
    next: '[write a scenario](../how-to/write-a-scenario.md).',
  });
}

function section(name: string, schema: JsonSchema): string[] {
  const whole = { ...schema, properties: { ...schema.then?.properties, ...schema.properties } };
  return [
    '',
    `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
    '',
    `${schema.description ?? ''} ${code(`${name}.schema.json`)}`,
    '',
    ...table(['key', 'takes', 'meaning'], schemaRows(whole, DEPTH)),
  ];
}
