// Watches one folder, also while it does not exist. Folders are watched rather than files, because a replaced file or folder is a new one.
import { type FSWatcher, type Stats, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../engine/log.js';

export class WatchedFolder {
  #watcher: FSWatcher | undefined;
  /** Identity of the watched folder; `undefined`: none. */
  #identity: string | undefined;
  /** The last reported trouble. */
  #trouble: string | undefined;

  /** Calls `notice` with each changed file, or with `undefined` if unknown. */
  constructor(
    private readonly path: string,
    private readonly notice: (file: string | undefined) => void,
    private readonly log: Log,
  ) {
    this.#follow();
  }

  /** Watches the current folder, if it is not watched already. */
  look(): void {
    if (this.#follow()) this.notice(undefined);
  }

  close(): void {
    this.#watcher?.close();
    this.#identity = undefined;
  }

  /** Returns whether a new folder is watched. */
  #follow(): boolean {
    try {
      const found = statSync(this.path, { throwIfNoEntry: false });
      if (found !== undefined) return identityOf(found) !== this.#identity && this.#watch(found);
      if (this.#identity !== undefined) this.#lose('is gone: a new one of this name will be watched');
    } catch (error) {
      this.#lose(`cannot be watched, so its changes go unnoticed: ${messageOf(error)}`);
    }
    return false;
  }

  #watch(found: Stats): true {
    this.close();
    this.#watcher = watch(this.path, (_, name) => this.notice(name === null ? undefined : join(this.path, name)));
    this.#watcher.on('error', error => this.#lose(`can no longer be watched: ${messageOf(error)}`)); // the next check tries again
    this.#identity = identityOf(found);
    if (this.#trouble !== undefined) this.log.info(`${this.path} is watched again`);
    this.#trouble = undefined;
    return true;
  }

  /** Logs a reason once, not with each check. */
  #lose(trouble: string): void {
    this.close();
    if (trouble !== this.#trouble) this.log.error(`${this.path} ${trouble}`);
    this.#trouble = trouble;
  }
}

/** Inode numbers are reused. */
function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
