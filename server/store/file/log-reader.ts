// Reads the file of a log line by line into memory and refuses what could not have been written there. Changes nothing.
import { isUtf8 } from 'node:buffer';
import { type Format, type OrLater, StoreError } from '../../engine/store.js';
import { failureOf } from './failure.js';
import {
  type AppendLine,
  type BaseLine,
  checkBeginning,
  type ForgetLine,
  type Opening,
  readLine,
  readOpening,
} from './lines.js';
import { extend, forgetNotes, headAfter, type Log, newLog } from './log.js';
import { fileOf } from './names.js';
import { beginningOf, linesOf } from './reading.js';
import { Seals, sealOf } from './seals.js';
import { Unreadable } from './unreadable.js';
import { Waste } from './waste.js';
import type { Birth, TextLog } from './written-log.js';

export interface ReadLog<Base, Entry, Note> {
  readonly path: string;
  readonly log: Log<Base, Entry, Note>;
  readonly birth: Birth;
  readonly waste: Waste;
  /** Of what is whole, in bytes. */
  readonly length: number;
  /** The checksum of the last line; `undefined`: a file of the version before, which has none. */
  readonly seal: number | undefined;
}

/** A part that a base refers to by its name and digest. Throws `Unreadable` where there is none. */
export type PartText = (name: string, digest: string) => string;

/** Where a file cannot be read, with what stands there. */
export class Damage extends Error {
  constructor(
    path: string,
    line: number,
    readonly reason: Unreadable,
  ) {
    super(`${path}:${line}: ${reason.message}`);
  }
}

/** `undefined`: its log was never completely created. Reads the first so many bytes. Rejects with `Damage`. */
export async function readLog<Base, Entry, Note>(
  path: string,
  sandbox: string,
  format: Format<Base, Entry, Note>,
  partText: PartText,
  bytes?: number,
): Promise<ReadLog<Base, Entry, Note> | undefined> {
  const reader = new LogReader(sandbox, format, partText);
  let line = 1;
  let length = 0;
  try {
    for (const { bytes: read, end } of linesOf(path, bytes)) {
      const reading = reader.take(read);
      if (reading !== undefined) await reading;
      line += 1;
      length = end;
    }
    if (line === 1) checkBeginning(beginningOf(path));
    const found = reader.found();
    return found && { ...found, path, length };
  } catch (error) {
    throw error instanceof Unreadable ? new Damage(path, line, error) : error;
  }
}

