// One of several servers that share their sandboxes, as a run asks it. Says nothing of how.
import type { Change } from './cell.js';
import type { Cells, Written } from './history.js';

export interface Replica {
  readonly name: string;
  /** Resolves when it can be asked: at once, unless it has been killed and is starting again. */
  up(): Promise<void>;
  door(): Door;
}

/** A way to ask a replica, for one thing at a time. What it is asked rejects with `NoAnswer`, `Refused` or `NotAsked`, or with another error: an answer that nobody expects. */
export interface Door {
  change(
    sandbox: string,
    asked: Change,
    tag: string,
  ): Promise<{ readonly kind: 'done' | 'missed'; readonly entry: number }>;
  cells(sandbox: string): Promise<Cells>;
  version(sandbox: string): Promise<number>;
  /** The number of the latest journal entry. */
  latest(sandbox: string): Promise<number>;
  /** The journal entries after one. */
  entries(sandbox: string, since: number): Promise<readonly Written[]>;
  close(): void;
}

/** Nobody knows whether it was done. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The answer says that nothing was done. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** It never got there. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}
