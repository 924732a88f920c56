// Limits the memory of sandboxes: of each one, and of all together with bodies and answers.

import { StoreError } from '../store.js';
import type { Sandbox } from './cached-sandbox.js';
import { MemoryUse, sizeOf } from './memory-use.js';
import type { State } from './state.js';

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

export class MemoryBudget {
  readonly #use = new MemoryUse();
  #whenHalf: (() => void) | undefined;

  constructor(
    readonly limits: MemoryLimits,
    /** Memory outside of sandboxes: bodies being read, waiting answers. */
    private readonly outside: () => number = () => 0,
  ) {}

  /** Used bytes. */
  get used(): number {
    return Math.round((this.#use.bytes + this.outside()) * UNCOLLECTED);
  }

  get isExceeded(): boolean {
    return this.used > this.limits.total;
  }

  /** Starts to count a sandbox. `parent`: the one it was forked from. */
  add(sandbox: Sandbox, parent?: Sandbox): void {
    this.#use.add(sandbox, parent);
  }

  update(sandbox: Sandbox): void {
    this.#use.update(sandbox);
    if (this.#whenHalf === undefined || this.used < this.limits.total / 2) return;
    this.#whenHalf();
    this.#whenHalf = undefined;
  }

  /** Calls back once, when half of the limit is used. */
  whenHalf(listener: () => void): void {
    this.#whenHalf = listener;
  }

  remove(sandbox: Sandbox): void {
    this.#use.remove(sandbox);
  }

  /** Throws a `StoreError` if a sandbox may not grow to a state. Shrinking is always allowed. */
  check(name: string, before: State, after: State): void {
    if (after.snapshots === undefined && after.size.bytes <= before.size.bytes) return;
    const size = sizeOf(after);
    if (size <= sizeOf(before)) return;
    const { sandbox, total } = this.limits;
    if (size > sandbox)
      throw new StoreError(
        'limit',
        `the sandbox ${name} would keep ${mebibytes(size)}, and --max-sandbox allows ${mebibytes(sandbox)}: reset it or drop its snapshots`,
      );
    if (this.isExceeded && after.size.bytes - before.size.bytes > SMALL)
      throw new StoreError(
        'limit',
        `this server keeps ${mebibytes(this.used)}, and --max-memory allows ${mebibytes(total)}: reset or drop sandboxes`,
      );
  }
}

export function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 102.4) / 10} MiB`;
}
