// What a reader of a sandbox's events is told, and where in its course that stands. Plain JSON without secrets; knows no way to send it.
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Change } from '../sandbox/state.js';

/** What is told, by its type. */
export interface EventData {
  /** A request was answered, by this server or by another on the same store. A change comes before the entry of the request that made it. */
  entry: JournalEntry;
  /** The changes that led to a version, whoever made them: a request, the control API, the library. */
  changed: { readonly version: number; readonly changes: readonly Change[] };
  /** It is back at its scenario, and its journal counts from 1 again. */
  reset: { readonly version: number };
  /** It is gone: dropped, expired, or about to be replaced. The reader goes on listening for one that is made under its name. */
  dropped: object;
  /** There is one of the name again, which begins from this scenario. */
  made: { readonly scenario: string };
  /** So many changes and entries before this are no longer kept; `null`: nobody knows how many. */
  lost: { readonly changes: number | null; readonly entries: number | null };
  /** The reader did not keep up and is told no more. */
  'cut-off': { readonly reason: string };
}

export type EventType = keyof EventData;
/** `id` says where it stands: who has it can go on after it. */
export type SandboxEvent = {
  [T in EventType]: { readonly id: string; readonly type: T; readonly data: EventData[T] };
}[EventType];

/** How far a reader has been told: a version of a log, and an entry of its journal, in the run that began at a version. */
export interface Position {
  readonly log: string;
  readonly version: number;
  readonly run: number;
  readonly entry: number;
}

/** What stands before the log of a position at which that is gone and no other has come; no log begins with it. Each of them is told by an id of its own. */
const GONE = '_';

/** The log of a position behind the end of a log. */
export function goneLog(log: string): string {
  return isGoneLog(log) ? log : `${GONE}${log}`;
}

export function isGoneLog(log: string): boolean {
  return log.startsWith(GONE);
}

const POSITION = /^(_?[0-9a-z-]{1,64})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

/** A position as the id of an event: `log.version.run.entry`. */
export function writtenPosition({ log, version, run, entry }: Position): string {
  return `${log}.${version}.${run}.${entry}`;
}

/** The position that an id says, if it is one. */
export function positionIn(id: string): Position | undefined {
  const [, log, version, run, entry] = POSITION.exec(id) ?? [];
  if (log === undefined || run === undefined) return undefined;
  return { log, version: Number(version), run: Number(run), entry: Number(entry) };
}
