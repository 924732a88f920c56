// Writes what is derived from the code and committed: documents, evidence, ledger, guide and schemas. With `--check` it compares and names what differs.
// Makes nothing itself: each entry says which file it is and who makes its text.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actions } from '../server/control/actions.js';
import { controlOpenapi } from '../server/control/control-openapi.js';
import { guide } from '../server/derive/guide/guide.js';
import { ledger } from '../server/derive/ledger/ledger.js';
import { ledgerMarkdown } from '../server/derive/ledger/ledger-markdown.js';
import { openapiOf } from '../server/derive/openapi/openapi.js';
import { schemaDocuments } from '../server/derive/schemas.js';
import { packageVersion } from '../server/package.js';
import { writeWhole } from '../server/report/whole-file.js';
import { formatSchemas } from '../server/scenario/format/format.js';
import { defaultFolders, packageRoot } from '../server/scenario/load/folders.js';
import { checkedFiles } from '../server/scenario/load/shipped.js';
import { verificationSchema } from '../server/verify/verification-format.js';
import { suiteEvidence } from './suite-evidence.js';

const evidence = await suiteEvidence(defaultFolders(packageRoot()));

interface Generated {
  /** Below `contracts/`. */
  readonly path: string;
  /** Its text, or the value that it holds as JSON. */
  make(): string | object;
}

export const generated: readonly Generated[] = [
  { path: 'openapi.json', make: () => openapiOf(undefined, packageVersion()) },
  { path: 'control-openapi.json', make: () => controlOpenapi(actions, packageVersion()) },
  { path: 'evidence.json', make: () => evidence },
  { path: 'ledger.json', make: () => ledger(evidence) },
  { path: 'ledger.md', make: () => ledgerMarkdown(ledger(evidence)) },
  { path: 'guide.md', make: () => guide() },
  { path: 'schemas/fixture.schema.json', make: () => formatSchemas.fixture },
  { path: 'schemas/scenario.schema.json', make: () => formatSchemas.scenario },
  { path: 'schemas/map.schema.json', make: () => formatSchemas.map },
  { path: 'schemas/verification.schema.json', make: () => verificationSchema },
  { path: 'checked.json', make: () => lines(checkedFiles()) },
  ...schemaDocuments().map(({ name, schema }) => ({ path: `schemas/${name}.schema.json`, make: () => schema })),
];

const home = dirname(fileURLToPath(import.meta.url));

/** The files that are not as they would be made, or that nothing makes any more. */
export function outdated(folder: string = home): string[] {
  const differing = generated.filter(entry => {
    const file = join(folder, entry.path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== textOf(entry);
  });
  return [...differing.map(({ path }) => path), ...abandoned(folder)];
}

/** Writes every file, and takes away the schemas that nothing makes any more. */
export function generate(folder: string = home): void {
  for (const entry of generated) writeWhole(join(folder, entry.path), textOf(entry));
  for (const path of abandoned(folder)) rmSync(join(folder, path));
}

function textOf({ make }: Generated): string {
  const made = make();
  return typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`;
}

/** JSON with each member on one line: what every start reads is kept short. */
function lines(members: Readonly<Record<string, unknown>>): string {
  const each = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${each.join(',\n')}\n}\n`;
}

function abandoned(folder: string): string[] {
  const schemas = join(folder, 'schemas');
  const there = existsSync(schemas) ? readdirSync(schemas).filter(name => name.endsWith('.schema.json')) : [];
  return there.map(name => `schemas/${name}`).filter(path => !generated.some(entry => entry.path === path));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) generate();
  const differing = outdated();
  for (const path of differing) console.error(`contracts/${path} is not what the code makes: run npm run generate.`);
  process.exitCode = differing.length === 0 ? 0 : 1;
}
