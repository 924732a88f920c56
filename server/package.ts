// What the package says of itself. Found from here upwards, because the code runs both from its source and compiled.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export function packageVersion(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return String((JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: unknown }).version);
}
