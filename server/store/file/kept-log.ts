// One log with its file. Memory tells only what the file has, and what is asked of it at the same time shares one sync.
// Without fsync everything is done before a verb returns. With it the caller sees to it that nothing but appends overlaps.
import { type Appended, type Batch, type Head, type SeenNotes, StoreError } from '../../engine/store.js';
import {
  behind,
  compacted,
  extend,
  forgetNotes,
  forgettable,
  headAfter,
  isCompactable,
  isSame,
  type Log,
} from '../log.js';
import { failureOf } from './failure.js';
import { writeLine } from './lines.js';
import type { LogFile } from './log-file.js';
import type { Setup } from './setup.js';
import { Waste } from './waste.js';
import { type Birth, lineOfBatch, linesOfLog } from './written-log.js';

/** One append that waits for its turn. */
interface Job<Base, Entry, Note> {
  readonly head: Head;
  readonly batch: Batch<Entry, Note>;
  readonly seen: SeenNotes | undefined;
  readonly done: (appended: Appended<Base, Entry, Note>) => void;
  readonly failed: (error: unknown) => void;
}

/** One that is written and may not last yet. */
interface Written<Base, Entry, Note> {
  readonly job: Job<Base, Entry, Note>;
  readonly next: Head;
  /** Of its notes, or about that. */
  readonly bytes: number;
}

export class KeptLog<Base, Entry, Note> {
  #waiting: Array<Job<Base, Entry, Note>> = [];
  #isGone = false;

  constructor(
    private readonly setup: Setup<Base, Entry, Note>,
    private readonly file: LogFile,
    private readonly birth: Birth,
    private current: Log<Base, Entry, Note>,
    private waste: Waste,
    private readonly tell: () => void,
  ) {}

  get log(): Log<Base, Entry, Note> {
    return this.current;
  }

  /** Writes the file of a new log; `done` is called when it lasts. Rejects with a `StoreError`, and leaves nothing then. */
  async begin(done: () => void): Promise<void> {
    try {
      await this.#replace(this.current, done);
    } catch (error) {
      this.file.remove();
      throw error;
    }
  }

  /** What comes before `commit` is called goes together. */
  append(head: Head, batch: Batch<Entry, Note>, seen?: SeenNotes): Promise<Appended<Base, Entry, Note>> {
    return new Promise((done, failed) => this.#waiting.push({ head, batch, seen, done, failed }));
  }

  /** How many appends wait for `commit`. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Appends what waits, in its order; who was too late is told so when the others' lasts. */
  async commit(): Promise<void> {
    const { size } = this.file;
    const { written, late } = this.#write(this.#waiting.splice(0));
    if (this.setup.fsync && written.length > 0) {
      try {
        await this.file.sync(size);
      } catch (error) {
        for (const { job } of written) job.failed(error);
        this.#waiting.unshift(...late); // they were late for what has not happened
        return this.commit();
      }
    }
    for (const { job, next, bytes } of written) {
      extend(this.current, job.batch, next);
      this.waste.noted(job.batch.notes.length, bytes);
      const { run, last } = this.current.notes;
      job.done({ head: next, run, lastNote: last });
    }
    for (const { head, seen, done } of late) done(this.#isOf(head) ? behind(this.current, head, seen) : 'gone');
    if (written.length === 0) return;
    this.tell();
    await this.#tidy();
  }

  /** Rejects with a `StoreError`. */
  async compact(head: Head, version: number, base: Base): Promise<Head | 'behind' | 'gone'> {
    const log = this.current;
    if (!this.#isOf(head)) return 'gone';
    if (!isSame(log.head, head)) return 'behind';
    if (!isCompactable(head, version)) return head;
    const next = compacted(log, version, base);
    const { head: after } = next; // more may be appended before this resolves
    await this.#replace(next, () => {
      this.current = next;
    });
    return after;
  }

  /** Rejects with a `StoreError`. What is forgotten because there is too much may come back after a loss of power. */
  async forget(run: number, upTo: number, isCleared: boolean): Promise<void> {
    const { notes } = this.current;
    const count = forgettable(notes, run, upTo);
    if (this.#isGone || count === 0) return;
    const { size } = this.file;
    this.waste.forgot(this.file.add(writeLine({ kind: 'forget', run, upTo: Math.min(upTo, notes.last), isCleared })));
    if (this.setup.fsync && isCleared) await this.file.sync(size);
    forgetNotes(notes, count, isCleared);
    await this.#tidy();
  }

  /** Takes its file away; `done` is called when that lasts. Rejects with a `StoreError`. */
  async drop(done: () => void): Promise<void> {
    this.file.remove();
    try {
      if (this.setup.fsync) await this.#settleFolder();
    } finally {
      this.#isGone = true;
      done();
    }
  }

  #isOf({ log }: Head): boolean {
    return !this.#isGone && this.current.head.log === log;
  }

  #write(jobs: ReadonlyArray<Job<Base, Entry, Note>>) {
    let { head } = this.current;
    const written: Array<Written<Base, Entry, Note>> = [];
    const late: Array<Job<Base, Entry, Note>> = [];
    for (const job of jobs) {
      if (!this.#isOf(job.head) || !isSame(head, job.head)) {
        late.push(job);
        continue;
      }
      try {
        const next = headAfter(head, job.batch, this.setup.newId);
        written.push({ job, next, bytes: this.#add(job.batch, head, next) });
        head = next;
      } catch (error) {
        job.failed(error);
      }
    }
    return { written, late };
  }

  /** Writes a batch, and gives about how many bytes its notes take. */
  #add(batch: Batch<Entry, Note>, { version }: Head, { id }: Head): number {
    if (batch.entries.length + batch.notes.length === 0) return 0;
    const line = lineOfBatch(batch, version, id, this.setup.format);
    const length = this.file.add(writeLine(line));
    return batch.entries.length === 0 ? length : (line.notes ?? []).reduce((sum, text) => sum + text.length, 0);
  }

  /** Writes the file anew. `done` is called when that lasts. */
  async #replace(log: Log<Base, Entry, Note>, done: () => void): Promise<void> {
    const { format, parts, fsync } = this.setup;
    const waste = new Waste();
    const base = format.writeBase(log.base);
    const digests = parts.keep(base.parts);
    if (fsync) await parts.settle(base.parts.keys());
    this.file.prepare(linesOfLog(log, this.birth, { text: base.text, parts: digests }, format, waste));
    if (fsync) await this.file.settle();
    this.file.finish();
    this.waste = waste;
    if (fsync) await this.#settleFolder();
    done();
  }

  async #settleFolder(): Promise<void> {
    try {
      await this.setup.disk.syncFolder(this.setup.folder);
    } catch (error) {
      throw failureOf('the folder of the store could not be written', error);
    }
  }

  /** Writes the file anew if that makes it much shorter. What is there stays where that fails. */
  async #tidy(): Promise<void> {
    if (!this.waste.isTooMuch(this.file.size, this.current.notes.kept.length)) return;
    try {
      await this.#replace(this.current, () => {});
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.waste.putOff(this.file.size);
    }
  }
}
