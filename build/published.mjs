// The package.json that is published: without the scripts and the packages of those who work on it. npm would tell users of a `prepare` script that they
// had to approve. `strip` is run before npm packs, `restore` after it.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const [file, kept] = [join(root, 'package.json'), join(root, 'dist/package.json.kept')];

if (process.argv[2] === 'strip') {
  const text = readFileSync(file, 'utf8');
  const { scripts: _, devDependencies: __, scarfSettings: ___, ...published } = JSON.parse(text);
  writeFileSync(kept, text);
  writeFileSync(file, `${JSON.stringify(published, null, 2)}\n`);
} else renameSync(kept, file);
