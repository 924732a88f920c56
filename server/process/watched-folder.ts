// One folder of `--watch`, also while it is away: folders are watched rather than files, since a file that is replaced is another file, and so is a
// folder that is removed and made again.
import { type FSWatcher, type Stats, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../engine/log.js';

export class WatchedFolder {
  #watcher: FSWatcher | undefined;
  /** Which folder is watched; `undefined`: none. */
  #identity: string | undefined;
  /** What was last said of it. */
  #trouble: string | undefined;

  /** Calls `notice` with each file that changes, and with `undefined` where nobody knows which did. */
  constructor(
    private readonly path: string,
    private readonly notice: (file: string | undefined) => void,
    private readonly log: Log,
  ) {
    this.#follow();
  }

  /** Watches the folder that is there now, where it is not the one that was. */
  look(): void {
    if (this.#follow()) this.notice(undefined);
  }

  close(): void {
    this.#watcher?.close();
    this.#identity = undefined;
  }

  /** Whether a folder is watched that was not. */
  #follow(): boolean {
    try {
      const found = statSync(this.path, { throwIfNoEntry: false });
      if (found !== undefined) return identityOf(found) !== this.#identity && this.#watch(found);
      if (this.#identity !== undefined) this.#lose('is gone: what is made in its place is watched');
    } catch (error) {
      this.#lose(`cannot be watched, and changes in it are not seen: ${messageOf(error)}`);
    }
    return false;
  }

  #watch(found: Stats): true {
    this.close();
    this.#watcher = watch(this.path, (_, name) => this.notice(name === null ? undefined : join(this.path, name)));
    this.#watcher.on('error', error => this.#lose(`can no longer be watched: ${messageOf(error)}`)); // the next look tries again
    this.#identity = identityOf(found);
    if (this.#trouble !== undefined) this.log.info(`${this.path} is watched again`);
    this.#trouble = undefined;
    return true;
  }

  /** Says why once, and not with each look. */
  #lose(trouble: string): void {
    this.close();
    if (trouble !== this.#trouble) this.log.error(`${this.path} ${trouble}`);
    this.#trouble = trouble;
  }
}

/** The number of a folder that is gone is given again. */
function identityOf({ dev, ino, birthtimeMs }: Stats): string {
  return `${dev} ${ino} ${birthtimeMs}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
