// The lines of a log file, one JSON object each: their format, how they are written, and how they are read and checked.
import { parsedJson } from '../../../engine/parsed-json.js';
import { type Format, isTtl } from '../../../engine/store.js';
import { Unreadable } from '../disk/file-error.js';
import type { Digests } from '../part-files.js';

/** Version of this format: files of a later version are left alone. */
export const FILE_VERSION = 2;
/** Files of this version have no checksums. */
const UNSEALED_VERSION = 1;

const IS = 'cwx-fake sandbox log';
/** The beginning of every file. */
const BEGINNING = `{"is":${JSON.stringify(IS)}`;

/** The first line. */
export interface Opening {
  /** The version of the file, and of the format of its entries, notes and base. */
  readonly file: number;
  readonly format: number;
  readonly log: string;
  readonly sandbox: string;
  /** Creation time of the log: ISO 8601. */
  readonly created: string;
  /** Milliseconds. */
  readonly ttl?: number;
  /** The version of the base, which follows. */
  readonly from: number;
}

export interface BaseLine {
  readonly kind: 'base';
  readonly version: number;
  /** The id of that version. */
  readonly id: string;
  /** The counts of notes before the following ones. */
  readonly notes: { readonly run: number; readonly last: number; readonly cleared: number };
  readonly text: string;
  /** SHA-256 by name of each part that it refers to. */
  readonly parts: Digests;
}

export interface AppendLine {
  readonly kind: 'append';
  /** The version before it. */
  readonly at: number;
  /** Id of the last of its entries. */
  readonly id?: string | undefined;
  readonly entries?: readonly string[] | undefined;
  readonly notes?: readonly string[] | undefined;
  readonly newRunAt?: number | undefined;
  /** SHA-256 by name of each part that its entries and notes refer to; absent: none. */
  readonly parts?: Digests | undefined;
}

export interface ForgetLine {
  readonly kind: 'forget';
  readonly run: number;
  readonly upTo: number;
  readonly isCleared: boolean;
}

export type Line = BaseLine | AppendLine | ForgetLine;

/** JSON without the checksum and the line end. */
export function writeOpening(opening: Opening): string {
  return JSON.stringify({ is: IS, ...opening });
}

/** The same for all other lines. */
export function writeLine(line: Line): string {
  return JSON.stringify(line);
}

type FormatVersions = Pick<Format<unknown, unknown, unknown>, 'version' | 'oldest'>;

/** `isSealed`: whether the line has a checksum. */
export function readOpening(text: string, isSealed: boolean, { version: known, oldest }: FormatVersions): Opening {
  const { is, file, format, log, sandbox, created, ttl, from } = objectOf(text);
  if (is !== IS) throw noLog();
  if (file === FILE_VERSION && !isSealed) throw new Unreadable('it does not end with a checksum');
  const version = isSealed ? FILE_VERSION : UNSEALED_VERSION;
  if (file !== version) throw otherVersion('of the file', file, FILE_VERSION);
  if (!isCount(format) || format < oldest || format > known) throw otherVersion('of what is in it', format, known);
  if (!isText(log) || !/^[0-9a-z-]{1,64}$/.test(log) || !isText(sandbox) || !isText(created) || !isCount(from))
    throw new Unreadable('the first line needs log, sandbox and created, texts, and from, a version');
  if (ttl !== undefined && !isTtl(ttl)) throw new Unreadable('ttl has to be whole milliseconds from 1');
  return { file: version, format, log, sandbox, created, from, ...(ttl !== undefined && { ttl }) };
}

/** Whether a file without a complete line is the beginning of a log. Throws `Unreadable` if it is something else. */
export function checkBeginning(text: string): void {
  if (!BEGINNING.startsWith(text.slice(0, BEGINNING.length))) throw noLog();
}

function noLog(): Unreadable {
  return new Unreadable(`it is no log of cwx-fake, which would begin with ${BEGINNING}`);
}

export function readLine(text: string): Line {
  const line = objectOf(text);
  if (line.kind === 'append') return appendOf(line);
  if (line.kind === 'base') return baseOf(line);
  if (line.kind === 'forget') return forgetOf(line);
  throw new Unreadable(`kind is ${show(line.kind)}, and it has to be "append", "base" or "forget"`);
}

type Found = Readonly<Record<string, unknown>>;

function appendOf({ at, id, entries, notes, newRunAt, parts }: Found): AppendLine {
  if (!isCount(at)) throw new Unreadable('at has to be a version');
  if (entries !== undefined && !isTexts(entries)) throw new Unreadable('entries has to be a list of texts');
  if (notes !== undefined && !isTexts(notes)) throw new Unreadable('notes has to be a list of texts');
  const count = entries?.length ?? 0;
  if (id !== undefined && !isText(id)) throw new Unreadable('id has to be a text');
  if ((id === undefined) !== (count === 0))
    throw new Unreadable('there has to be an id exactly where there are entries');
  if (newRunAt !== undefined && (!isCount(newRunAt) || newRunAt >= count))
    throw new Unreadable(`newRunAt is ${show(newRunAt)}, and it has to be the place of one of the ${count} entries`);
  return {
    kind: 'append',
    at,
    ...(id !== undefined && { id }),
    ...(entries !== undefined && { entries }),
    ...(notes !== undefined && { notes }),
    ...(newRunAt !== undefined && { newRunAt }),
    ...(parts !== undefined && { parts: digestsOf(parts) }),
  };
}

function baseOf({ version, id, notes, text, parts }: Found): BaseLine {
  if (!isCount(version) || !isText(id) || !isText(text))
    throw new Unreadable('a base needs version, a number, and id and text, texts');
  if (!isObject(notes) || !isCount(notes.run) || !isCount(notes.last) || !isCount(notes.cleared))
    throw new Unreadable('notes has to have run, last and cleared, numbers');
  const { run, last, cleared } = notes;
  return { kind: 'base', version, id, notes: { run, last, cleared }, text, parts: digestsOf(parts) };
}

function forgetOf({ run, upTo, isCleared }: Found): ForgetLine {
  if (!isCount(run) || !isCount(upTo) || typeof isCleared !== 'boolean')
    throw new Unreadable('forget needs run and upTo, numbers, and isCleared, true or false');
  return { kind: 'forget', run, upTo, isCleared };
}

function objectOf(text: string): Found {
  const value = parsedJson(text);
  if (value === undefined) throw new Unreadable(`it is no JSON: ${show(text)}`);
  if (!isObject(value)) throw new Unreadable(`it is no JSON object: ${show(text)}`);
  return value;
}

function digestsOf(found: unknown): Digests {
  if (!isObject(found)) throw new Unreadable('parts has to be an object');
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => {
      if (!isText(value)) throw new Unreadable(`the digest of part ${name} has to be a text`);
      return [name, value];
    }),
  );
}

function otherVersion(of: string, found: unknown, known: number): Unreadable {
  return new Unreadable(
    `the version ${of} is ${show(found)}, and this program reads ${known}: start the version of cwx-fake that wrote it`,
    'format',
  );
}

function isObject(value: unknown): value is Found {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The beginning of the found text. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
