// Reads a log file line by line into memory and refuses invalid lines. Changes nothing.
import { isUtf8 } from 'node:buffer';
import { type Format, type OrLater, type PartText, StoreError } from '../../../engine/store.js';
import { Unreadable } from '../disk/file-error.js';
import { fileOf } from '../file-names.js';
import type { Digests } from '../part-files.js';
import {
  type AppendLine,
  type BaseLine,
  checkBeginning,
  type ForgetLine,
  type Opening,
  readLine,
  readOpening,
} from './lines.js';
import { beginningOf, linesOf } from './read-lines.js';
import { Seals, sealOf } from './seals.js';
import { extend, forgetNotes, headAfter, type Log, newLog } from './stored-log.js';
import { Waste } from './waste.js';
import { amountsOf, type Birth } from './written-log.js';

export interface ReadLog<Base, Entry, Note> {
  readonly path: string;
  readonly log: Log<Base, Entry, Note>;
  readonly birth: Birth;
  readonly waste: Waste;
  /** Length of the complete lines in bytes. */
  readonly length: number;
  /** Names of parts, once for each reference. */
  readonly held: readonly string[];
  /** The checksum of the last line; `undefined` for a file of the previous version. */
  readonly seal: number | undefined;
}

/** A part that a line refers to by name and digest. Throws `Unreadable` if there is none. */
type FindPart = (name: string, digest: string) => string;

/** Where a file cannot be read, and what is there. */
export class Damage extends Error {
  constructor(
    path: string,
    line: number,
    readonly reason: Unreadable,
  ) {
    super(`${path}:${line}: ${reason.message}`);
  }
}

/** `undefined`: the creation of its log was not completed. Reads only the first bytes. Rejects with `Damage`. */
export async function readLog<Base, Entry, Note>(
  path: string,
  sandbox: string,
  format: Format<Base, Entry, Note>,
  findPart: FindPart,
  bytes?: number,
): Promise<ReadLog<Base, Entry, Note> | undefined> {
  const reader = new LogReader(sandbox, format, findPart);
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

export type FormatVersions = Pick<Format<unknown, unknown, unknown>, 'version' | 'oldest'>;

/** A format, or a reader of plain texts. `parts`: those of the line. */
interface Reading<Base, Entry, Note> extends FormatVersions, Pick<Format<Base, Entry, Note>, 'readBase'> {
  readEntry(text: string, part: PartText, parts: Digests | undefined): Entry;
  readNote(text: string, part: PartText, parts: Digests | undefined): Note;
}

export class LogReader<Base, Entry, Note> {
  readonly #waste = new Waste();
  readonly #seals = new Seals();
  #isSealed = true;
  #opening: Opening | undefined;
  #log: Log<Base, Entry, Note> | undefined;
  /** The digests of the parts of the base. */
  #parts: Digests = {};
  readonly #held: string[] = [];

  constructor(
    private readonly sandbox: string,
    private readonly format: Reading<Base, Entry, Note>,
    private readonly findPart: FindPart,
  ) {}

  /** Reads the next line; its result is awaited. Throws or rejects with `Unreadable`. */
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

  /** Throws `Unreadable` if data is missing. */
  found() {
    if (this.#opening === undefined) return undefined;
    const { created, sandbox, from } = this.#opening;
    if (this.#log !== undefined)
      return {
        log: this.#log,
        birth: { sandbox, created },
        waste: this.#waste,
        parts: this.#parts,
        held: this.#held,
        seal: this.#isSealed ? this.#seals.last : undefined,
      };
    if (from > 0) throw new Unreadable('the base is missing, which has to be here');
    return undefined; // the writer stopped before the log was acknowledged
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
    const opening = readOpening(text, this.#isSealed, this.format);
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
    const texts = new Map(Object.entries(parts).map(([name, digest]) => [name, this.findPart(name, digest)]));
    this.#parts = parts;
    this.#held.push(...Object.keys(parts));
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
        return parts.get(name) ?? unnamed(name);
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
    const { parts } = line;
    const [part, beside] = this.#partsOf(parts);
    const entries = (line.entries ?? []).map((text, i) =>
      readOne('entry', i, () => this.format.readEntry(text, part, parts)),
    );
    const notes = (line.notes ?? []).map((text, i) =>
      readOne('note', i, () => this.format.readNote(text, part, parts)),
    );
    const batch = { entries, notes, ...(newRunAt !== undefined && { newRunAt }) };
    extend(
      log,
      batch,
      headAfter(head, batch, () => id),
    );
    this.#waste.added(amountsOf(entries.length, line.notes ?? [], bytes, beside));
  }

  /** Returns the parts of a line, and their size in bytes. */
  #partsOf(parts: Digests | undefined): readonly [part: PartText, bytes: number] {
    if (parts === undefined) return NO_PARTS;
    this.#held.push(...Object.keys(parts));
    const texts = new Map(Object.entries(parts).map(([name, digest]) => [name, this.findPart(name, digest)]));
    const bytes = [...texts.values()].reduce((sum, text) => sum + text.length, 0);
    return [name => texts.get(name) ?? unnamed(name), bytes];
  }

  #forget({ notes }: Log<Base, Entry, Note>, { run, upTo, isCleared }: ForgetLine, bytes: number): void {
    forgetNotes(notes, isCleared ? { run, upTo: 0, cleared: upTo } : { run, upTo });
    this.#waste.forgot(bytes);
  }
}

const unnamed = (name: string): never => {
  throw new Unreadable(`it needs the part ${name}, which its parts do not name`);
};
const NO_PARTS = [unnamed, 0] as const;

function readOne<T>(what: string, index: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(`${what} ${index + 1} of it`, error);
  }
}

/** The error of a format. */
function unreadable(what: string, error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const isOther = error instanceof StoreError && error.failure === 'format';
  return new Unreadable(`${what} cannot be read: ${reason}`, isOther ? 'format' : 'lost');
}
