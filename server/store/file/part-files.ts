// The parts of a folder: large texts that bases, entries and notes share, one file each, written once and taken away when nothing refers to them. Knows
// them by their names and digests, and not what is in them.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { StoreError } from '../../engine/store.js';
import type { Disk } from './disk/disk.js';
import { codeOf, failureOf } from './disk/file-error.js';
import { finish, syncFile, writeUnfinished } from './disk/whole.js';
import { fileOfPart, PARTS, partOf } from './file-names.js';

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Digests of parts by their names. */
export type Digests = Readonly<Record<string, string>>;

/** A part that is there. */
export interface Part {
  readonly digest: string;
  /** About. */
  readonly bytes: number;
}

export class Parts {
  readonly #folder: string;
  readonly #parts: Map<string, Part>;
  /** How many refer to each. */
  readonly #uses = new Map<string, number>();
  /** Those that outlive a loss of power. */
  readonly #settled: Set<string>;
  readonly #settling = new Map<string, Promise<void>>();

  /** `parts`: those that are there, by name. */
  constructor(
    folder: string,
    private readonly disk: Disk,
    parts: ReadonlyMap<string, Part>,
  ) {
    this.#folder = join(folder, PARTS);
    this.#parts = new Map(parts);
    this.#settled = new Set(parts.keys());
  }

  /** Writes those that are not there yet, holds them all, and gives their digests. Throws a `StoreError`; then none is held. */
  keep(parts: ReadonlyMap<string, string | (() => string)>): Digests {
    const kept: [string, string][] = [];
    try {
      for (const [name, text] of parts) {
        const { digest } = this.#parts.get(name) ?? this.#write(name, typeof text === 'string' ? text : text());
        this.hold([name]);
        kept.push([name, digest]);
      }
    } catch (error) {
      this.release(kept.map(([name]) => name));
      throw error;
    }
    return Object.fromEntries(kept);
  }

  /** Once more for each time that a name is there. */
  hold(names: Iterable<string>): void {
    for (const name of names) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
  }

  /** The opposite: what nothing refers to any more is taken away, if not now then when the folder is opened. */
  release(names: Iterable<string>): void {
    for (const name of names) {
      const left = (this.#uses.get(name) ?? 0) - 1;
      if (left > 0) this.#uses.set(name, left);
      else this.#remove(name);
    }
  }

  bytesOf(names: Iterable<string>): number {
    let sum = 0;
    for (const name of names) sum += this.#parts.get(name)?.bytes ?? 0;
    return sum;
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

  #write(name: string, text: string): Part {
    const file = fileOfPart(name);
    if (partOf(file) !== name) throw new StoreError('refused', `a part cannot be named ${JSON.stringify(name)}`);
    const path = join(this.#folder, file);
    const bytes = Buffer.from(text);
    try {
      this.disk.makeFolder(this.#folder);
      writeUnfinished(this.disk, path, [bytes]);
      finish(this.disk, path);
    } catch (error) {
      throw failureOf(`the part ${name} could not be written`, error);
    }
    const part = { digest: digestOf(text), bytes: bytes.length };
    this.#parts.set(name, part);
    return part;
  }

  #remove(name: string): void {
    this.#uses.delete(name);
    this.#parts.delete(name);
    this.#settled.delete(name);
    try {
      this.disk.remove(join(this.#folder, fileOfPart(name)));
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
    }
  }

  async #settle(name: string): Promise<void> {
    try {
      await syncFile(this.disk, join(this.#folder, fileOfPart(name)));
      await this.disk.syncFolder(this.#folder);
      await this.disk.syncFolder(dirname(this.#folder));
      this.#settled.add(name);
    } catch (error) {
      this.#parts.delete(name); // to be written anew
      throw failureOf(`the part ${name} could not be written`, error);
    } finally {
      this.#settling.delete(name);
    }
  }
}
