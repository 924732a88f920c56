// What a build is made of, as one hash of contents: times say nothing after a checkout, and a file that is gone has none.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['server', 'harness', 'cli', 'ui', 'build', 'fixtures', 'scenarios'];
const files = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'contracts/built.ts',
  'contracts/suite-evidence.ts',
];

/** @param {string} root */
export function hashOfInputs(root) {
  const hash = createHash('sha256');
  for (const path of [...files, ...folders.flatMap(folder => filesIn(root, folder))]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Every file below a folder, by its path from the root. Sorted.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
export function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap(entry => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesIn(root, path) : [path];
    })
    .sort();
}
