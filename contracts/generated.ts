// What is derived from the code and committed, because people read it on a forge: OpenAPI, the pages of the document and of the reference.
// Makes nothing itself: each entry says which file it is and who makes its text.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { verificationSchema } from '../harness/verify/results/verification-format.js';
import { actions } from '../server/control/actions.js';
import { controlOpenapi } from '../server/control/control-openapi.js';
import { ledger } from '../server/derive/ledger/ledger.js';
import { openapiOf } from '../server/derive/openapi/openapi.js';
import { schemaDocuments } from '../server/derive/schemas/schemas.js';
import { packageVersion } from '../server/process/package.js';
import { writeWhole } from '../server/process/whole-file.js';
import { defaultFolders, packageRoot } from '../server/scenario/files/folders.js';
import { formatSchemas } from '../server/scenario/format/format.js';
import { commandPages } from './reference/cli-page.js';
import { type ControlDocument, controlApiPage } from './reference/control-api-page.js';
import { documentPage } from './reference/document-page.js';
import { formatsPage } from './reference/formats-page.js';
import { ledgerPage } from './reference/ledger-page.js';
import { libraryPages } from './reference/library-page.js';
import { families, operationsPage } from './reference/operations-page.js';
import { printed } from './reference/printed.js';
import { restApiPage } from './reference/rest-api-page.js';
import { terminalPicture } from './reference/terminal-picture.js';
import { suiteEvidence } from './suite-evidence.js';

/** As wide as a README is shown. */
const COLUMNS = 100;
const played = await printed(['play', 'pushing-favourites', '--pace', '0'], COLUMNS);
const evidence = await suiteEvidence(defaultFolders(packageRoot()));

interface Generated {
  /** From the root of the package. */
  readonly path: string;
  /** Its text, or the value that it holds as JSON. */
  make(): string | object;
}

export const generated: readonly Generated[] = [
  { path: 'contracts/openapi.json', make: () => openapiOf(undefined, packageVersion()) },
  { path: 'docs/document.md', make: documentPage },
  ...referencePages(),
  {
    path: 'docs/pictures/play.svg',
    make: () => terminalPicture(firstStep(), COLUMNS, 'cwx-fake play pushing-favourites'),
  },
];

/** The title of the scenario and its first step, as a terminal shows them. */
function firstStep(): string {
  return played.slice(0, played.indexOf('\n\n', played.indexOf('\n\n') + 2));
}

/** The pages of docs/reference/. */
function referencePages(): Generated[] {
  const made = {
    ...commandPages,
    'control-api.md': () => controlApiPage(controlOpenapi(actions, packageVersion()) as unknown as ControlDocument), // its own shape
    ...libraryPages(join(packageRoot(), 'server/index.ts')),
    'formats.md': () =>
      formatsPage(Object.entries({ ...formatSchemas, verification: verificationSchema }), schemaDocuments().length),
    'rest-api.md': restApiPage,
    'ledger.md': () => ledgerPage(ledger(evidence)),
    ...Object.fromEntries(
      Object.entries(families).map(([family, { file }]) => [
        file,
        () => operationsPage(family as keyof typeof families),
      ]),
    ),
  };
  return Object.entries(made).map(([name, make]) => ({ path: `docs/reference/${name}`, make }));
}

const home = packageRoot();

/** The files that are not as they would be made, or that nothing makes any more. */
export function outdated(folder: string = home): string[] {
  const differing = generated.filter(entry => {
    const file = join(folder, entry.path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== textOf(entry);
  });
  return [...differing.map(({ path }) => path), ...abandoned(folder)];
}

/** Writes every file, and takes away what nothing makes any more. */
export function generate(folder: string = home): void {
  for (const entry of generated) {
    mkdirSync(dirname(join(folder, entry.path)), { recursive: true });
    writeWhole(join(folder, entry.path), textOf(entry));
  }
  for (const path of abandoned(folder)) rmSync(join(folder, path));
}

/** Made once each: to compare takes as long as to write. */
const texts = new Map<string, string>();

function textOf({ path, make }: Generated): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const made = make();
  const text = typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`;
  texts.set(path, text);
  return text;
}

/** In the folder that holds nothing else. */
function abandoned(folder: string): string[] {
  const place = 'docs/reference';
  if (!existsSync(join(folder, place))) return [];
  const there = readdirSync(join(folder, place), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `${place}/${name.replaceAll('\\', '/')}`);
  return there.filter(path => !generated.some(entry => entry.path === path));
}
