// A process that changes sandboxes of a file store as fast as it can until it is killed, and prints each acknowledged change.
// The n-th entry of a sandbox is [n], its n-th note "n" and more; its base holds the number of earlier ones.
import { writeSync } from 'node:fs';
import type { Head } from '../../../server/engine/store.js';
import type { Kept } from '../suite.js';
import { appended, created, opened } from './opened.js';

const [folder = '', fsync = ''] = process.argv.slice(2);
const PADDING = ' '.repeat(4_000); // so that old entries are compacted from time to time

const store = await opened(folder, { fsync: fsync === 'fsync' });
writeSync(1, 'ready\n');
await Promise.all(['a', 'b', 'c'].map(sandbox => change(store, sandbox)).concat(comeAndGo(store)));

/** Prints `<sandbox> <entries>`. */
async function change(on: Kept, sandbox: string): Promise<never> {
  let head = await created(on, sandbox, '0');
  for (;;) {
    const next = head.version + 1;
    head = await appended(on, sandbox, head, [[next]], [`${next}${PADDING}`]);
    writeSync(1, `${sandbox} ${next}\n`);
    if (next % 20 === 0) await on.forget(sandbox, 0, next - 5, next % 40 === 0);
    if (next % 50 === 0) head = await shortened(on, sandbox, head);
    await new Promise(setImmediate);
  }
}

async function shortened(on: Kept, sandbox: string, head: Head): Promise<Head> {
  const compacted = await on.compact(
    sandbox,
    head,
    head.version - 10,
    `${head.version - 10}|${sandbox}-${head.version}`,
  );
  if (typeof compacted === 'string') throw new Error(compacted);
  return compacted;
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
