// A store that several sessions of one process share: whole logs in memory, as replicas see them. For tests; a server has Redis for that.
import { randomBytes } from 'node:crypto';
import {
  type Appended,
  type Batch,
  type Head,
  type Notes,
  requireTtl,
  type Seen,
  type SeenNotes,
  type Store,
  type Tail,
} from '../../../server/engine/store.js';
import { forgetting, headAfter } from '../../../server/store/file/note-counts.js';
import { Listeners } from '../../../server/store/listeners.js';

export function logStore<Base, Entry, Note>(): Store<Base, Entry, Note> {
  return new LogStore<Base, Entry, Note>();
}

class LogStore<Base, Entry, Note> implements Store<Base, Entry, Note> {
  readonly name = 'logs';
  readonly isShared = true;
  readonly isImmediate = false;
  readonly trouble = undefined;
  readonly #logs = new Map<string, Log<Base, Entry, Note>>();
  readonly #listeners = new Listeners();
  readonly #own = randomBytes(6).toString('hex');
  readonly #id = () => {
    this.#ids += 1;
    return String(this.#ids);
  };
  #ids = 0;

  async ready(): Promise<void> {}

  now(): number {
    return Date.now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    requireTtl(ttl);
    if (this.#logs.has(sandbox)) return undefined;
    const id = this.#id();
    const head = { version: 0, id, log: `${this.#own}-${id}`, from: 0 };
    this.#logs.set(sandbox, newLog(head, base, ttl));
    this.#listeners.tell(sandbox);
    return head;
  }

  async append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen?: SeenNotes,
  ): Promise<Appended<Base, Entry, Note>> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || log.head.log !== head.log) return 'gone';
    if (!isSame(log.head, head)) return behind(log, head, seen);
    extend(log, batch, headAfter(log.head, batch, this.#id));
    this.#listeners.tell(sandbox);
    return { head: log.head, run: log.notes.run, lastNote: log.notes.last };
  }

  async since(sandbox: string, seen?: Seen): Promise<Tail<Base, Entry, Note> | undefined> {
    const log = this.#logs.get(sandbox);
    return log && tailOf(log, seen);
  }

  async compact(sandbox: string, head: Head, version: number, base: Base): Promise<Head | 'behind' | 'gone'> {
    const log = this.#logs.get(sandbox);
    if (log === undefined || log.head.log !== head.log) return 'gone';
    if (!isSame(log.head, head)) return 'behind';
    if (!isCompactable(head, version)) return head;
    const next = compacted(log, version, base);
    this.#logs.set(sandbox, next);
    return next.head;
  }

  async drop(sandbox: string): Promise<boolean> {
    if (!this.#logs.delete(sandbox)) return false;
    this.#listeners.tell(sandbox);
    return true;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#logs.keys()];
  }

  watch(sandbox: string, listener: () => void): () => void {
    return this.#listeners.watch(sandbox, listener);
  }

  async close(): Promise<void> {}
}

interface Log<Base, Entry, Note> {
  base: Base;
  /** The id of the version of the base. */
  idAtBase: string;
  entries: Entry[];
  /** Of each entry, which it shares with those that came with it. */
  ids: string[];
  head: Head;
  notes: KeptNotes<Note>;
  readonly ttl: number | undefined;
}

interface KeptNotes<Note> {
  readonly run: number;
  last: number;
  cleared: number;
  /** The latest notes. */
  kept: Note[];
}

function newLog<Base, Entry, Note>(head: Head, base: Base, ttl: number | undefined): Log<Base, Entry, Note> {
  const notes = { run: 0, last: 0, cleared: 0, kept: [] };
  return { base, idAtBase: head.id, entries: [], ids: [], head, notes, ttl };
}

/** Whether a log of one head is as somebody saw it who knows the other. */
function isSame(one: Head, other: Head): boolean {
  return (
    one === other ||
    (one.id === other.id && one.version === other.version && one.from === other.from && one.log === other.log)
  );
}

/** Adds a batch after which the log ends at `next`. */
function extend<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  { entries, notes, newRunAt, forget }: Batch<Entry, Note>,
  next: Head,
): void {
  if (forget !== undefined) {
    const { run, last, kept } = log.notes;
    const counts = forgetting({ ...log.notes, forgotten: last - kept.length }, forget);
    log.notes = { run, last, cleared: counts.cleared, kept: kept.slice(kept.length - (last - counts.forgotten)) };
  }
  if (newRunAt !== undefined) log.notes = { run: log.head.version + newRunAt + 1, last: 0, cleared: 0, kept: [] };
  for (const entry of entries) {
    log.entries.push(entry);
    log.ids.push(next.id);
  }
  for (const note of notes) log.notes.kept.push(note);
  log.notes.last += notes.length;
  log.head = next;
}

/** Whether entries up to a version can be forgotten. */
function isCompactable({ from, version: last }: Head, version: number): boolean {
  return version > from && version <= last;
}

/** The same log without the entries up to a version, whose state is `base`. */
function compacted<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  version: number,
  base: Base,
): Log<Base, Entry, Note> {
  const count = version - log.head.from;
  const head = { ...log.head, from: version };
  const idAtBase = idAt(log, version) ?? head.id; // there always is one, since the version can be forgotten
  return { ...log, base, idAtBase, entries: log.entries.slice(count), ids: log.ids.slice(count), head };
}

function idAt<Base, Entry, Note>({ head, idAtBase, ids }: Log<Base, Entry, Note>, version: number): string | undefined {
  return version === head.from ? idAtBase : ids[version - head.from - 1];
}

/** What there is of a log beyond what somebody has seen, who need not have seen anything. */
function tailOf<Base, Entry, Note>(log: Log<Base, Entry, Note>, seen: Seen | undefined): Tail<Base, Entry, Note> {
  const { head, base, entries, notes, ttl } = log;
  const known = seen?.log === head.log && seen.id === idAt(log, seen.version) ? seen : undefined;
  return {
    head,
    ...(known === undefined && { base: { version: head.from, value: base } }),
    entries: entries.slice((known?.version ?? head.from) - head.from),
    notes: notesOf(notes, seen === undefined || (seen.notes && seen.log !== head.log) ? NOTHING : seen.notes),
    ...(ttl !== undefined && { ttl }),
  };
}

/** What somebody has not seen who knows of a log's end, and of its notes what `seen` says. */
function behind<Base, Entry, Note>(
  log: Log<Base, Entry, Note>,
  { log: name, version, id }: Head,
  seen: SeenNotes | undefined,
): { readonly behind: Tail<Base, Entry, Note> } {
  return { behind: tailOf(log, { log: name, version, id, ...(seen && { notes: seen }) }) };
}

const NOTHING: SeenNotes = { run: -1, last: 0 };

/** `seen` undefined: they are not asked for. */
function notesOf<Note>({ run, last, cleared, kept }: KeptNotes<Note>, seen: SeenNotes | undefined): Notes<Note> {
  const forgotten = last - kept.length;
  if (seen === undefined) return { run, last, forgotten, cleared, latest: [] };
  const isKnown = seen.run === run && seen.last <= last;
  return { run, last, forgotten, cleared, latest: kept.slice(isKnown ? Math.max(0, seen.last - forgotten) : 0) };
}
