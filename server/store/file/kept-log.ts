// One log in its file. Memory knows where the log ends and how much of its file is of no use any more; everything else is read when it is asked for.
import { type Appended, type Batch, type Head, type OrLater, StoreError, type Tail } from '../../engine/store.js';
import { failureOf } from './failure.js';
import { FoundParts } from './found-parts.js';
import { compacted, countsAfter, countsOf, headAfter, type Log, type NoteCounts, newLog, tailOf } from './log.js';
import type { LogFile } from './log-file.js';
import { type ReadLog, readLog, readTexts } from './log-reader.js';
import { Seals } from './seals.js';
import type { Setup } from './setup.js';
import { Waste } from './waste.js';
import { type Birth, linesOfBatch, linesOfLog, type TextLog, type TextOfBase } from './written-log.js';

/** Where a log ends. */
interface End {
  readonly head: Head;
  readonly notes: NoteCounts;
  /** Bytes of its file up to here. */
  readonly length: number;
  /** The checksum of its last line. */
  readonly seal: number;
}

/** One writer at a time: whoever appends or compacts waits for the answer before the next. Without fsync all but reading is done at once. */
export class KeptLog<Base, Entry, Note> {
  #end: End;
  #waste: Waste;
  #isGone = false;
  /** What was read when the folder was opened, until somebody has asked for it. */
  #read: Log<Base, Entry, Note> | undefined;

  private constructor(
    private readonly setup: Setup<Base, Entry, Note>,
    private readonly file: LogFile,
    private readonly birth: Birth,
    end: Pick<End, 'head' | 'notes'>,
    waste: Waste,
    seal = 0,
  ) {
    this.#end = { ...end, length: file.size, seal };
    this.#waste = waste;
  }

  /** One that has been read from its file. */
  static of<Base, Entry, Note>(
    setup: Setup<Base, Entry, Note>,
    file: LogFile,
    { log, birth, waste, seal }: Pick<ReadLog<Base, Entry, Note>, 'log' | 'birth' | 'waste' | 'seal'>,
  ): KeptLog<Base, Entry, Note> {
    const kept = new KeptLog(setup, file, birth, { head: log.head, notes: countsOf(log.notes) }, waste, seal);
    kept.#read = log;
    return kept;
  }

  /** A new one, with its file. Rejects with a `StoreError`, and leaves nothing then. */
  static async create<Base, Entry, Note>(
    setup: Setup<Base, Entry, Note>,
    file: LogFile,
    birth: Birth,
    head: Head,
    base: Base,
    ttl: number | undefined,
  ): Promise<KeptLog<Base, Entry, Note>> {
    const log: TextLog = newLog(head, baseText(setup, base), ttl);
    const kept = new KeptLog(setup, file, birth, { head, notes: countsOf(log.notes) }, new Waste());
    try {
      const saved = kept.#save(log);
      if (saved !== undefined) await saved;
    } catch (error) {
      file.remove();
      throw error;
    }
    return kept;
  }

