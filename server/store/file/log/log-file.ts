// The file of one log: additions are written completely or not at all.
import { basename } from 'node:path';
import { StoreError } from '../../../engine/store.js';
import type { Descriptors } from '../disk/descriptors.js';
import { type Disk, writeAll } from '../disk/disk.js';
import { codeOf, failureOf } from '../disk/file-error.js';
import { finish, syncUnfinished, writeUnfinished } from '../disk/whole.js';

export class LogFile {
  /** Why it may not be changed until it is opened again. */
  #broken: string | undefined;
  /** Length of the replacement being written. */
  #prepared = 0;

  constructor(
    readonly path: string,
    private readonly disk: Disk,
    private readonly descriptors: Descriptors,
    /** Bytes; 0: it does not exist yet. */
    private length: number,
  ) {}

  get #name(): string {
    return basename(this.path);
  }

  get size(): number {
    return this.length;
  }

  /** Appends lines. Throws a `StoreError`; then the file is unchanged. */
  add(bytes: Uint8Array): void {
    this.#refuseBroken();
    try {
      this.descriptors.use(this.path); // a file that cannot be opened is unchanged
    } catch (error) {
      throw failureOf(`${this.#name} could not be opened`, error);
    }
    try {
      writeAll(this.disk, this.descriptors.use(this.path), bytes, this.length);
    } catch (error) {
      this.#cut(this.length, error);
      throw failureOf(`${this.#name} could not be written`, error);
    }
    this.length += bytes.length;
  }

  /**
   * Resolves when everything after a length, and its parts, survives a power failure. Rejects with a `StoreError`; then the file has that length
   * again.
   */
  async sync(length: number, beside?: Promise<void>): Promise<void> {
    try {
      await beside;
      await this.descriptors.sync(this.path);
    } catch (error) {
      this.#cut(length, error);
      this.length = length;
      await this.descriptors.sync(this.path).catch(second => this.#leave(error, second));
      throw failureOf(`${this.#name} could not be written`, error);
    }
  }

  /** Writes a replacement, which `finish` activates. Throws a `StoreError`. */
  prepare(lines: Iterable<Uint8Array>): void {
    this.#refuseBroken();
    try {
      this.#prepared = writeUnfinished(this.disk, this.path, lines);
    } catch (error) {
      throw failureOf(`${this.#name} could not be written`, error);
    }
  }

  /** Resolves when the replacement survives a power failure. Rejects with a `StoreError`, and the replacement is gone. */
  async settle(): Promise<void> {
    try {
      await syncUnfinished(this.disk, this.path);
    } catch (error) {
      throw failureOf(`${this.#name} could not be written`, error);
    }
  }

  /** Throws a `StoreError`; then the file is unchanged. */
  finish(): void {
    try {
      this.descriptors.close(this.path);
      finish(this.disk, this.path);
    } catch (error) {
      throw failureOf(`${this.#name} could not be written`, error);
    }
    this.length = this.#prepared;
  }

  /** Deletes it; a missing file is fine. */
  remove(): void {
    this.descriptors.close(this.path);
    try {
      this.disk.remove(this.path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw failureOf(`${this.#name} could not be taken away`, error);
    }
  }

  #cut(length: number, reason: unknown): void {
    try {
      this.disk.cut(this.descriptors.use(this.path), length);
    } catch (error) {
      this.#leave(reason, error);
    }
  }

  /** The end of the file is unknown from now on. */
  #leave(reason: unknown, error: unknown): never {
    const { message } = failureOf(`${this.#name} could not be written`, reason);
    this.#broken = `${failureOf(`${message}; nor could it be cut back`, error).message}; it takes no changes until this program is started anew`;
    throw new StoreError('away', this.#broken);
  }

  #refuseBroken(): void {
    if (this.#broken !== undefined) throw new StoreError('away', this.#broken);
  }
}
