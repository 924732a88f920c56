// The YAML package, loaded with the first file that is parsed: a fake of a shipped world parses none.
import { createRequire } from 'node:module';

type Yaml = typeof import('yaml');

const require = createRequire(import.meta.filename);
let loaded: Yaml | undefined;

export function yaml(): Yaml {
  loaded ??= require('yaml') as Yaml;
  return loaded;
}
