// Counts the references of records to parts: large texts that records share. A part is written with its first reference and deleted with the last.
import { type Operation, partKey, seal } from './records.js';

export type Parts = ReadonlyMap<string, string | (() => string)>;

export class References {
  /** The parts that a record refers to, by its key. */
  readonly #names = new Map<string, readonly string[]>();
  readonly #uses = new Map<string, number>();

  has(name: string): boolean {
    return this.#uses.has(name);
  }

  /** Adds the references of a record; writes missing parts. */
  add(key: string, parts: Parts, operations: Operation[]): void {
    for (const [name, text] of parts) {
      if (this.has(name)) continue;
      const place = partKey(name);
      operations.push({ type: 'put', key: place, value: seal(place, typeof text === 'string' ? text : text()) });
    }
    this.hold(key, [...parts.keys()]);
  }

  /** Adds references to existing parts. */
  hold(key: string, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#names.set(key, names);
    for (const name of names) this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
  }

  /** Removes the references of a record, and returns them; deletes parts without any. */
  remove(key: string, operations: Operation[] = []): readonly string[] {
    const names = this.#names.get(key) ?? [];
    this.#names.delete(key);
    for (const name of names) {
      const left = (this.#uses.get(name) ?? 0) - 1;
      if (left > 0) this.#uses.set(name, left);
      else {
        this.#uses.delete(name);
        operations.push({ type: 'del', key: partKey(name) });
      }
    }
    return names;
  }
}

/** Records to write and to delete together. Write before you delete: then a part that both refer to stays. */
export class Change {
  readonly operations: Operation[] = [];
  readonly #undo: Array<() => void> = [];

  constructor(private readonly references: References) {}

  put(key: string, text: string, parts?: Parts): void {
    if (parts === undefined || parts.size === 0) {
      this.operations.push({ type: 'put', key, value: seal(key, text) });
      return;
    }
    this.references.add(key, parts, this.operations);
    this.#undo.push(() => this.references.remove(key));
    this.operations.push({ type: 'put', key, value: seal(key, text, [...parts.keys()]) });
  }

  delete(key: string): void {
    this.operations.push({ type: 'del', key });
    const names = this.references.remove(key, this.operations);
    if (names.length > 0) this.#undo.push(() => this.references.hold(key, names));
  }

  /** Restores the references. */
  undo(): void {
    for (const undo of this.#undo.toReversed()) undo();
  }
}
