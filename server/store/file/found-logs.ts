// Reads the records of a database once, and finds the sandboxes that are not as they were written.
import type { Index } from './folder.js';
import { del, keyOf, type LogEnd, type Operation, partKey, put, sandboxOf, unseal } from './records.js';

/** A log as it was written. */
export interface Found {
  readonly end: LogEnd;
  base?: string;
  readonly records: string[];
}

export class FoundLogs {
  /** Why the data of a sandbox cannot be trusted. Such a sandbox may be known by one record only. */
  readonly damages = new Map<string, string>();
  /** Damage that is marked in the database. */
  readonly #marked = new Set<string>();
  readonly #found = new Map<string, Found>();
  readonly #parts = new Set<string>();
  /** Keys of records that cannot be read. */
  readonly #unreadable: string[] = [];
  /** Keys of the marks of dropped sandboxes. */
  readonly #dropped: string[] = [];

  /** `format`: the version that can be read; data of any other is not looked at. */
  constructor(private readonly format: number) {}

  /** Adds a record. Call in the order of keys. */
  add(key: string, value: string): void {
    const text = unseal(key, value);
    const sandbox = sandboxOf(key);
    if (text === undefined) this.#unreadable.push(key);
    else if (key.startsWith('p!')) this.#parts.add(key.slice(2));
    else if (sandbox !== undefined) this.#addOf(sandbox, key, text);
  }

  /** The undamaged logs. `skipped`: the bytes of changes that the database skipped. `hasPart`: default: whether it was added. */
  settle(
    index: Index | undefined,
    skipped: readonly Buffer[],
    hasPart = (name: string) => this.#parts.has(name),
  ): ReadonlyMap<string, Found> {
    for (const [sandbox, found] of this.#found)
      if (found.end.format === this.format) this.#damage(sandbox, missingOf(found, hasPart));
    this.#compare(index);
    const known = new Set([...this.#found.keys(), ...this.damages.keys()]);
    for (const key of this.#unreadable) {
      const sandbox = sandboxOf(key);
      if (sandbox !== undefined && known.has(sandbox)) this.#damage(sandbox, 'a checksum is wrong');
    }
    for (const sandbox of changedIn(skipped, known)) this.#damage(sandbox, 'its latest changes cannot be read');
    for (const sandbox of this.damages.keys()) this.#found.delete(sandbox);
    return this.#found;
  }

  /** Marks the damage, and deletes what belongs to no sandbox. */
  get cleaning(): Operation[] {
    const used = new Set([...this.#found.values()].map(({ end }) => end.part));
    const unused = [...this.#parts].filter(name => !used.has(name)).map(partKey);
    const marks = [...this.damages]
      .filter(([sandbox]) => !this.#marked.has(sandbox))
      .map(([sandbox, reason]) => put(keyOf('x', sandbox), reason));
    return [...marks, ...[...this.#unreadable, ...this.#dropped, ...unused].map(del)];
  }

  #addOf(sandbox: string, key: string, text: string): void {
    const found = this.#found.get(sandbox);
    if (key.startsWith('d!')) this.#dropped.push(key);
    else if (key.startsWith('h!')) this.#found.set(sandbox, { end: JSON.parse(text) as LogEnd, records: [] });
    else if (key.startsWith('x!')) {
      this.#damage(sandbox, text);
      this.#marked.add(sandbox);
    } else if (found === undefined) this.#damage(sandbox, 'its latest version is unknown');
    else if (found.end.format === this.format) this.#damage(sandbox, addRecord(found, key, text));
  }

  /** The first damage counts. */
  #damage(sandbox: string, reason: string | undefined): void {
    if (reason !== undefined && !this.damages.has(sandbox)) this.damages.set(sandbox, reason);
  }

  #compare(index: Index | undefined): void {
    if (index === undefined) return;
    const { isFinal, logs } = index;
    const dropped = new Set(this.#dropped.map(sandboxOf));
    for (const [sandbox, log, last, id] of logs) {
      const head = this.#found.get(sandbox)?.end.head;
      if (head === undefined)
        this.#damage(sandbox, !isFinal && dropped.has(sandbox) ? undefined : 'all of it is missing');
      else if (isFinal ? head.id !== id : head.log === log && head.last < last)
        this.#damage(sandbox, `its records after ${head.last} are missing`);
    }
    const listed = new Set(logs.map(([sandbox]) => sandbox));
    for (const sandbox of isFinal ? this.#found.keys() : [])
      if (!listed.has(sandbox)) this.#damage(sandbox, 'it was dropped, but the record of the drop is missing');
  }
}

/** Adds the record of a key, and returns what is wrong. */
function addRecord(found: Found, key: string, text: string): string | undefined {
  const { records } = found;
  const { head } = found.end;
  const [, , kind, digits] = key.split('!');
  const number = Number(digits);
  if (kind === 'b') {
    if (number !== head.base || found.base !== undefined) return `it has a second state, at record ${number}`;
    found.base = text;
    return;
  }
  const next = head.from + records.length + 1;
  if (number !== next) return `record ${next} is missing`;
  records.push(text);
}

function missingOf(
  { end: { head, part }, base, records }: Found,
  hasPart: (name: string) => boolean,
): string | undefined {
  if (part !== undefined && !hasPart(part)) return `its part ${part} is missing`;
  if (base === undefined) return `its state at record ${head.base} is missing`;
  const last = head.from + records.length;
  if (last < head.last) return `record ${last + 1} is missing`;
  return last > head.last ? 'its latest version is missing' : undefined;
}

/** The sandboxes whose keys are in bytes of changes. A damaged byte can be in a name: an unknown name counts if it is there twice. */
function changedIn(skipped: readonly Buffer[], known: ReadonlySet<string>): Iterable<string> {
  const times = new Map<string, number>();
  for (const bytes of skipped)
    for (const [key] of bytes.toString('latin1').matchAll(/[hs]![\w.%~*'()-]+(?=!)/g)) {
      const sandbox = sandboxOf(key);
      if (sandbox !== undefined) times.set(sandbox, (times.get(sandbox) ?? 0) + 1);
    }
  return [...times].flatMap(([sandbox, count]) => (count > 1 || known.has(sandbox) ? [sandbox] : []));
}
