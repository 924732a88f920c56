// A limited number of open files: the least recently used is closed first.
import type { Disk } from './disk.js';

/** Far below system limits; the process needs some for connections. */
const MAX_OPEN = 256;
/** More would only wait in Node's own queue. */
const MAX_SYNCING = 32;

export class Descriptors {
  readonly #open = new Map<string, number>();
  /** Must stay open, because it is being synced. A file is synced once at a time. */
  readonly #syncing = new Set<string>();
  readonly #waiting: Array<() => void> = [];

  constructor(
    private readonly disk: Disk,
    private readonly most = MAX_OPEN,
  ) {}

  /** An existing file, open for writing until other files push it out. */
  use(path: string): number {
    const known = this.#open.get(path);
    if (known !== undefined) {
      this.#open.delete(path); // moves it to the end
      this.#open.set(path, known);
      return known;
    }
    const file = this.disk.open(path, 'change');
    this.#open.set(path, file);
    this.#closeOldest(path);
    return file;
  }

  async sync(path: string): Promise<void> {
    while (this.#syncing.size >= Math.min(MAX_SYNCING, this.most)) {
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
