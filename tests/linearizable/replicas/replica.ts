// One of several servers that share their sandboxes, as a run calls it.
import type { Change } from '../checking/cell.js';
import type { Cells, Written } from '../checking/history.js';

export interface Replica {
  readonly name: string;
  /** Resolves when it is ready: at once, unless it has been killed and is starting again. */
  up(): Promise<void>;
  client(): Client;
}

/** A connection to a replica, for one request at a time. Rejects with `NoResponse`, `Refused` or `NotAsked`, or with another error: an unexpected response. */
export interface Client {
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

/** The outcome is unknown. */
export class NoResponse extends Error {
  override readonly name = 'NoAnswer';
}

/** The response says that nothing was done. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** The request was never sent. */
export class NotAsked extends Error {
  override readonly name = 'NotAsked';
}
