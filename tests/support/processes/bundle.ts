// Several source files as one that can be loaded anew as a whole, which takes a few milliseconds. The one place that knows the bundler.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { type BuildOptions, build, context } from 'esbuild';

type Replaced = ReadonlyMap<string, string>;

/** Bundles an entry and what it imports by relative paths into `out`; packages stay outside. `replaced` stand in for files, by their absolute paths. */
export async function bundle(entry: string, out: string, replaced: Replaced = new Map()): Promise<void> {
  await build({ ...options(entry, () => replaced), outfile: out });
}

/**
 * What an entry exports, again and again with other files replaced: what stays the same is read and parsed once. Run as a script of its own and
 * not as a module, which a loader of modules would read a second time. One at a time; packages are looked up from the folder of the entry.
 */
export async function reloading<T>(entry: string): Promise<(replaced: Replaced) => Promise<T>> {
  let current: Replaced = new Map();
  const names = { 'import.meta.filename': '__filename', 'import.meta.dirname': '__dirname' };
  const supported = { 'dynamic-import': false }; // such a script cannot import
  const { rebuild } = await context({
    ...options(entry, () => current),
    format: 'cjs',
    write: false,
    define: names,
    supported,
  });
  const parameters = ['module', 'require', '__filename', '__dirname'];
  return async replaced => {
    current = replaced;
    const { outputFiles } = await rebuild();
    const run = compileFunction(outputFiles?.[0]?.text ?? '', parameters, { filename: entry });
    const module = { exports: {} };
    run(module, createRequire(entry), entry, dirname(entry));
    return module.exports as T; // what the entry exports
  };
}

function options(entry: string, replaced: () => Replaced): BuildOptions {
  return {
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'replaced',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^leven$/ }, () => ({ path: createRequire(entry).resolve('leven') })); // no script can require a module
          onLoad({ filter: /\.ts$/ }, ({ path }) => ({
            contents: replaced().get(path) ?? readFileSync(path, 'utf8'),
            loader: 'ts',
          }));
        },
      },
    ],
  };
}
