// Open files, of which there may be only so many: the one that was used longest ago is closed first. Knows nothing of what is in them.
import type { Disk } from './disk.js';

/** Far below what systems allow a process, which needs some for its connections. */
const MOST_OPEN = 256;
/** More would wait in Node's own queue all the same. */
const MOST_SYNCING = 32;

export class Descriptors {
  readonly #open = new Map<string, number>();
  /** What must stay open, since it is being synced. Nobody syncs a file twice at a time. */
  readonly #syncing = new Set<string>();
  readonly #waiting: Array<() => void> = [];

  constructor(
    private readonly disk: Disk,
    private readonly most = MOST_OPEN,
  ) {}

  /** A file that is there, open for changes until enough others have been used. */
  use(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) {
      this.#open.delete(path); // to come last
      this.#open.set(path, known);
      return known;
    }
    const file = this.disk.open(path, 'change');
    this.#open.set(path, file);
    this.#closeOldest(path);
    return file;
  }

  async sync(path: string): Promise<void> {
    while (this.#syncing.size >= Math.min(MOST_SYNCING, this.most)) {
      await new Promise<void>(resolve => this.#waiting.push(resolve));
    }
    this.#syncing.add(path);
    try {
      await this.disk.sync(this.use(path));
    } finally {
      this.#syncing.delete(path);
      this.#waiting.shift()?.();
    }
  }

  /** Closes a file, if it is open. */
  close(path: string): void {
    const file = this.#open.get(path);
    if (file === undefined) return;
    this.#open.delete(path);
    this.disk.close(file);
  }

  closeAll(): void {
    for (const path of [...this.#open.keys()]) this.close(path);
  }

  #closeOldest(newest: string): void {
    for (const path of this.#open.keys()) {
      if (this.#open.size <= this.most) return;
      if (path !== newest && !this.#syncing.has(path)) this.close(path);
    }
  }
}