  /** Throws or rejects with a `StoreError`; then the file is as it was. */
  append(head: Head, batch: Batch<Entry, Note>): OrLater<Appended<Base, Entry, Note>> {
    if (!this.#isOf(head)) return 'gone';
    const { length } = this.#end;
    const next = this.#write(batch);
    const isForGood = !this.setup.fsync || next.length === length;
    return isForGood ? this.#settle(next, batch) : this.file.sync(length).then(() => this.#settle(next, batch));
  }

  /** The file is written anew only when much of it is of no use. */
  compact(head: Head, version: number, base: Base): OrLater<Head | 'gone'> {
    if (!this.#isOf(head)) return 'gone';
    if (version <= head.from || version > head.version) return head;
    const { notes } = this.#end;
    const isWorthIt = this.#waste.isTooMuch(this.file.size, notes.last - notes.forgotten, head.version - version);
    const rewritten = isWorthIt ? this.#save(compacted(this.#texts(), version, baseText(this.setup, base))) : undefined;
    const next = { ...head, from: version };
    const settle = () => {
      this.#end = { ...this.#end, head: next };
      return next;
    };
    return rewritten === undefined ? settle() : rewritten.then(settle);
  }

  /** All of it. Rejects with a `StoreError` where the file cannot be read. */
  async tail(): Promise<Tail<Base, Entry, Note>> {
    const { head, length } = this.#end;
    const { folder, format } = this.setup;
    const { path } = this.file;
    const log =
      this.#read ?? (await readLog(path, this.birth.sandbox, format, new FoundParts(folder).text, length))?.log;
    this.#read = undefined;
    if (log === undefined) throw new StoreError('lost', `${path} does not hold its log any more`);
    return tailOf(log, head);
  }

  /** Deletes the file; calls `done` once the deletion is on disk. Rejects with a `StoreError`. */
  async drop(done: () => void): Promise<void> {
    this.file.remove();
    try {
      if (this.setup.fsync) await this.#settleFolder();
    } finally {
      this.#isGone = true;
      done();
    }
  }

  #isOf({ log, version, from }: Head): boolean {
    const { head } = this.#end;
    if (this.#isGone || head.log !== log) return false;
    if (head.version === version && head.from === from) return true;
    throw new Error(`sandbox ${this.birth.sandbox} has two writers in this process`);
  }

  /** Writes a batch in one piece, and gives where the log ends then. */
  #write(batch: Batch<Entry, Note>): End {
    const { head, notes } = this.#end;
    const next = headAfter(head, batch, this.setup.newId);
    const seals = new Seals(this.#end.seal);
    const { bytes, forgetting, ...added } = linesOfBatch(batch, this.#end, next.id, this.setup.format, seals);
    try {
      if (bytes.length > 0) this.file.add(bytes);
    } catch (error) {
      if (error instanceof StoreError && error.failure === 'full') this.#waste.short();
      throw error;
    }
    this.#waste.added(added.entries, added.notes);
    this.#waste.forgot(forgetting);
    return { head: next, notes: countsAfter(notes, head, batch), length: this.file.size, seal: seals.last };
  }

  #settle(next: End, { forget }: Batch<Entry, Note>): OrLater<Appended<Base, Entry, Note>> {
    this.#end = next;
    this.#read = undefined;
    const { head, notes } = next;
    const appended = { head, run: notes.run, lastNote: notes.last };
    if (forget === undefined || !this.#waste.isTooMuch(this.file.size, notes.last - notes.forgotten)) return appended;
    try {
      const rewritten = this.#save(this.#texts());
      return rewritten === undefined ? appended : rewritten.catch(error => this.#putOff(error)).then(() => appended);
    } catch (error) {
      this.#putOff(error);
      return appended;
    }
  }

  /** What has been appended stays where it is: the file is only longer than it need be. */
  #putOff(error: unknown): void {
    if (!(error instanceof StoreError)) throw error;
    this.#waste.putOff(this.file.size);
  }

  #texts(): TextLog {
    return readTexts(this.file.path, this.birth.sandbox, this.setup.format.version, this.#end.length);
  }

  /** Writes the whole file in the place of what is there: at once, unless it has to outlive a loss of power. Throws or rejects with a `StoreError`. */
  #save(log: TextLog): Promise<void> | undefined {
    const waste = new Waste();
    const seals = new Seals();
    this.file.prepare(linesOfLog(log, this.birth, this.setup.format.version, waste, seals));
    const finish = () => {
      this.file.finish();
      this.#waste = waste;
      this.#end = { ...this.#end, length: this.file.size, seal: seals.last };
    };
    if (this.setup.fsync) return this.#saveForGood(log.base, finish);
    finish();
    return undefined;
  }

  async #saveForGood({ parts }: TextOfBase, finish: () => void): Promise<void> {
    await this.setup.parts.settle(Object.keys(parts));
    await this.file.settle();
    finish();
    await this.#settleFolder();
  }

  async #settleFolder(): Promise<void> {
    try {
      await this.setup.disk.syncFolder(this.setup.folder);
    } catch (error) {
      throw failureOf('the folder of the store could not be written', error);
    }
  }
}

/** Keeps the parts that are not there yet. Throws a `StoreError`. */
function baseText<Base, Entry, Note>({ format, parts }: Setup<Base, Entry, Note>, base: Base): TextOfBase {
  const written = format.writeBase(base);
  return { text: written.text, parts: parts.keep(written.parts) };
}
