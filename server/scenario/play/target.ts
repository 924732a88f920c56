// The port to a server that scenarios are played against, with what a fake additionally shows and sets.
import type { HttpRequest } from '../../derive/sending/call.js';
import type { Fact } from '../../domain/facts.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { ClockOrder } from '../../engine/sandbox/clock.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Step } from '../format/step-format.js';
import type { Loaded } from '../load/load-scenario.js';
import type { ValidationError } from '../yaml/problem.js';

/** A response as received. */
export interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly text: string;
}

/** A response with all bytes and headers as sent. */
export interface RawResponse extends Received, Began {
  readonly bytes: Uint8Array;
}

/** What decided a response, and what came of it, as the target itself tells: a journal entry, or a part of one. */
export interface Insight
  extends Partial<Pick<JournalEntry, 'operation' | 'response' | 'refused' | 'base' | 'readings'>> {
  readonly rules: readonly string[];
  readonly gaps: Readonly<Record<string, string>>;
  /** Absent: it reports only what decided. */
  readonly facts?: readonly Fact[];
  /** The fault that replaced the response. */
  readonly fault?: string | undefined;
  /** The stub that answered. */
  readonly stub?: string | undefined;
}

/** The faults and stubs of a step. */
export type ArmedByStep = Pick<Step, 'faults' | 'stubs'>;

/** Control of a fake: a sandbox of its own. */
export interface SandboxControl {
  /** Starts the scenario again: world, readings, clock, ids, journal, faults, stubs. Returns the readings. */
  begin(loaded: Loaded, readings: SomeReadings): Promise<SomeReadings>;
  /** Adds faults and stubs. Returns why they are refused. */
  arm(step: ArmedByStep): Promise<string | undefined>;
  /** Sets or advances the clock. Returns the errors. */
  turn(clock: ClockOrder): Promise<readonly ValidationError[]>;
  /** Sets the readings of the sandbox. Returns all of them. */
  choose(readings: SomeReadings): Promise<SomeReadings>;
  /** Applies a merge-patch to the world; or returns the errors and changes nothing. */
  patch(patch: WorldPatch): Promise<readonly ValidationError[]>;
  /** A record of the world's JSON form; `undefined` if it does not exist. */
  record(name: CollectionName, key: string): Promise<unknown>;
  /** `licence`, or `nextPageId`. */
  part(name: 'licence' | 'nextPageId'): Promise<unknown>;
  /** What decided the last response, with its facts; `undefined` if there was no request since. */
  insight(): Promise<Insight | undefined>;
  /** Drops the sandbox if it was created for this player. */
  end(): Promise<void>;
}

/** The visible part of a record of the world's JSON form, or that it does not exist. */
export interface SeenRecord {
  /** `undefined`: no body. */
  readonly value: unknown;
}

/** What a server that is not ours shows of its world through other resources. */
export interface WorldView {
  /** `expected`: the expected record, whose fields are read. `undefined`: not visible. */
  see(name: CollectionName, key: string, expected: unknown): Promise<SeenRecord | undefined>;
}

export interface Target {
  /** Base URL, for people and for `curl`, without a trailing slash. */
  readonly url: string;
  /** Context path of calls, such as `/wiki`; empty if there is none. Not part of `url`. */
  readonly context: string;
  /** Sends a request with a path below `url`. Rejects with `Unreachable` if nobody answers, with `BrokenOff` if the response was cut off. */
  send(request: HttpRequest): Promise<Received>;
  /** Absent: the server has no control API. */
  readonly control?: SandboxControl;
  close(): Promise<void>;
}

/** The head of a response. Headers as sent: a name in lower case may appear more than once. */
export interface Began {
  readonly status: number;
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
}

/** How a connection ended before the response was whole. */
export interface Break {
  /** In words. */
  readonly how: string;
  /** The bytes received until then; absent if none, or unknown. */
  readonly began?: Began;
}

/** Nobody answers at a target, or not in HTTP, or the connection broke. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly broken: Break | undefined;

  /** Compared by name: what plays is loaded on demand, and some loaders then load this file twice. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === 'Unreachable';
  }

  constructor(message: string, { broken, ...options }: ErrorOptions & { readonly broken?: Break } = {}) {
    super(message, options);
    this.broken = broken;
  }
}

/** The connection broke: the target may be there all the same, and have done what it was asked. */
export type BrokenOff = Unreachable & { readonly broken: Break };

/** `where`: what does not answer. */
export function brokenOff(where: string, broken: Break, cause: Error): BrokenOff {
  return new Unreachable(`${where} does not respond: ${broken.how}`, { broken, cause }) as BrokenOff; // it has just been given
}

export function isBrokenOff(error: unknown): error is BrokenOff {
  return error instanceof Unreachable && error.broken !== undefined;
}
