// `npm run update`: makes everything anew that is committed and comes from something else. With `--check` it only compares what the code alone makes,
// and names what differs. With names it does only those: documents, pacts, outputs, pictures.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../server/scenario/files/folders.js';
import { generate, outdated } from './generated.js';

const root = packageRoot();
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

const steps: Readonly<Record<string, () => void>> = {
  /** OpenAPI, schemas, guide, evidence, reference. */
  documents: () => generate(),
  /** Of the consumers in contracts/consumers. */
  pacts: () => run(['--import', 'tsx', 'contracts/write-pacts.ts', '--reporter', 'dot']),
  /** What the commands of the documentation print. */
  outputs: () => {
    run(['build/build.mjs', '--if-stale']);
    run([mocha, '--reporter', 'dot', 'tests/docs/commands.test.ts'], { UPDATE_DOCS: '1' });
  },
  /** Screenshots of the dashboard. */
  pictures: () => {
    if (existsSync(join(root, 'tests/tools/node_modules')))
      run(['--import', 'tsx', 'tests/tools/browser/screenshots.ts']);
    else console.error('pictures: skipped, they need a browser: npm run tools');
  },
};

const wanted = process.argv.slice(2);
if (wanted.includes('--check')) check();
else update(wanted.length === 0 ? Object.keys(steps) : wanted);

function check(): void {
  const differing = outdated();
  for (const path of differing) console.error(`${path} is not what the code makes: run npm run update -- documents.`);
  process.exitCode = differing.length === 0 ? 0 : 1;
}

function update(names: readonly string[]): void {
  for (const name of names) {
    const step = steps[name];
    if (step === undefined) throw new Error(`There is no step "${name}". There are ${Object.keys(steps).join(', ')}.`);
    step();
  }
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed`);
}
