// A process that changes sandboxes of a file store as fast as it can until it is killed, and prints each acknowledged change.
// The n-th record of a sandbox is [n] and more; its base is the number of earlier ones.
import { writeSync } from 'node:fs';
import { appended, compacted, created, cut, type Kept } from '../suite.js';
import { opened } from './opened.js';

const [folder = '', fsync = ''] = process.argv.slice(2);
const PADDING = ' '.repeat(4_000); // so that old records are compacted from time to time

const store = await opened(folder, { fsync: fsync === 'fsync' });
writeSync(1, 'ready\n');
await Promise.all(['a', 'b', 'c'].map(sandbox => change(store, sandbox)).concat(comeAndGo(store)));

/** Prints `<sandbox> <records>`. */
async function change(on: Kept, sandbox: string): Promise<never> {
  let head = await created(on, sandbox, '0');
  for (;;) {
    const next = head.last + 1;
    head = await appended(on, sandbox, head, [[next, PADDING]]);
    writeSync(1, `${sandbox} ${next}\n`);
    if (next % 50 === 0) head = await compacted(on, sandbox, head, cut(next - 10, `${next - 10}`, next - 20));
    await new Promise(setImmediate);
  }
}

/** Prints `+n` when the n-th is created, `?n` before it is dropped, and `-n` after. */
async function comeAndGo(on: Kept): Promise<never> {
  for (let n = 1; ; n += 1) {
    await created(on, `n${n}`, '0');
    writeSync(1, `+${n}\n`);
    await new Promise(setImmediate);
    if (n % 3 === 0) continue;
    writeSync(1, `?${n}\n`);
    await on.drop(`n${n}`);
    writeSync(1, `-${n}\n`);
  }
}
