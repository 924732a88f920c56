// The dashboard: one script, one style sheet, and the files that need no building.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Gives the files that went into it, by their paths from the root.
 * @param {string} root
 * @param {string} out
 * @returns {Promise<string[]>}
 */
export async function bundleDashboard(root, out) {
  mkdirSync(out);
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(root, 'ui', name), join(out, name));
  const { metafile, warnings } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'ui/main.tsx', out: 'dashboard' },
      { in: 'ui/styles/dashboard.css', out: 'dashboard' },
    ],
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome110', 'firefox115', 'safari16'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none', // the licences have a file of their own
    logLevel: 'error',
    metafile: true,
    outdir: out,
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'));
  return Object.keys(metafile.inputs);
}
