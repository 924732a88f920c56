// Approximate memory of all sandboxes in this process, counting shared parts once. Updated with each change.
import type { Sandbox } from './cached-sandbox.js';
import type { Size, State } from './state.js';

/** The memory that a sandbox shares with its forks. */
interface Shared {
  /** Size of the parent at the fork. */
  readonly size: Size;
  /** The forks that still exist. */
  holders: number;
  /** Bytes counted for it: what the parent has removed since, or everything if the parent is gone. */
  bytes: number;
}

interface Account {
  bytes: number;
  /** Size of the sandbox at its own fork. */
  readonly from?: Shared;
  /** For its forks, the latest last. */
  readonly shared: Shared[];
}

export class MemoryUse {
  readonly #accounts = new Map<Sandbox, Account>();
  #bytes = 0;

  /** Of all sandboxes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Starts to count a sandbox. `parent`: the one it was forked from, if that is counted too. */
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

  /** Stops counting a sandbox. */
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

  /** `now`: the size of the parent; `undefined`: it is gone. */
  #count(shared: Shared, now: Size | undefined): void {
    if (shared.holders === 0) return;
    const { bytes, removed } = shared.size;
    const counted = now === undefined ? bytes : Math.min(bytes, Math.max(0, now.removed - removed));
    this.#bytes += counted - shared.bytes;
    shared.bytes = counted;
  }
}

/** The memory of a sandbox without what it shares with its parent. */
function ownBytes({ state, history, journal }: Sandbox, from: Shared | undefined): number {
  const { size } = state;
  const own =
    from === undefined
      ? size.bytes
      : Math.min(size.bytes, size.bytes + size.removed - from.size.bytes - from.size.removed);
  return EMPTY + Math.max(0, own) + snapshotBytes(state) + history.bytes + journal.bytes;
}

/** The size of a sandbox without any change. */
const EMPTY = 4_000;

/** The parts of a sandbox without a limit of their own: world, faults and snapshots. */
export function sizeOf(state: State): number {
  return state.size.bytes + snapshotBytes(state);
}

/** A snapshot keeps what was removed after it, up to the next one. */
function snapshotBytes({ snapshots, size }: State): number {
  if (snapshots === undefined) return 0;
  const kept = [...snapshots.values()];
  return kept.reduce((sum, { state: { size: then } }, i) => {
    const { removed } = kept[i + 1]?.state.size ?? size;
    return sum + Math.min(then.bytes, Math.max(0, removed - then.removed));
  }, 0);
}
