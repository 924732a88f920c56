// A store with many sandboxes for the tests of damage.
import { appended, compacted, created, cut, type Kept } from '../suite.js';

export const NAMES = Array.from({ length: 40 }, (_, i) => `job-${i}`);

/** Sandboxes with records; some of it is compacted or dropped. */
export async function fill(store: Kept): Promise<void> {
  for (const name of NAMES) {
    let head = await created(store, name, `base of ${name}|${name}`, 60_000);
    for (let n = 1; n <= 5; n += 1) head = await appended(store, name, head, [[n, name]]);
    head = await compacted(store, name, head, cut(2, `base of ${name} at 2|${name}`, 1));
    await appended(store, name, head, [[6, name]]);
  }
  await created(store, 'gone');
  await store.drop('gone');
}
