// An event of a sandbox and its position in the stream. Plain JSON without secrets.
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Change } from '../sandbox/state.js';

export interface EventData {
  /** A request was answered, by this server or another on the same store. `changed` comes before the entry of the request that caused it. */
  entry: JournalEntry;
  /** The changes up to a version, by a request, the control API or the library. */
  changed: { readonly version: number; readonly changes: readonly Change[] };
  /** The sandbox was reset, and its journal starts at 1 again. */
  reset: { readonly version: number };
  /** The sandbox was dropped, has expired, or is about to be replaced. The stream waits for a new one of the same name. */
  dropped: object;
  /** A sandbox of this name was created, from this scenario. */
  made: { readonly scenario: string };
  /** Number of earlier changes and entries that were discarded; `null`: unknown. */
  lost: { readonly changes: number | null; readonly entries: number | null };
  /** The reader was too slow, and the stream ends. */
  'cut-off': { readonly reason: string };
}

export type EventType = keyof EventData;
/** `id`: the position, for resuming after this event. */
export type SandboxEvent = {
  [T in EventType]: { readonly id: string; readonly type: T; readonly data: EventData[T] };
}[EventType];

/** A reader's position: a version of a log, and a journal entry in the run that began at a version. */
export interface Position {
  readonly log: string;
  readonly version: number;
  readonly run: number;
  readonly entry: number;
}

/** The log part of a position whose log is gone and has no successor yet; no log has this id. Each has its own number. */
const GONE = '_';

/** The position after the end of a log. */
export function goneLog(log: string): string {
  return isGoneLog(log) ? log : `${GONE}${log}`;
}

export function isGoneLog(log: string): boolean {
  return log.startsWith(GONE);
}

const POSITION = /^(_?[0-9a-z-]{1,64})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/;

/** A position as an event id: `log.version.run.entry`. */
export function writtenPosition({ log, version, run, entry }: Position): string {
  return `${log}.${version}.${run}.${entry}`;
}

export function positionIn(id: string): Position | undefined {
  const [, log, version, run, entry] = POSITION.exec(id) ?? [];
  if (log === undefined || run === undefined) return undefined;
  return { log, version: Number(version), run: Number(run), entry: Number(entry) };
}
