// How far back a sandbox's log is kept: bounded by entries and by bytes, so that a million requests leave the memory as it was.
// Forgets from the old end; what is left can still be told from the base.
import { weighFacts } from './journal.js';
import type { Sandbox } from './sandbox.js';
import { advanceAll, type Change, type State } from './state.js';
import type { Store } from './store.js';

const MOST_ENTRIES = 1024;
const MOST_BYTES = 16 * 1024 * 1024;

interface Kept {
  entries: number;
  bytes: number;
}

export class History {
  readonly #kept = new WeakMap<Sandbox, Kept>();

  constructor(private readonly store: Store<State, readonly Change[]>) {}

  /** Counts an entry in, and lets the older half of the log go when it has become too long or too heavy. */
  note(sandbox: Sandbox, changes: readonly Change[]): void {
    const kept = this.#kept.get(sandbox) ?? { entries: 0, bytes: 0 };
    kept.entries += 1;
    kept.bytes += weighFacts(changes);
    this.#kept.set(sandbox, kept);
    if (kept.entries <= MOST_ENTRIES && kept.bytes <= MOST_BYTES) return;
    this.#kept.set(sandbox, { entries: kept.entries / 2, bytes: kept.bytes / 2 });
    void this.#forget(sandbox);
  }

  async #forget(sandbox: Sandbox): Promise<void> {
    const tail = await this.store.since(sandbox.name, 0);
    if (tail === undefined) return;
    const half = Math.ceil(tail.entries.length / 2);
    const base = advanceAll(tail.base, tail.entries.slice(0, half).flat());
    await this.store.compact(sandbox.name, tail.from + half, base);
  }
}
