// Appends to logs: one at a time for each log, recognized when retried, and with backoff if others are faster too often.
import { randomBytes } from 'node:crypto';
import { type Appended, type Batch, type Head, type PutPart, type SeenNotes, StoreError } from '../../engine/store.js';
import { type Deadline, deadlineIn, type Outcome } from './connection/attempts.js';
import { Backoff } from './connection/backoff.js';
import type { LogAccess } from './log-access.js';
import { APPEND } from './scripts/log-scripts.js';
import { entryElement, noteElement, seenNotesArguments } from './tails.js';

export class Appending<Base, Entry, Note> {
  readonly #backoff = new Backoff();
  /** The current append by sandbox. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** Unique id of this store among all users of the engine. */
  readonly #writer = randomBytes(8).toString('hex');
  #count = 0;

  constructor(
    private readonly access: LogAccess<Base, Entry, Note>,
    private readonly timeout: number,
  ) {}

  /** A unique id. */
  id(): string {
    this.#count += 1;
    return `${this.#writer}-${this.#count}`;
  }

  /** One at a time: a log remembers only the last append of each writer, which is needed to recognize a retry. */
  async append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen?: SeenNotes,
  ): Promise<Appended<Base, Entry, Note>> {
    const deadline = deadlineIn(this.timeout);
    const before = this.#underWay.get(sandbox);
    const appending =
      before === undefined
        ? this.#append(sandbox, head, batch, seen, deadline)
        : before.then(() => this.#append(sandbox, head, batch, seen, deadline));
    const settled = appending.then(ignore, ignore); // the caller gets the error; the next append does not
    this.#underWay.set(sandbox, settled);
    try {
      return await appending;
    } finally {
      if (this.#underWay.get(sandbox) === settled) this.#underWay.delete(sandbox);
    }
  }

  async #append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen: SeenNotes | undefined,
    deadline: Deadline,
  ): Promise<Appended<Base, Entry, Note>> {
    const id = this.id();
    const { args, parts } = this.#arguments(sandbox, head, batch, seen, id);
    if (parts.size > 0 && !(await this.access.refer(sandbox, head.log, parts, deadline))) return 'gone';
    for (;;) {
      const outcome = await this.access.run(sandbox, APPEND, { args }, deadline);
      if (outcome[0] !== 'wait') return this.#appended(sandbox, head, batch, id, outcome, deadline);
      if (performance.now() > deadline.at - deadline.timeout / 10)
        // another try could not be answered in time, so its result would be unknown
        throw new StoreError('busy', `others had their turn at sandbox ${sandbox} for ${deadline.timeout} ms`);
      await this.#backoff.wait();
    }
  }

  async #appended(
    sandbox: string,
    head: Head,
    { entries }: Batch<Entry, Note>,
    id: string,
    outcome: Outcome,
    deadline: Deadline,
  ): Promise<Appended<Base, Entry, Note>> {
    const [how, run, lastNote, parts, ttl] = outcome;
    if (how === 'gone') return 'gone';
    if (how === 'past') throw new StoreError('away', `a later append to sandbox ${sandbox} was faster`);
    if (how === 'behind') {
      this.#backoff.lost(sandbox);
      return { behind: await this.access.tail(sandbox, outcome, deadline) };
    }
    this.#backoff.won(sandbox);
    this.access.renewed(parts, ttl);
    const next = entries.length === 0 ? head : { ...head, version: head.version + entries.length, id };
    return { head: next, run: run as number, lastNote: lastNote as number }; // the answer of the script
  }

  #arguments(
    sandbox: string,
    { log, version, id: after, from }: Head,
    { entries, notes, newRunAt, forget }: Batch<Entry, Note>,
    seen: SeenNotes | undefined,
    id: string,
  ): { readonly args: readonly string[]; readonly parts: ReadonlyMap<string, string> } {
    const { format, keys } = this.access;
    const parts = new Map<string, string>();
    const element = (write: (put: PutPart) => string, as: (text: string, names: readonly string[]) => string) => {
      const names: string[] = [];
      const text = write((name, part) => {
        names.push(name);
        parts.set(name, part);
      });
      return as(text, names);
    };
    const elements = [
      ...entries.map(entry =>
        element(
          put => format.writeEntry(entry, put),
          (...given) => entryElement(id, ...given),
        ),
      ),
      ...notes.map(note => element(put => format.writeNote(note, put), noteElement)),
    ];
    const args = [
      log,
      String(version),
      after,
      String(from),
      this.#writer,
      `a:${this.#writer}`,
      String(this.#count),
      id,
      String(entries.length),
      newRunAt === undefined ? '0' : String(newRunAt + 1),
      ...seenNotesArguments(seen),
      String(this.#backoff.wanted(sandbox)),
      keys.of(sandbox).channel,
      String(forget?.run ?? -1),
      String(forget?.upTo ?? 0),
      String(forget?.cleared ?? 0),
      ...elements,
    ];
    return { args, parts };
  }
}

function ignore(): void {}
