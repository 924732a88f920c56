// The licences of the packages that are in the bundle, which have to travel with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {string} root
 * @param {readonly string[]} inputs files of the bundle, by their paths from the root
 */
export function licencesOf(root, inputs) {
  const folders = inputs.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  const texts = [...new Set(folders)].map(folder => licenceIn(join(root, folder)));
  return `${[...new Set(texts)].sort().join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** @param {string} folder */
function licenceIn(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(entry => /^licen[cs]e(?:\.\w+)?$/i.test(entry));
  if (typeof license !== 'string') throw new Error(`${name} does not name its licence`);
  const by = typeof author === 'string' ? author : author?.name;
  const text = file === undefined ? `Copyright (c) ${by ?? name}` : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n')}`;
}
