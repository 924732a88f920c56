// What the build derives from the code and ships in dist/contracts: schemas, the OpenAPI of the control API, the guide, and the evidence of the shipped
// suites, which plays them. Writes into the folder that the command line names.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verificationSchema } from '../harness/verify/results/verification-format.js';
import { actions } from '../server/control/actions.js';
import { controlOpenapi } from '../server/control/control-openapi.js';
import { guide } from '../server/derive/guide/guide.js';
import { schemaDocuments } from '../server/derive/schemas/schemas.js';
import { packageVersion } from '../server/process/package.js';
import { defaultFolders, packageRoot } from '../server/scenario/files/folders.js';
import { formatSchemas } from '../server/scenario/format/format.js';
import { suiteEvidence } from './suite-evidence.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('built.ts needs the folder to write into');

const schemas = {
  ...formatSchemas,
  verification: verificationSchema,
  ...Object.fromEntries(schemaDocuments().map(({ name, schema }) => [name, schema])),
};
const documents: Readonly<Record<string, string | object>> = {
  'control-openapi.json': controlOpenapi(actions, packageVersion()),
  'evidence.json': await suiteEvidence(defaultFolders(packageRoot())),
  'guide.md': guide(),
  ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`schemas/${name}.schema.json`, schema])),
};
mkdirSync(join(folder, 'schemas'), { recursive: true });
for (const [path, content] of Object.entries(documents)) {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
  writeFileSync(join(folder, path), text);
}
