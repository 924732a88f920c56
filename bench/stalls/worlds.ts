// The worlds of the stalls, as fixtures where `serve` finds them: those that requests of a day could make under the default bounds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../harness/places.js';

const ADMIN = 'users:\n  admin: { admin: true, password: admin }\n';

const fixtures: Readonly<Record<string, string>> = {
  'bench-small': `${ADMIN}`,
  'bench-large': `generate: { users: 100000, groups: 1000, spaces: 1000, pages: 100000, filters: 2000, dashboards: 2000 }\n${ADMIN}spaces:\n  own: {}\npages:\n  "7": { space: own, title: Own, body: "${'NAME '.repeat(200)}" }\nfilters:\n${Array.from({ length: 2000 }, (_, i) => `  "${100_001 + i}": { name: F${i}, owner: admin, sharedWith: everyone }\n`).join('')}`,
  'bench-copied-space': `generate: { users: 1000, spaces: 1, pages: 20000 }\n${ADMIN}`,
  'bench-long': `${ADMIN}spaces:\n  long: {}\npages:\n  "7": { space: long, title: Long, body: "${'a'.repeat(1_000_000)}" }\n`,
  'bench-recipe':
    'generate: { users: 100000, groups: 1000, spaces: 10000, pages: 100000, filters: 10000, dashboards: 10000 }\n',
  'bench-lines': `${ADMIN}${Array.from({ length: 10_000 }, (_, i) => `  u${i}: { displayName: U${i} }\n`).join('')}`,
  'bench-hidden': `generate: { users: 100000, groups: 1000 }\n${ADMIN}filters:\n  "1": { name: F, owner: admin, sharedWith: { groups: [${Array.from({ length: 900 }, (_, g) => `group${g + 2}`).join(', ')}] } }\n`,
};

/** Flags of `serve` with which it finds them. */
export function writeWorlds(): readonly string[] {
  const folder = join(scratch, 'stalls');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(fixtures)) writeFileSync(join(folder, `${name}.yaml`), text);
  return ['--fixtures', folder];
}
