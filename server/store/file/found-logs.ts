// Reads the records of a database once, and finds the sandboxes that are not as they were written.
import type { Format } from '../../engine/store.js';
import type { Index } from './folder.js';
import {
  keyOf,
  type LogEnd,
  type Operation,
  partKey,
  type Sealed,
  type StoredEnd,
  sandboxOf,
  seal,
  unseal,
} from './records.js';
import { References } from './references.js';

/** A log as it was written. */
export interface Found {
  readonly end: LogEnd;
  base?: Sealed;
  readonly entries: Sealed[];
  readonly notes: Sealed[];
}

/** A sandbox whose data cannot be trusted. Kept until the sandbox is dropped. */
export interface Damage {
  readonly failure: 'lost' | 'format';
  readonly reason: string;
}

/** The encoding of what was found. */
type Versions = Pick<Format<unknown, unknown, unknown>, 'version' | 'oldest'>;

export class FoundLogs {
  readonly references = new References();
  /** Their sandboxes may be known by one record only. */
  readonly damages = new Map<string, Damage>();
  /** The ends of logs that another version of this program has written. */
  readonly foreign = new Map<string, LogEnd>();
  /** Damage that is marked in the database. */
  readonly #marked = new Set<string>();
  readonly #found = new Map<string, Found>();
  readonly #parts = new Set<string>();
  /** Keys of records that cannot be read. */
  readonly #unreadable: string[] = [];
  /** Keys of the marks of dropped sandboxes. */
  readonly #dropped: string[] = [];

  /** `known`: existing parts that are not read. */
  constructor(
    private readonly format: Versions,
    private readonly known?: References,
  ) {}

  /** Adds a record. Call in the order of keys. */
  add(key: string, value: string): void {
    const record = unseal(key, value);
    const sandbox = sandboxOf(key);
    if (record === undefined) this.#unreadable.push(key);
    else if (key.startsWith('p!')) this.#parts.add(key.slice(2));
    else if (sandbox !== undefined) this.#addOf(sandbox, key, record);
  }

  /** The undamaged logs. `skipped`: the bytes of changes that the database skipped. */
  settle(index: Index | undefined, skipped: readonly Buffer[]): ReadonlyMap<string, Found> {
    for (const [sandbox, found] of this.#found) this.#damage(sandbox, missingOf(found));
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
    const unused = [...this.#parts].filter(name => !this.references.has(name)).map(partKey);
    const marks = [...this.damages].flatMap(([sandbox, { failure, reason }]): Operation[] => {
      const key = keyOf('x', sandbox);
      return failure === 'format' || this.#marked.has(sandbox) ? [] : [{ type: 'put', key, value: seal(key, reason) }];
    });
    const useless = [...this.#unreadable, ...this.#dropped, ...unused];
    return [...marks, ...useless.map((key): Operation => ({ type: 'del', key }))];
  }

  #addOf(sandbox: string, key: string, record: Sealed): void {
    const found = this.#found.get(sandbox);
    if (key.startsWith('d!')) this.#dropped.push(key);
    else if (key.startsWith('h!')) this.#addEnd(sandbox, JSON.parse(record.text) as StoredEnd);
    else if (key.startsWith('x!')) {
      this.#damage(sandbox, record.text);
      this.#marked.add(sandbox);
    } else {
      const missing = record.parts.find(name => !this.#hasPart(name));
      this.references.hold(
        key,
        record.parts.filter(name => this.#hasPart(name)),
      ); // a missing one is written when it is needed again
      if (missing !== undefined) this.#damage(sandbox, `its part ${missing} is missing`);
      else if (found === undefined) this.#damage(sandbox, 'its latest version is unknown');
      else this.#damage(sandbox, addRecord(found, key, record));
    }
  }

  #addEnd(sandbox: string, { format, ...end }: StoredEnd): void {
    this.#found.set(sandbox, { end, entries: [], notes: [] });
    const { version, oldest } = this.format;
    if (format >= oldest && format <= version) return;
    this.damages.set(sandbox, { failure: 'format', reason: 'another version of cwx-fake has written it' });
    this.foreign.set(sandbox, end);
  }

  #hasPart(name: string): boolean {
    return this.#parts.has(name) || this.known?.has(name) === true;
  }

  /** The first damage counts. */
  #damage(sandbox: string, reason: string | undefined): void {
    if (reason !== undefined && !this.damages.has(sandbox)) this.damages.set(sandbox, { failure: 'lost', reason });
  }

  #compare(index: Index | undefined): void {
    if (index === undefined) return;
    const { isFinal, logs } = index;
    const dropped = new Set(this.#dropped.map(sandboxOf));
    for (const [sandbox, log, version, id] of logs) {
      const head = this.#found.get(sandbox)?.end.head;
      if (head === undefined)
        this.#damage(sandbox, !isFinal && dropped.has(sandbox) ? undefined : 'all of it is missing');
      else if (isFinal ? head.id !== id : head.log === log && head.version < version)
        this.#damage(sandbox, `its versions after ${head.version} are missing`);
    }
    const listed = new Set(logs.map(([sandbox]) => sandbox));
    for (const sandbox of isFinal ? this.#found.keys() : [])
      if (!listed.has(sandbox)) this.#damage(sandbox, 'it was dropped, and that is missing');
  }
}

/** Adds the record of a key, and returns what is wrong. */
function addRecord(found: Found, key: string, record: Sealed): string | undefined {
  const { head, notes } = found.end;
  const [, , kind, ...numbers] = key.split('!');
  const [first = -1, second = -1] = numbers.map(Number);
  if (kind === 'b') {
    if (first !== head.from || found.base !== undefined) return `it has a second state, of version ${first}`;
    found.base = record;
  } else if (kind === 'e') {
    const next = head.from + found.entries.length + 1;
    if (first !== next) return `change ${next} is missing`;
    found.entries.push(record);
  } else {
    const next = notes.forgotten + found.notes.length + 1;
    if (first !== notes.run || second !== next) return `journal entry ${next} is missing`;
    found.notes.push(record);
  }
}

function missingOf({ end: { head, notes }, base, entries, notes: kept }: Found): string | undefined {
  if (base === undefined) return `its state at version ${head.from} is missing`;
  const version = head.from + entries.length;
  if (version < head.version) return `change ${version + 1} is missing`;
  const last = notes.forgotten + kept.length;
  if (last < notes.last) return `journal entry ${last + 1} is missing`;
  return version > head.version || last > notes.last ? 'its latest version is missing' : undefined;
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
