// The types of the library: what its face refers to, and nothing behind it. They need no package besides.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The collections that worlds are made of: their types are seen through those of operations. */
const COLLECTIONS = 'immutable';

/**
 * @param {string} root
 * @param {string} out
 */
export async function writeDeclarations(root, out) {
  const emitted = join(out, '.declarations');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const flags = ['-p', 'tsconfig.build.json', '--checkers', '1', '--outDir', emitted]; // each checker learns the types of the collections anew
  await promisify(execFile)(process.execPath, [tsc, ...flags], { cwd: root }).catch(error => {
    throw new Error(`The declarations cannot be made:\n${error.stdout}`);
  });
  const server = join(emitted, 'server');
  for (const file of reachable(join(server, 'index.d.ts'))) {
    const to = join(out, relative(server, file));
    mkdirSync(dirname(to), { recursive: true });
    const collections = relative(dirname(to), join(out, `${COLLECTIONS}.js`));
    const own = collections.startsWith('.') ? collections : `./${collections}`;
    writeFileSync(to, readFileSync(file, 'utf8').replaceAll(`from '${COLLECTIONS}'`, `from '${own}'`));
  }
  copyFileSync(join(root, `node_modules/${COLLECTIONS}/dist/immutable.d.ts`), join(out, `${COLLECTIONS}.d.ts`));
  rmSync(emitted, { recursive: true });
}

/**
 * A declaration file and all that it refers to.
 * @param {string} file
 * @param {Set<string>} seen
 */
function reachable(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
    reachable(`${resolve(dirname(file), path)}.d.ts`, seen);
  return seen;
}
