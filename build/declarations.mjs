// The types of the library: what its face refers to, and nothing behind it. They need no package besides.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { namesIn, printShape, SHAPE } from './shapes.mjs';

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
  await printShapes(root, emitted);
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
 * Replaces each type that is inferred from a schema by a plain one, with the descriptions of the schema as its comments.
 * @param {string} root
 * @param {string} emitted
 */
async function printShapes(root, emitted) {
  const files = readdirSync(emitted, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.d.ts'))
    .filter(name => readFileSync(join(emitted, name), 'utf8').match(SHAPE));
  const sources = files.map(name => name.replace(/\.d\.ts$/, '.ts'));
  const contents = `module.exports = [${sources.map(name => `require('./${name}')`).join(', ')}];`;
  const outfile = join(emitted, 'shapes.cjs');
  const define = { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' };
  const stdin = { contents, resolveDir: root };
  await build({ stdin, bundle: true, platform: 'node', format: 'cjs', packages: 'external', define, outfile });
  /** @type {readonly Record<string, any>[]} */
  const modules = createRequire(import.meta.url)(outfile);
  for (const [i, module] of modules.entries()) {
    const file = join(emitted, files[i] ?? '');
    const source = readFileSync(join(root, sources[i] ?? ''), 'utf8');
    const declarations = readFileSync(file, 'utf8').replace(
      /^import .* from '(?:.*\/shape\.js|@sinclair\/typebox)';\n/gm,
      '',
    );
    const names = namesIn(source, module);
    const printed = declarations.replace(
      SHAPE,
      (_, name, schema) => `export ${printShape(name, module[schema], names)}`,
    );
    if (printed.includes('Shape<')) throw new Error(`${files[i]} has a shape that is not printed`);
    writeFileSync(file, missingImports(source, printed) + printed);
  }
}

/**
 * The imports of a source that its declarations have lost: types that only the printed shapes name.
 * @param {string} source
 * @param {string} printed
 */
function missingImports(source, printed) {
  const imports = [...source.matchAll(/^import (?:type )?\{([^}]*)\} from ('\.[^']*');/gm)];
  const code = printed.replace(/\/\*\*.*?\*\//gs, '');
  return imports
    .flatMap(([, names = '', from]) => {
      const lost = names
        .split(',')
        .map(name => name.trim().replace(/^type /, ''))
        .filter(name => name !== '' && new RegExp(`: [^;\n]*\\b${name}\\b`).test(code))
        .filter(name => !new RegExp(`import[^;]*\\b${name}\\b`).test(code));
      return lost.length === 0 ? [] : [`import type { ${lost.join(', ')} } from ${from};\n`];
    })
    .join('');
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
