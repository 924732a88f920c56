// Reads the file of a log line by line into memory and refuses what could not have been written there. Changes nothing.
import { type Format, StoreError } from '../../engine/store.js';
import { extend, forgetNotes, forgettable, headAfter, type Log, newLog } from '../log.js';
import {
  type AppendLine,
  type BaseLine,
  checkBeginning,
  type ForgetLine,
  type Opening,
  readLine,
  readOpening,
  Unreadable,
} from './lines.js';
import { fileOf } from './names.js';
import { beginningOf, linesOf } from './reading.js';
import { Waste } from './waste.js';
import type { Birth } from './written-log.js';

export interface ReadLog<Base, Entry, Note> {
  readonly path: string;
  readonly log: Log<Base, Entry, Note>;
  readonly birth: Birth;
  readonly waste: Waste;
  /** Of what is whole, in bytes. */
  readonly length: number;
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

/** `undefined`: its log never came to be. Rejects with `Damage`. */
export async function readLog<Base, Entry, Note>(
  path: string,
  sandbox: string,
  format: Format<Base, Entry, Note>,
  partText: PartText,
): Promise<ReadLog<Base, Entry, Note> | undefined> {
  const reader = new LogReader(sandbox, format, partText);
  let line = 1;
  let length = 0;
  try {
    for (const { text, end } of linesOf(path)) {
      const reading = reader.take(text);
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

class LogReader<Base, Entry, Note> {
  readonly #waste = new Waste();
  #opening: Opening | undefined;
  #log: Log<Base, Entry, Note> | undefined;

  constructor(
    private readonly sandbox: string,
    private readonly format: Format<Base, Entry, Note>,
    private readonly partText: PartText,
  ) {}

  /** Takes the next line; what it returns is waited for. Throws or rejects with `Unreadable`. */
  take(text: string | undefined): Promise<void> | undefined {
    if (text === undefined) throw new Unreadable('its bytes are no UTF-8');
    if (this.#opening === undefined) {
      this.#open(text);
      return undefined;
    }
    const line = readLine(text);
    if (this.#log === undefined) {
      if (line.kind !== 'base') throw new Unreadable(`kind is "${line.kind}", and the second line has to be the base`);
      return this.#begin(this.#opening, line);
    }
    if (line.kind === 'append') this.#append(this.#log, line, text.length);
    else if (line.kind === 'forget') this.#forget(this.#log, line, text.length);
    else throw new Unreadable('kind is "base", and only the second line can be one');
    return undefined;
  }

  /** Throws `Unreadable` where something is missing that had been kept. */
  found() {
    if (this.#opening === undefined) return undefined;
    const { created, sandbox, from } = this.#opening;
    if (this.#log !== undefined) return { log: this.#log, birth: { sandbox, created }, waste: this.#waste };
    if (from > 0) throw new Unreadable('the base is missing, which has to be here');
    return undefined; // whoever wrote it was stopped before anybody was told that the log is there
  }

  #open(text: string): void {
    const opening = readOpening(text, this.format.version);
    if (opening.sandbox !== this.sandbox) {
      const { sandbox } = opening;
      throw new Unreadable(
        `it is the log of sandbox ${sandbox}, and the name of its file has to be ${fileOf(sandbox)}`,
      );
    }
    this.#opening = opening;
  }

  async #begin({ from, log, ttl }: Opening, { version, id, notes, text, parts }: BaseLine): Promise<void> {
    if (version !== from)
      throw new Unreadable(`it is the base of version ${version}, and that of ${from} has to be here`);
    const texts = new Map(Object.entries(parts).map(([name, digest]) => [name, this.partText(name, digest)]));
    const base = await this.#baseOf(text, texts);
    this.#log = newLog({ version, id, log, from }, base, ttl);
    this.#log.notes = { ...notes, kept: [] };
  }

  async #baseOf(text: string, parts: ReadonlyMap<string, string>): Promise<Base> {
    try {
      return await this.format.readBase(text, async name => {
        const part = parts.get(name);
        if (part === undefined) throw new Unreadable(`it needs the part ${name}, which its parts do not name`);
        return part;
      });
    } catch (error) {
      throw unreadable('the base', error);
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
    const ofNotes = (line.notes ?? []).reduce((sum, text) => sum + text.length, 0);
    this.#waste.noted(notes.length, entries.length === 0 ? bytes : ofNotes);
  }

  #forget({ notes }: Log<Base, Entry, Note>, { run, upTo, isCleared }: ForgetLine, bytes: number): void {
    forgetNotes(notes, forgettable(notes, run, upTo), isCleared);
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
