// The file of one log: what is added to it is added whole or not at all. Knows lines as bytes only.
import { basename } from 'node:path';
import { StoreError } from '../../../engine/store.js';
import type { Descriptors } from '../disk/descriptors.js';
import { type Disk, writeAll } from '../disk/disk.js';
import { codeOf, failureOf } from '../disk/file-error.js';
import { finish, syncUnfinished, writeUnfinished } from '../disk/whole.js';

export class LogFile {
  /** Why it is left alone until it is opened anew. */
  #broken: string | undefined;
  /** How long that is which is to stand in its place. */
  #prepared = 0;

  constructor(
    readonly path: string,
    private readonly disk: Disk,
    private readonly descriptors: Descriptors,
    /** In bytes; 0: it is not there yet. */
    private length: number,
  ) {}

  get #name(): string {
    return basename(this.path);
  }

  get size(): number {
    return this.length;
  }

  /** Adds lines. Throws a `StoreError`; then the file is as it was. */
  add(bytes: Uint8Array): void {
    this.#refuseBroken();
    try {
      this.descriptors.use(this.path); // a file that cannot be opened has not been touched
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

  /** Resolves when what was added after a length outlives a loss of power, and what stands beside it does. Rejects with a `StoreError`; then the file is as it was at that length. */
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

  /** Writes what is to stand in its place, which `finish` then does. Throws a `StoreError`. */
  prepare(lines: Iterable<Uint8Array>): void {
    this.#refuseBroken();
    try {
      this.#prepared = writeUnfinished(this.disk, this.path, lines);
    } catch (error) {
      throw failureOf(`${this.#name} could not be written`, error);
    }
  }

  /** Resolves when what was prepared outlives a loss of power. Rejects with a `StoreError`, and it is gone. */
  async settle(): Promise<void> {
    try {
      await syncUnfinished(this.disk, this.path);
    } catch (error) {
      throw failureOf(`${this.#name} could not be written`, error);
    }
  }

  /** Throws a `StoreError`; then the file is as it was. */
  finish(): void {
    try {
      this.descriptors.close(this.path);
      finish(this.disk, this.path);
    } catch (error) {
      throw failureOf(`${this.#name} could not be written`, error);
    }
    this.length = this.#prepared;
  }

  /** Takes it away; one that is not there is as good. */
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

  /** What stands at its end is not known any more. */
  #leave(reason: unknown, error: unknown): never {
    const { message } = failureOf(`${this.#name} could not be written`, reason);
    this.#broken = `${failureOf(`${message}; nor could it be cut back`, error).message}; it takes no changes until this program is started anew`;
    throw new StoreError('away', this.#broken);
  }

  #refuseBroken(): void {
    if (this.#broken !== undefined) throw new StoreError('away', this.#broken);
  }
}
