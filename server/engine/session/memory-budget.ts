// Limits the memory of sandboxes: of each one, and of all together with bodies and responses. Every change adds an upper estimate; only near a limit the
// states are counted exactly.

import { exactSize, StateSizes } from '../sandbox/memory-use.js';
import type { State } from '../sandbox/state.js';
import { StoreError } from '../store.js';
import type { CachedSandbox } from './cached-sandbox.js';

/** Bytes. */
interface MemoryLimits {
  /** Limit of everything together: `--max-memory`. */
  readonly total: number;
  /** Limit of one sandbox: `--max-sandbox`. */
  readonly sandbox: number;
}

/** Growth that is always allowed, even beyond the limit: refusing it would not help. */
const SMALL = 64 * 1024;

/** Freed memory still counts for a while, until it is collected. */
const UNCOLLECTED = 1.3;

/** The size of a sandbox without any change. */
const EMPTY = 4_000;

/** States are counted again when this part of the limit has been added. */
const STEP = 1 / 16;

interface Account {
  bytes: number;
  /** The exact size of the state when it was counted, and its estimate then. */
  readonly exact: number;
  readonly estimate: number;
}

export class MemoryBudget {
  readonly #accounts = new Map<CachedSandbox, Account>();
  #bytes = 0;
  /** Use beyond which states are counted again. */
  #recountAt: number;

  constructor(
    readonly limits: MemoryLimits,
    /** Memory outside of sandboxes: bodies being read, waiting responses. */
    private readonly outside: () => number = () => 0,
  ) {
    this.#recountAt = limits.total / 2;
  }

  /** Used bytes, at most. */
  get used(): number {
    return Math.round((this.#bytes + this.outside()) * UNCOLLECTED);
  }

  get isExceeded(): boolean {
    return this.used > this.limits.total;
  }

  /** Starts to count a sandbox. */
  add(sandbox: CachedSandbox): void {
    this.#accounts.set(sandbox, { bytes: 0, exact: 0, estimate: 0 });
    this.update(sandbox);
  }

  /** A sandbox has changed. */
  update(sandbox: CachedSandbox): void {
    const account = this.#accounts.get(sandbox);
    if (account === undefined) return;
    this.#charge(sandbox, account);
    if (this.used > this.#recountAt) this.#recount();
  }

  /** Stops counting a sandbox. */
  remove(sandbox: CachedSandbox): void {
    this.#bytes -= this.#accounts.get(sandbox)?.bytes ?? 0;
    this.#accounts.delete(sandbox);
    this.#recountAt = Math.min(this.#recountAt, this.#nextRecount);
  }

  /** The state after a change, counted exactly if it is near the limit. Throws a `StoreError` if the sandbox may not grow to it. */
  admit(name: string, before: State, after: State): State {
    const { sandbox, total } = this.limits;
    const { bytes: scenario = 0 } = after.origin;
    if (after.bytes - scenario > sandbox) {
      const bytes = exactSize(after);
      if (bytes - scenario > sandbox && bytes > exactSize(before))
        throw new StoreError(
          'limit',
          `the sandbox ${name} would need ${mebibytes(bytes - scenario)}, but --max-sandbox allows only ${mebibytes(sandbox)}: reset it, or drop its snapshots`,
        );
      return { ...after, bytes };
    }
    if (this.isExceeded && after.bytes - before.bytes > SMALL && exactSize(after) - exactSize(before) > SMALL)
      throw new StoreError(
        'limit',
        `this server uses ${mebibytes(this.used)}, but --max-memory allows only ${mebibytes(total)}: reset or drop sandboxes`,
      );
    return after;
  }

  #charge({ state, history, journal }: CachedSandbox, account: Account): void {
    const grown = state.bytes - account.estimate;
    const own = grown < 0 ? state.bytes : account.exact + grown;
    const bytes = EMPTY + own + history.bytes + journal.bytes;
    this.#bytes += bytes - account.bytes;
    account.bytes = bytes;
  }

  #recount(): void {
    const sizes = new StateSizes();
    this.#bytes = 0;
    for (const sandbox of this.#accounts.keys()) {
      const account = { bytes: 0, exact: sizes.add(sandbox.state), estimate: sandbox.state.bytes };
      this.#accounts.set(sandbox, account);
      this.#charge(sandbox, account);
    }
    this.#recountAt = this.#nextRecount;
  }

  get #nextRecount(): number {
    const { total } = this.limits;
    return Math.max(total / 2, this.used + total * STEP);
  }
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 102.4) / 10} MiB`;
}
