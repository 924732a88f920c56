// A process that fills the file of a sandbox until the disk is full, and then frees space by a compaction. It prints the result.
import { until } from '../../support/worlds/until.js';
import { appended, compacted, created, cut } from '../suite.js';
import { heldBy, opened, refusalOf } from './opened.js';

const [folder = '', fsync = ''] = process.argv.slice(2);

const TEXT = 'x'.repeat(500);

const store = await opened(folder, { fsync: fsync === 'fsync' });
let head = await created(store, 'a');
for (;;) {
  const outcome = await store.append('a', head, [[head.last + 1, TEXT]]).catch(() => undefined);
  if (outcome === undefined) break;
  if (outcome === 'gone' || 'behind' in outcome) throw new Error(JSON.stringify(outcome));
  head = outcome.head;
}
const filled = head.last;
const refused = await refusalOf(store.append('a', head, [[-1, TEXT]]));
await until(() => store.trouble === undefined); // the limit applies to each file: the next log is a new one
const small = await created(store, 'b').then(() => 'created');
const shorter = await compacted(store, 'a', head, cut(filled - 10, `${filled - 10}`));
await appended(store, 'a', shorter, [[filled + 1]]);
const held = await heldBy(store);
await store.close();
console.log(JSON.stringify({ filled, refused, small, held }));
