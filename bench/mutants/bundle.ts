// Several source files as one that can be loaded anew as a whole, which takes a few milliseconds. The one place that knows the bundler.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Bundles an entry and what it imports by relative paths into `out`; packages stay outside. `replaced` stand in for files, by their absolute paths. */
export async function bundle(
  entry: string,
  out: string,
  replaced: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile: out,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'replaced',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => ({
            contents: replaced.get(path) ?? readFileSync(path, 'utf8'),
            loader: 'ts',
          }));
        },
      },
    ],
  });
}
