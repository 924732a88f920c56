// One log in its file. Memory knows where the log ends and how much of its file is of no use any more; everything else is read when it is asked for.
import { type Appended, type Batch, type Head, type OrLater, StoreError, type Tail } from '../../../engine/store.js';
import { failureOf } from '../disk/file-error.js';
import { FoundParts } from '../found-parts.js';
import type { Setup } from '../setup.js';
import type { LogFile } from './log-file.js';
import { type ReadLog, readLog } from './log-reader.js';
import { readTexts } from './log-texts.js';
import { Seals } from './seals.js';
import {
  compacted,
  countsAfter,
  countsOf,
  headAfter,
  type Log,
  type NoteCounts,
  newLog,
  tailOf,
} from './stored-log.js';
import { Waste } from './waste.js';
import { type Birth, linesOfBatch, linesOfLog, type TextLog, type TextOfBase, type Whole } from './written-log.js';

/** Where a log ends. */
interface End {
  readonly head: Head;
  readonly notes: NoteCounts;
  /** Bytes of its file up to here. */
  readonly length: number;
  /** The checksum of its last line. */
  readonly seal: number;
}

/** Where it ends after a batch, and the parts of that, which are held. */
type Next = End & { readonly held: readonly string[] };

/** One writer at a time: whoever appends or compacts waits for the answer before the next. Without fsync all but reading is done at once. */
export class KeptLog<Base, Entry, Note> {
  #end: End;
  #waste: Waste;
  #isGone = false;
  /** The parts that its file refers to, each as often as a line does. */
  #held: string[] = [];
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
    { log, birth, waste, seal, held }: ReadLog<Base, Entry, Note>,
  ): KeptLog<Base, Entry, Note> {
    const kept = new KeptLog(setup, file, birth, { head: log.head, notes: countsOf(log.notes) }, waste, seal);
    kept.#read = log;
    kept.#held = [...held];
    setup.parts.hold(held);
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
    if (!this.setup.fsync || next.length === length) return this.#settle(next, batch);
    return this.#sync(length, next.held).then(() => this.#settle(next, batch));
  }

  /** Rejects with a `StoreError`; then nothing is there of what came after the length. */
  async #sync(length: number, held: readonly string[]): Promise<void> {
    const { parts } = this.setup;
    try {
      await this.file.sync(length, held.length === 0 ? undefined : parts.settle(held));
    } catch (error) {
      parts.release(held);
      throw error;
    }
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
      this.setup.parts.release(this.#held.splice(0));
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
  #write(batch: Batch<Entry, Note>): Next {
    const { head, notes } = this.#end;
    const next = headAfter(head, batch, this.setup.newId);
    const seals = new Seals(this.#end.seal);
    const { format, parts } = this.setup;
    const { bytes, forgetting, held, amounts } = linesOfBatch(batch, this.#end, next.id, format, seals, parts);
    try {
      if (bytes.length > 0) this.file.add(bytes);
    } catch (error) {
      parts.release(held);
      if (error instanceof StoreError && error.failure === 'full') this.#waste.short();
      throw error;
    }
    this.#waste.added(amounts);
    this.#waste.forgot(forgetting);
    return { head: next, notes: countsAfter(notes, head, batch), length: this.file.size, seal: seals.last, held };
  }

  #settle(next: Next, { forget }: Batch<Entry, Note>): OrLater<Appended<Base, Entry, Note>> {
    this.#end = next;
    if (next.held.length > 0) this.#held.push(...next.held);
    this.#read = undefined;
    const { head, notes } = next;
    const appended = { head, run: notes.run, lastNote: notes.last };
    if (forget === undefined || !this.#waste.isTooMuch(this.file.size, notes.last - notes.forgotten)) return appended;
    try {
      const texts = this.#texts();
      this.setup.parts.hold(Object.keys(texts.base.parts));
      const rewritten = this.#save(texts);
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
    return readTexts(this.file.path, this.birth.sandbox, this.setup.format, this.#end.length);
  }

  /**
   * Writes the whole file in the place of what is there: at once, unless it has to outlive a loss of power. Throws or rejects with a `StoreError`. The
   * parts of the base are held already.
   */
  #save(log: TextLog): OrLater<void> {
    const { parts, format, fsync } = this.setup;
    const whole: Whole = { waste: new Waste(), seals: new Seals(), held: Object.keys(log.base.parts), parts };
    const failed = (error: unknown) => {
      if (this.#held !== whole.held) parts.release(whole.held);
      throw error;
    };
    try {
      this.file.prepare(linesOfLog(log, this.birth, format.version, whole));
      if (fsync) return this.#saveForGood(whole).catch(failed);
      parts.release(this.#finish(whole));
    } catch (error) {
      failed(error);
    }
  }

  async #saveForGood(whole: Whole): Promise<void> {
    const { parts } = this.setup;
    await parts.settle(whole.held);
    await this.file.settle();
    const before = this.#finish(whole);
    await this.#settleFolder();
    parts.release(before);
  }

  /** Gives the parts that the file referred to before. */
  #finish({ waste, seals, held }: Whole): readonly string[] {
    this.file.finish();
    this.#waste = waste;
    this.#end = { ...this.#end, length: this.file.size, seal: seals.last };
    const before = this.#held;
    this.#held = held;
    return before;
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
