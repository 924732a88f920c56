// A store with many sandboxes for the tests of damage.
import type { Kept } from '../suite.js';
import { appended, created } from './opened.js';

export const NAMES = Array.from({ length: 40 }, (_, i) => `job-${i}`);

/** Sandboxes with changes and journals; some of it is compacted, forgotten or dropped. */
export async function fill(store: Kept): Promise<void> {
  for (const name of NAMES) {
    let head = await created(store, name, `base of ${name}|${name}`, 60_000);
    for (let n = 1; n <= 5; n += 1) head = await appended(store, name, head, [[n]], [`${name}: ${n}`]);
    const compacted = await store.compact(name, head, 2, `base of ${name} at 2|${name}`);
    if (typeof compacted === 'string') throw new Error(compacted);
    await store.forget(name, 0, 2, false);
    await appended(store, name, compacted, [[6]], [`${name}: 6`]);
  }
  await created(store, 'gone');
  await store.drop('gone');
}
