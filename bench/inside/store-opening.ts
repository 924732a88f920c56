// Measures inside one process how long a file store takes to open a folder with so many entries and to read it all. Knows no domain.
// Arguments: the number of sandboxes; the entries of each; an empty folder. Prints milliseconds and the bytes of all files.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Format } from '../../server/engine/store.js';
import { fileStore } from '../../server/store/file/file-store.js';

const ENTRY = JSON.stringify({ kind: 'group-member-added', group: 'team-members', user: 'x'.repeat(130) });
const format: Format<string, unknown> = {
  version: 1,
  writeBase: text => ({ text }),
  readBase: async text => text,
  writeRecord: record => JSON.stringify(record),
  readRecord: text => JSON.parse(text),
};

const [sandboxes = '', entries = '', folder = ''] = process.argv.slice(2);
const entry: unknown = JSON.parse(ENTRY);
const store = await fileStore({ folder, format, fsync: false });
for (let i = 0; i < Number(sandboxes); i += 1) {
  let head = await store.create(`job-${i}`, 'base');
  for (let n = 0; n < Number(entries); n += 1) {
    if (head === undefined) throw new Error(`job-${i} is there already`);
    const appended = await store.append(`job-${i}`, head, [entry]);
    if (appended === 'gone' || 'behind' in appended) throw new Error(JSON.stringify(appended));
    head = appended.head;
  }
}
await store.close();
const began = performance.now();
const again = await fileStore({ folder, format, fsync: false });
for (const sandbox of await again.list()) await again.since(sandbox); // as a server at its start
const milliseconds = performance.now() - began;
const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map(file => statSync(join(folder, file)))
  .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
await again.close();
console.log(JSON.stringify({ milliseconds, bytes }));
