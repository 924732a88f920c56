// Several source files as one file of JavaScript, which a process loads much sooner.
import { buildSync } from 'esbuild';

/** Bundles an entry and what it imports by relative paths into `out`; packages stay outside. */
export function bundle(entry: string, out: string): void {
  // Not `build`: it leaves a process behind, which prints a crash report where this one is ended at the wrong moment.
  buildSync({
    entryPoints: [entry],
    outfile: out,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
}
