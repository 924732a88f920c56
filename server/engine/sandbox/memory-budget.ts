// How much memory sandboxes may take: each for itself, and all of them together with what else requests can make grow.

import { StoreError } from '../store.js';
import type { Sandbox } from './cached-sandbox.js';
import { MemoryUse, sizeOf } from './memory-use.js';
import type { State } from './state.js';

/** In bytes. */
export interface MemoryLimits {
  /** Of everything together: `--max-memory`. */
  readonly total: number;
  /** Of what one sandbox keeps: `--max-sandbox`. */
  readonly sandbox: number;
}

/** Growth that is let through when everything is taken: refusing it would help nobody. */
const SMALL = 64 * 1024;

/** What has been let go stays for a while, until it is collected. */
const UNCOLLECTED = 1.3;

export class MemoryBudget {
  readonly #use = new MemoryUse();
  #whenHalf: (() => void) | undefined;

  constructor(
    readonly limits: MemoryLimits,
    /** What is taken outside of sandboxes: bodies that are read, answers that wait. */
    private readonly outside: () => number = () => 0,
  ) {}

  /** What is taken, in bytes. */
  get used(): number {
    return Math.round((this.#use.bytes + this.outside()) * UNCOLLECTED);
  }

  get isExceeded(): boolean {
    return this.used > this.limits.total;
  }

  /** Counts a sandbox from now on. `parent`: the one that it was forked from. */
  add(sandbox: Sandbox, parent?: Sandbox): void {
    this.#use.add(sandbox, parent);
  }

  update(sandbox: Sandbox): void {
    this.#use.update(sandbox);
    if (this.#whenHalf === undefined || this.used < this.limits.total / 2) return;
    this.#whenHalf();
    this.#whenHalf = undefined;
  }

  /** Calls back once, when half of it is taken. */
  whenHalf(listener: () => void): void {
    this.#whenHalf = listener;
  }

  remove(sandbox: Sandbox): void {
    this.#use.remove(sandbox);
  }

  /** Throws a `StoreError` where a sandbox may not grow from one state to another. It may always shrink. */
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
