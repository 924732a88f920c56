// A process that fills the file of a sandbox until the disk is full, and then frees space by a compaction. It prints the result.
import { appended, created, heldBy, opened, refusalOf } from './opened.js';

const [folder = '', fsync = ''] = process.argv.slice(2);

const store = await opened(folder, { fsync: fsync === 'fsync' });
let head = await created(store, 'a');
for (;;) {
  const next = [[head.version + 1]];
  const appending = store.append('a', head, { entries: next, notes: ['x'.repeat(500)] });
  const outcome = await appending.catch(() => undefined);
  if (outcome === undefined) break;
  if (outcome === 'gone' || 'behind' in outcome) throw new Error(JSON.stringify(outcome));
  head = outcome.head;
}
const filled = head.version;
const refused = await refusalOf(store.append('a', head, { entries: [[-1]], notes: ['x'.repeat(500)] }));
while (store.trouble !== undefined) await new Promise(resolve => setTimeout(resolve, 50)); // the limit applies to each file: the next log is a new one
const small = await created(store, 'b').then(() => 'created');
await store.forget('a', 0, filled - 10, false);
const compacted = await store.compact('a', head, filled - 10, `${filled - 10}`);
if (typeof compacted === 'string') throw new Error(compacted);
await appended(store, 'a', compacted, [[filled + 1]], ['after']);
const held = await heldBy(store);
await store.close();
console.log(JSON.stringify({ filled, refused, small, held }));
