// Who answers a player, as a port: a server of any kind, and, where it is one of ours, what can be seen and set besides.
// Knows no transport.
import type { HttpRequest } from '../../derive/sending/call.js';
import type { Fact } from '../../domain/facts.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import type { Fault } from '../../engine/faults/fault.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { PatchFlaw } from '../checks/world-patch.js';
import type { Loaded } from '../load/story.js';

/** An answer as it came over the wire. */
export interface Received {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, empty where there was none. */
  readonly text: string;
}

/** An answer with each byte and each header as it was sent. */
export interface Answered extends Received, Began {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What decided an answer, and what came of it, as the target itself tells: a journal entry, or a part of one. */
export interface Insight extends Partial<Pick<JournalEntry, 'operation' | 'answer' | 'refused' | 'base' | 'readings'>> {
  readonly rules: readonly string[];
  readonly gaps: Readonly<Record<string, string>>;
  /** Absent: it tells only what decided. */
  readonly facts?: readonly Fact[];
  /** The fault that was put in the place of the answer. */
  readonly fault?: string | undefined;
}

/** What a server of ours lets a player see and set: a sandbox of its own. */
export interface SandboxControl {
  /** Starts the scenario afresh: world, readings, clock, ids, journal; and arms its faults. Gives the readings that count from now on. */
  begin(loaded: Loaded, readings: SomeReadings): Promise<SomeReadings>;
  arm(faults: readonly Fault[]): Promise<string | undefined>;
  /** Lays a merge-patch over the world; or says why not, which leaves it as it was. */
  patch(patch: WorldPatch): Promise<readonly PatchFlaw[]>;
  /** A record of the world's JSON form; `undefined` where there is none. */
  record(name: CollectionName, key: string): Promise<unknown>;
  /** `licence`, or `nextPageId`. */
  part(name: 'licence' | 'nextPageId'): Promise<unknown>;
  /** What decided the last answer, with what came of it; `undefined` where the sandbox has not been asked since. */
  insight(): Promise<Insight | undefined>;
  /** Takes the sandbox away, where it was made for the player alone. */
  end(): Promise<void>;
}

/** What is seen of a record of the world's JSON form: a part of it, or that it is not there. */
export interface SeenRecord {
  /** `undefined`: there is none. */
  readonly value: unknown;
}

/** What a server that is not ours shows of its world beside the operations. */
export interface WorldView {
  /** `undefined`: nothing of it can be seen. */
  see(name: CollectionName, key: string): Promise<SeenRecord | undefined>;
}

export interface Target {
  /** Where it is, for people and for `curl`: a URL without a slash at the end. */
  readonly url: string;
  /** The context path with which calls are made, such as `/wiki`; empty where there is none. Not part of `url`. */
  readonly context: string;
  /** Sends a request whose path lies below `url`. Rejects with `Unreachable` where nobody answers, with `BrokenOff` where an answer ended. */
  send(request: HttpRequest): Promise<Received>;
  /** Absent: it is a server that can only be asked what anyone can ask. */
  readonly control?: SandboxControl;
  close(): Promise<void>;
}

/** The head of an answer. Each header as it was sent: a name, in lower case, may be there more than once. */
export interface Began {
  readonly status: number;
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
}

/** How a connection ended before the answer was whole. */
export interface Break {
  /** In words. */
  readonly how: string;
  /** What had come by then; absent where that was nothing, or is not known. */
  readonly began?: Began;
}

/** Nobody answers at a target, or not in HTTP, or the connection broke. */
export class Unreachable extends Error {
  readonly broken: Break | undefined;

  constructor(message: string, { broken, ...options }: ErrorOptions & { readonly broken?: Break } = {}) {
    super(message, options);
    this.broken = broken;
  }
}

/** The connection broke: the target may be there all the same, and have done what it was asked. */
export type BrokenOff = Unreachable & { readonly broken: Break };

/** `where`: what does not answer. */
export function brokenOff(where: string, broken: Break, cause: Error): BrokenOff {
  return new Unreachable(`${where} does not answer: ${broken.how}`, { broken, cause }) as BrokenOff; // it has just been given
}

/** By its fields: what plays is loaded only when it is needed, and some loaders then give it this file anew, with classes of its own. */
export function isBrokenOff(error: unknown): error is BrokenOff {
  return error instanceof Error && 'broken' in error && error.broken !== undefined;
}
