// The program and the library as one file, with the packages that every start needs. A process that has loaded it misses nothing when it is built
// anew. The packages that few need have a file each, which changes with their version only.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The parts of the file, each evaluated when it is asked for; only the build asks for the last one. */
const ENTRY = `
exports.cli = () => require('./cli/cli.ts');
exports.library = () => require('./server/index.ts');
exports.shipped = () => require('./server/scenario/load/shipped.ts');
`;

/** Loaded when they are needed: to read past them would take a start longer than all the rest. */
const ON_DEMAND = [
  'koa-bodyparser',
  'light-my-request',
  'pino',
  'pino-pretty',
  'prom-client',
  're2js',
  'undici',
  'yaml',
];
const fileOf = (/** @type {string} */ name) => `./packages/${name}.js`;

/** @type {import('esbuild').Plugin} */
const onDemand = {
  name: 'on-demand',
  setup({ onLoad, onResolve }) {
    // A source file makes itself a `require` to load a package at once at its first use. A bundle has one already.
    onLoad({ filter: /[\\/](?:server|harness|cli)[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('const require = createRequire(import.meta.filename);', ''),
      loader: 'ts',
    }));
    onResolve({ filter: new RegExp(`^(${ON_DEMAND.join('|')})$`) }, ({ path }) => ({
      path: fileOf(path),
      external: true,
    }));
  },
};

/** @type {import('esbuild').Plugin} */
const tablesAsText = {
  name: 'tables-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.json$/ }, ({ path }) => ({
      contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(readFileSync(path, 'utf8'))))});`,
      loader: 'js', // read faster than an object
    }));
  },
};

/** What the bundle looks up in Node itself. */
const fromNode = Object.fromEntries(
  [
    ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
    ...['queueMicrotask', 'performance', 'structuredClone', 'fetch', 'Request', 'Response', 'Headers', 'FormData'],
    ...['URL', 'URLSearchParams', 'TextDecoder', 'TextEncoder', 'Blob', 'ReadableStream', 'MessageChannel'],
    ...['AbortController', 'AbortSignal', 'Event', 'EventTarget', 'ArrayBuffer', 'Uint8Array'],
  ].map(name => [name, `nodeGlobals.${name}`]),
);

/**
 * Gives the files that went into it, by their paths from the root.
 * @param {string} root
 * @param {string} out
 * @param {readonly string[]} peers what users install themselves
 * @returns {Promise<string[]>}
 */
export async function bundle(root, out, peers) {
  /** @satisfies {import('esbuild').BuildOptions} */
  const options = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    external: [...peers],
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' }, // its other build cannot be bundled
    supported: { 'dynamic-import': false }, // Jest has none in CommonJS
    inject: [join(root, 'build/node-globals.mjs')],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename', ...fromNode },
    legalComments: 'none', // the licences have a file of their own
    logLevel: 'error',
    metafile: true,
  };
  const made = await Promise.all([
    build({
      ...options,
      stdin: { contents: ENTRY, resolveDir: root, sourcefile: 'cwx-fake.js' },
      plugins: [onDemand, tablesAsText],
      outfile: join(out, 'cwx-fake.cjs'),
    }),
    build({
      ...options,
      entryPoints: [
        { in: 'harness/verify/native/process.js', out: 'process' },
        ...ON_DEMAND.map(name => ({ in: name, out: `packages/${name}` })),
      ],
      plugins: [tablesAsText],
      outdir: out,
    }),
  ]);
  const known = new Set([...peers, ...ON_DEMAND.map(fileOf), 'node:sqlite']); // newer Nodes have it, for a cache of undici that is not used
  for (const { metafile, warnings } of made) {
    const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    const missing = outside.filter(path => !isBuiltin(path) && !known.has(path));
    const problems = [...warnings.map(({ text }) => text), ...missing.map(path => `${path} is in no bundle`)];
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }
  return made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/**
 * The names that the library exports and that are more than types.
 * @param {string} root
 */
export async function exportedNames(root) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['server/index.ts'],
    format: 'esm',
    metafile: true,
    write: false,
    outdir: 'unwritten',
  });
  return Object.values(metafile.outputs).flatMap(output => output.exports);
}