/** A log that is whole as texts, at once. Throws a `StoreError`. */
export function readTexts(path: string, sandbox: string, format: number, bytes: number): TextLog {
  const same = (text: string) => text;
  const asTexts = { version: format, readBase: same, readEntry: same, readNote: same };
  const reader = new LogReader<string, string, string>(sandbox, asTexts, () => '');
  try {
    for (const line of linesOf(path, bytes)) void reader.take(line.bytes);
    const found = reader.found();
    if (found === undefined) throw new Unreadable('it does not hold its log any more');
    return { ...found.log, base: { text: found.log.base, parts: found.parts } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw failureOf(`${path} could not be read`, error);
    throw new StoreError(error.failure, `${path} could not be read: ${error.message}`, { cause: error });
  }
}

class LogReader<Base, Entry, Note> {
  readonly #waste = new Waste();
  readonly #seals = new Seals();
  #isSealed = true;
  #opening: Opening | undefined;
  #log: Log<Base, Entry, Note> | undefined;
  /** The digests of the parts of the base. */
  #parts: BaseLine['parts'] = {};

  constructor(
    private readonly sandbox: string,
    private readonly format: Pick<Format<Base, Entry, Note>, 'version' | 'readBase' | 'readEntry' | 'readNote'>,
    private readonly partText: PartText,
  ) {}

  /** Takes the next line; what it returns is waited for. Throws or rejects with `Unreadable`. */
  take(bytes: Buffer): OrLater<void> {
    const text = this.#textOf(bytes);
    if (this.#opening === undefined) {
      this.#open(text);
      return;
    }
    const line = readLine(text);
    if (this.#log === undefined) {
      if (line.kind !== 'base') throw new Unreadable(`kind is "${line.kind}", and the second line has to be the base`);
      return this.#begin(this.#opening, line);
    }
    if (line.kind === 'append') this.#append(this.#log, line, bytes.length);
    else if (line.kind === 'forget') this.#forget(this.#log, line, bytes.length);
    else throw new Unreadable('kind is "base", and only the second line can be one');
  }

  /** Throws `Unreadable` where something is missing that had been kept. */
  found() {
    if (this.#opening === undefined) return undefined;
    const { created, sandbox, from } = this.#opening;
    if (this.#log !== undefined)
      return {
        log: this.#log,
        birth: { sandbox, created },
        waste: this.#waste,
        parts: this.#parts,
        seal: this.#isSealed ? this.#seals.last : undefined,
      };
    if (from > 0) throw new Unreadable('the base is missing, which has to be here');
    return undefined; // whoever wrote it was stopped before anybody was told that the log is there
  }

  /** The first line decides whether lines have checksums. */
  #textOf(bytes: Buffer): string {
    if (this.#opening === undefined) this.#isSealed = sealOf(bytes) !== undefined;
    if (this.#isSealed) this.#seals.check(bytes);
    else if (sealOf(bytes) !== undefined) throw new Unreadable('it ends with a checksum, and the first line does not');
    else if (!isUtf8(bytes)) throw new Unreadable('its bytes are no UTF-8');
    return bytes.toString('utf8', 0, bytes.length - 1);
  }

  #open(text: string): void {
    const opening = readOpening(text, this.#isSealed, this.format.version);
    if (opening.sandbox !== this.sandbox) {
      const { sandbox } = opening;
      throw new Unreadable(
        `it is the log of sandbox ${sandbox}, and the name of its file has to be ${fileOf(sandbox)}`,
      );
    }
    this.#opening = opening;
  }

  #begin({ from, log, ttl }: Opening, { version, id, notes, text, parts }: BaseLine): OrLater<void> {
    if (version !== from)
      throw new Unreadable(`it is the base of version ${version}, and that of ${from} has to be here`);
    const texts = new Map(Object.entries(parts).map(([name, digest]) => [name, this.partText(name, digest)]));
    this.#parts = parts;
    const begin = (base: Base) => {
      this.#log = newLog({ version, id, log, from }, base, ttl);
      this.#log.notes = { ...notes, kept: [] };
    };
    const base = this.#baseOf(text, texts);
    return base instanceof Promise ? base.then(begin) : begin(base);
  }

  #baseOf(text: string, parts: ReadonlyMap<string, string>): OrLater<Base> {
    const failed = (error: unknown) => {
      throw unreadable('the base', error);
    };
    try {
      const base = this.format.readBase(text, async name => {
        const part = parts.get(name);
        if (part === undefined) throw new Unreadable(`it needs the part ${name}, which its parts do not name`);
        return part;
      });
      return base instanceof Promise ? base.catch(failed) : base;
    } catch (error) {
      return failed(error);
    }
  }

  #append(log: Log<Base, Entry, Note>, line: AppendLine, bytes: number): void {
    const { head } = log;
    const { at, id = head.id, newRunAt } = line;
    if (at !== head.version)
      throw new Unreadable(`it was appended to version ${at}, and what stands before it ends at ${head.version}`);
    const entries = (line.entries ?? []).map((text, i) => this.#read('entry', i, text, this.format.readEntry));
    const notes = (line.notes ?? []).map((text, i) => this.#read('note', i, text, this.format.readNote));
    const batch = { entries, notes, ...(newRunAt !== undefined && { newRunAt }) };
    extend(
      log,
      batch,
      headAfter(head, batch, () => id),
    );
    const ofNotes = entries.length === 0 ? bytes : (line.notes ?? []).reduce((sum, text) => sum + text.length, 0);
    this.#waste.added({ count: entries.length, bytes: bytes - ofNotes }, { count: notes.length, bytes: ofNotes });
  }

  #forget({ notes }: Log<Base, Entry, Note>, { run, upTo, isCleared }: ForgetLine, bytes: number): void {
    forgetNotes(notes, isCleared ? { run, upTo: 0, cleared: upTo } : { run, upTo });
    this.#waste.forgot(bytes);
  }

  #read<T>(what: string, index: number, text: string, read: (text: string) => T): T {
    try {
      return read.call(this.format, text);
    } catch (error) {
      throw unreadable(`${what} ${index + 1} of it`, error);
    }
  }
}

/** What a format threw. */
function unreadable(what: string, error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const isOther = error instanceof StoreError && error.failure === 'format';
  return new Unreadable(`${what} cannot be read: ${reason}`, isOther ? 'format' : 'lost');
}
