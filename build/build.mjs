// `npm run build`: makes dist/server, dist/ui and dist/contracts beside what is there and moves them into place. With `--if-stale` it does
// nothing where nothing has changed; with `--if-possible` it says what is missing, and does not fail, where there are no devDependencies.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { filesIn, hashOfInputs } from './inputs.mjs';

const root = dirname(import.meta.dirname);
const dist = join(root, 'dist');
/** The inputs of the build that is in place. */
const stamp = join(dist, 'inputs.sha256');

/** Of each folder that is built, one file. */
const made = ['server/cli.js', 'ui/dashboard.js', 'contracts/evidence.json'];
const parts = ['server', 'ui', 'contracts'];

/** From Node 22 on, what the last run has compiled is kept, beside the program: a shared folder would let others decide what runs. */
const CLI = `#!/usr/bin/env node
require('node:module').enableCompileCache?.(require('node:path').join(__dirname, '../compiled'));
require('./cwx-fake.cjs').cli();
`;

/** Has the program that is built write which shipped files it need not check again. */
const CHECKED = `
const { checkedFiles, checkedSuites } = require('./cwx-fake.cjs').shipped();
const write = (name, value) => require('node:fs').writeFileSync(name, JSON.stringify(value));
write('checked.json', checkedFiles());
write('checked-suites.json', checkedSuites());
`;

const hash = hashOfInputs(root);
if (!process.argv.includes('--if-stale') || !isBuilt()) {
  if (process.argv.includes('--if-possible') && !existsSync(join(root, 'node_modules/esbuild')))
    console.error(
      'dist/server is not built: that needs the devDependencies of this package. Run npm ci, then npm run build.',
    );
  else await build();
}

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && made.every(path => existsSync(join(dist, path)));
}

async function build() {
  const began = performance.now();
  mkdirSync(dist, { recursive: true });
  const beside = mkdtempSync(join(dist, '.building-'));
  try {
    await write(join(beside, 'server'), join(beside, 'ui'), join(beside, 'contracts'));
    for (const folder of parts) moveIntoPlace(beside, folder);
    writeFileSync(stamp, hash);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
  console.error(`dist/server is built, in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

/**
 * @param {string} out
 * @param {string} ui
 * @param {string} contracts
 */
async function write(out, ui, contracts) {
  const modules = await Promise.all([
    import('./bundle.mjs'),
    import('./dashboard.mjs'),
    import('./declarations.mjs'),
    import('./licences.mjs'),
  ]).catch(error => {
    throw new Error('The build needs the devDependencies of this package: run npm ci', { cause: error });
  });
  const [{ bundle, exportedNames }, { bundleDashboard }, { writeDeclarations }, { licencesOf }] = modules;
  const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  mkdirSync(out);
  writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n'); // loaded sooner, and Jest can
  const bundled = bundle(root, out, Object.keys(peerDependencies));
  const [inputs, uiInputs, names] = await whole([
    bundled,
    bundleDashboard(root, ui),
    exportedNames(root),
    writeDeclarations(root, out),
    bundled.then(() => node(['-e', CHECKED], out)),
    node(['--import', 'tsx', 'contracts/built.ts', contracts], root),
  ]);
  /** @type {Record<string, string>} */
  const files = {
    'cli.js': CLI,
    'index.js': "module.exports = require('./cwx-fake.cjs').library();\n",
    'index.mjs': `import library from './index.js';\n\nexport const { ${names.join(', ')} } = library;\n`,
    'index.d.mts': "export * from './index.js';\n",
    'LICENSES.txt': licencesOf(root, [...inputs, ...uiInputs]),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text, { mode: 0o755 });
}

/**
 * As `Promise.all`, but it ends when all have ended: what goes on after a failure would write into a folder that is removed.
 * @template {readonly unknown[]} T
 * @param {T} parts
 * @returns {Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }>}
 */
async function whole(parts) {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function node(args, cwd) {
  return promisify(execFile)(process.execPath, args, { cwd });
}

/**
 * Each file at once and whole, so that whoever starts meanwhile finds the old one or the new one; then what no build makes any more goes.
 * @param {string} beside
 * @param {string} folder
 */
function moveIntoPlace(beside, folder) {
  rmSync(stamp, { force: true });
  const files = filesIn(beside, folder);
  for (const path of files) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    renameSync(join(beside, path), join(dist, path));
  }
  for (const path of filesIn(dist, folder)) if (!files.includes(path)) rmSync(join(dist, path));
}
