// The parts that many bases share: one file each, written once. Knows them by their names and digests, and not what is in them.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { StoreError } from '../../engine/store.js';
import type { Disk } from './disk.js';
import { failureOf } from './failure.js';
import { fileOfPart, PARTS, partOf } from './names.js';
import { finish, syncFile, writeUnfinished } from './whole.js';

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export class Parts {
  readonly #folder: string;
  readonly #digests: Map<string, string>;
  /** Those that outlive a loss of power. */
  readonly #settled: Set<string>;
  readonly #settling = new Map<string, Promise<void>>();

  /** `digests`: of those that are there, by name. */
  constructor(
    folder: string,
    private readonly disk: Disk,
    digests: ReadonlyMap<string, string>,
  ) {
    this.#folder = join(folder, PARTS);
    this.#digests = new Map(digests);
    this.#settled = new Set(digests.keys());
  }

  /** Writes those that are not there yet, and gives the digests of all. Throws a `StoreError`. */
  keep(parts: ReadonlyMap<string, () => string>): Readonly<Record<string, string>> {
    return Object.fromEntries(
      [...parts].map(([name, text]) => [name, this.#digests.get(name) ?? this.#write(name, text())]),
    );
  }

  /** Resolves when these outlive a loss of power. Rejects with a `StoreError`. */
  async settle(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      if (this.#settled.has(name)) continue;
      const settling = this.#settling.get(name) ?? this.#settle(name);
      this.#settling.set(name, settling);
      await settling;
    }
  }

  #write(name: string, text: string): string {
    const file = fileOfPart(name);
    if (partOf(file) !== name) throw new StoreError('refused', `a part cannot be named ${JSON.stringify(name)}`);
    const path = join(this.#folder, file);
    try {
      this.disk.makeFolder(this.#folder);
      writeUnfinished(this.disk, path, [Buffer.from(text)]);
      finish(this.disk, path);
    } catch (error) {
      throw failureOf(`the part ${name} could not be written`, error);
    }
    const digest = digestOf(text);
    this.#digests.set(name, digest);
    return digest;
  }

  async #settle(name: string): Promise<void> {
    try {
      await syncFile(this.disk, join(this.#folder, fileOfPart(name)));
      await this.disk.syncFolder(this.#folder);
      await this.disk.syncFolder(dirname(this.#folder));
      this.#settled.add(name);
    } catch (error) {
      this.#digests.delete(name); // to be written anew
      throw failureOf(`the part ${name} could not be written`, error);
    } finally {
      this.#settling.delete(name);
    }
  }
}
