// What the package says of itself.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../scenario/load/folders.js';

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: unknown };
  return String(version);
}
