// Roughly how much memory the sandboxes take that this process remembers, what several share counted once. Kept up to date with each change.
import type { Sandbox } from './cached-sandbox.js';
import type { Size, State } from './state.js';

/** What a sandbox and those that were forked from it have in common. */
interface Shared {
  /** Of the one that they were forked from, when they were. */
  readonly size: Size;
  /** Those that were forked, and are still there. */
  holders: number;
  /** What is counted for it: what the other has meanwhile taken away, and all of it when the other is gone. */
  bytes: number;
}

interface Account {
  bytes: number;
  /** Where it was forked. */
  readonly from?: Shared;
  /** For those forked from it, the latest last. */
  readonly shared: Shared[];
}

export class MemoryUse {
  readonly #accounts = new Map<Sandbox, Account>();
  #bytes = 0;

  /** Of all sandboxes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts a sandbox from now on. `parent`: the one that it was forked from, where that is counted too. */
  add(sandbox: Sandbox, parent?: Sandbox): void {
    const shared = parent && this.#sharedBy(parent, sandbox.state.size);
    if (shared !== undefined) shared.holders += 1;
    this.#accounts.set(sandbox, { bytes: 0, shared: [], ...(shared !== undefined && { from: shared }) });
    this.update(sandbox);
  }

  /** A sandbox has changed. */
  update(sandbox: Sandbox): void {
    const account = this.#accounts.get(sandbox);
    if (account === undefined) return;
    const bytes = ownBytes(sandbox, account.from);
    this.#bytes += bytes - account.bytes;
    account.bytes = bytes;
    for (const shared of account.shared) this.#count(shared, sandbox.state.size);
  }

  /** Counts a sandbox no longer. */
  remove(sandbox: Sandbox): void {
    const account = this.#accounts.get(sandbox);
    if (account === undefined) return;
    this.#accounts.delete(sandbox);
    this.#bytes -= account.bytes;
    for (const shared of account.shared) this.#count(shared, undefined);
    const { from } = account;
    if (from === undefined) return;
    from.holders -= 1;
    if (from.holders > 0) return;
    this.#bytes -= from.bytes;
    from.bytes = 0;
  }

  #sharedBy(parent: Sandbox, size: Size): Shared | undefined {
    const account = this.#accounts.get(parent);
    if (account === undefined) return undefined;
    account.shared.splice(0, account.shared.length, ...account.shared.filter(({ holders }) => holders > 0));
    const known = account.shared.find(shared => shared.size === size);
    if (known !== undefined) return known;
    const shared = { size, holders: 0, bytes: 0 };
    account.shared.push(shared);
    return shared;
  }

  /** `now`: the size of the sandbox that others were forked from; `undefined`: it is gone. */
  #count(shared: Shared, now: Size | undefined): void {
    if (shared.holders === 0) return;
    const { bytes, removed } = shared.size;
    const counted = now === undefined ? bytes : Math.min(bytes, Math.max(0, now.removed - removed));
    this.#bytes += counted - shared.bytes;
    shared.bytes = counted;
  }
}

/** What a sandbox takes that it does not share with the one that it was forked from. */
function ownBytes({ state, history, journal }: Sandbox, from: Shared | undefined): number {
  const { size } = state;
  const own =
    from === undefined
      ? size.bytes
      : Math.min(size.bytes, size.bytes + size.removed - from.size.bytes - from.size.removed);
  return EMPTY + Math.max(0, own) + snapshotBytes(state) + history.bytes + journal.bytes;
}

/** A sandbox in which nothing has happened. */
const EMPTY = 4_000;

/** What a sandbox keeps that may grow without an end: its world, its faults and its snapshots. The rest has bounds of its own. */
export function sizeOf(state: State): number {
  return state.size.bytes + snapshotBytes(state);
}

/** A snapshot takes what was taken away after it, up to the next one. */
function snapshotBytes({ snapshots, size }: State): number {
  if (snapshots === undefined) return 0;
  const kept = [...snapshots.values()];
  return kept.reduce((sum, { state: { size: then } }, i) => {
    const { removed } = kept[i + 1]?.state.size ?? size;
    return sum + Math.min(then.bytes, Math.max(0, removed - then.removed));
  }, 0);
}
