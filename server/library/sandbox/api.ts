// The public interface of fakes and sandboxes. Types only.

import type { Health } from '../../control/actions/health.js';
import type { PlayedRun } from '../../control/actions/play-action.js';
import type { Ledger } from '../../derive/ledger/ledger.js';
import type { Proof } from '../../derive/sending/call.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { ArmedFault, ArmedStub } from '../../engine/faults/armed.js';
import type { Fault } from '../../engine/faults/fault.js';
import type { Stub } from '../../engine/faults/stub.js';
import type { Coverage } from '../../engine/journal/coverage.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { JournalFilter } from '../../engine/journal/journal-filter.js';
import type { EntryView } from '../../engine/look-back/entry-view.js';
import type { Explanation } from '../../engine/look-back/explain.js';
import type { Kept } from '../../engine/sandbox/snapshots.js';
import type { VersionDifference } from '../../engine/sandbox/versions.js';
import type { Description } from '../../engine/session/describe.js';
import type { AnyOperationId } from '../../operations/catalog/catalog.js';
import type { GapId, Readings, SomeReadings } from '../../operations/gaps/gaps.js';
import type { ProfileName } from '../../operations/gaps/profiles.js';
import type { TlsOptions } from '../../outgoing/tls-options.js';
import type { Listed } from '../../scenario/load/load.js';
import type { ListedStates } from '../../scenario/states/listed-states.js';
import type { StateValues } from '../../scenario/states/provider-states.js';
import type { CountedRequest, RequestDescription } from '../../scenario/verify/request-pattern.js';
import type { Verified } from '../../scenario/verify/verify-requests.js';
import type { Client } from '../client/calls.js';
import type { Fetch } from '../port/fetch.js';
import type { TypedPatch, WrittenWorld } from './typed-world.js';

/** Information about a fake and its documents, the same as over HTTP. */
export interface FakeInformation {
  /** Its health and settings. */
  health(): Promise<Health>;
  /** The scenarios that a sandbox can be created from. */
  scenarios(): Promise<readonly Listed[]>;
  /** The provider states of its sandboxes. */
  states(): Promise<ListedStates>;
  /** The live sandboxes, the longest idle first. */
  sandboxes(): Promise<readonly Description[]>;
  /** The OpenAPI document of the operations, under the readings of this fake. */
  openapi(): Promise<object>;
  /** The OpenAPI document of the control API. */
  controlOpenapi(): Promise<object>;
  /** Every rule, gap, reading and refusal; `evidence` names the shipped scenarios that are its evidence. */
  ledger(): Promise<Ledger>;
  /** The guide as Markdown. */
  guide(): Promise<string>;
  /** The metrics since its start, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /**
   * Counts of the operations, rules, refusals and readings that requests have covered, dropped sandboxes included. `since`: only requests after that
   * mark.
   */
  coverage(since?: string): Promise<Coverage>;
}

export interface Fake extends AsyncDisposable, FakeInformation {
  /** Base URL without a trailing slash. Without a socket: a name that only its own `fetch` resolves. */
  readonly url: string;
  /** Sends a request to this fake within the process, whatever host the URL names: the whole server except the socket. */
  readonly fetch: Fetch;
  /**
   * A sandbox by name, created on first use; without a name, a new one. With options it is created at once and replaces an existing one. An invalid
   * name or option throws a `FakeError`; the first method call reports a scenario that does not load.
   */
  sandbox(name?: string, options?: SandboxOptions): Sandbox;
  /** Requests that named no sandbox while others were in use: none if each test uses a sandbox of its own. */
  leaks(): Promise<Leaked>;
  /** For HTTPS: the certificate in PEM, for clients to trust. */
  readonly certificate?: string;
  /** The bearer token of the control API over HTTP, if needed: the given one, or a generated one if the fake listens beyond loopback. */
  readonly controlToken?: string;
  /** Stops it: requests in progress are answered, and all resources are released. May be called again. */
  stop(): Promise<void>;
}

/** The origin of a sandbox. */
export interface SandboxOptions {
  /** Name of a scenario or a fixture, or path of its file. Default: that of the fake. */
  readonly scenario?: string;
  /** Profile of readings, below single readings. Default: that of the scenario, else that of the fake. */
  readonly profile?: ProfileName;
  /** Readings by gap, over those of the scenario and of the fake. */
  readonly readings?: SomeReadings;
  /** Freezes its clock at an instant such as `2026-01-05T09:00:00Z`. Default: the clock runs. */
  readonly clock?: string;
  /** Random seed for faults with `chance` and no seed of their own, from 0 to 4294967295. Default: 0. */
  readonly seed?: number;
  /** Idle time in seconds after which it expires. Default: that of the fake. */
  readonly ttl?: number;
}

/** How to reach a fake that runs elsewhere. */
export interface ConnectOptions extends TlsOptions {
  /** The token of its control API, if it needs one. */
  readonly token?: string;
}

export interface ArmOptions {
  /** `append`: keep the present faults or stubs. Default: false, which replaces them. */
  readonly append?: boolean;
}

export interface PlayOptions {
  /** Only this step, from 1: the first restarts the scenario, any other runs on the current state. */
  readonly step?: number;
}

export interface Difference extends Omit<VersionDifference, 'patch'> {
  /** The merge-patch from the world of `from` to that of `to`, as for `Sandbox.patch`. */
  readonly patch: TypedPatch;
}

export interface SnapshotOptions {
  /** Replace a snapshot of the same name. Default: false, that is an error. */
  readonly replace?: boolean;
}

/** The caller: a user of the world by name, with the password of the world; or credentials, right or wrong. */
export type Caller = string | Proof;

export interface EntryFilter extends Omit<JournalFilter, 'operation' | 'gap'> {
  readonly operation?: AnyOperationId;
  readonly gap?: GapId;
}

type Typed<R extends RequestDescription> = Omit<R, 'operation'> & { readonly operation?: AnyOperationId };

/** Expected requests: one kind with a count, or several in order, possibly with others in between. */
export type RequestPattern = Typed<CountedRequest> | { readonly inOrder: readonly Typed<RequestDescription>[] };

/** Requests that named no sandbox while others than `default` were in use. */
export interface Leaked {
  /** Their number. */
  readonly count: number;
  /** Ids of the kept ones. */
  readonly entries: readonly JournalEntry[];
}

/** A sandbox: a world with its own readings, clock, ids and journal. */
export interface Sandbox {
  readonly name: string;
  /** Its own base URL: `…/~name`. */
  readonly url: string;
  /** The header that names it in a request to another base URL of the fake. */
  readonly headers: Readonly<Record<'X-Fake-Sandbox', string>>;
  /** Like that of the fake, for this sandbox: relative URLs are below its own base URL. */
  readonly fetch: Fetch;
  readonly readings: {
    /** The readings in effect, one for each gap. */
    get(): Promise<Readings>;
    /** Chooses readings; they replace earlier choices. Other gaps follow the scenario and the fake. */
    set(readings: SomeReadings): Promise<Readings>;
  };
  readonly faults: {
    /** The armed faults with their counts: matched requests (`matched`) and replaced responses (`fired`). */
    list(): Promise<readonly ArmedFault[]>;
    /** Arms faults: replaces the armed ones, or appends to them. */
    set(faults: readonly Fault[], options?: ArmOptions): Promise<void>;
    /** Clears all faults, or only the one with this number in the list, from 1. */
    clear(number?: number): Promise<void>;
    /** Releases the responses that a fault with `effect: { hold }` holds, and returns their number. Rejects with a `FakeError` if nothing has this hold. */
    release(hold: string): Promise<number>;
  };
  /** Answers to requests that the fake does not model. A stub at a path that it answers itself is refused. */
  readonly stubs: {
    /** The stubs with their counts: matched requests (`matched`) and answered ones (`fired`). */
    list(): Promise<readonly ArmedStub[]>;
    /** Sets stubs: replaces the present ones, or appends to them. */
    set(stubs: readonly Stub[], options?: ArmOptions): Promise<void>;
    /** Clears all stubs, or only the one with this number in the list, from 1. */
    clear(number?: number): Promise<void>;
  };
  /** The operations as methods. Default caller: anonymous. A call rejects like `fetch` if a fault breaks the connection. */
  client(as?: Caller): Client;
  /** `at`: of that version, if it is kept. */
  world(options?: { readonly at?: number }): Promise<WrittenWorld>;
  /** Changes the world by a merge-patch, completely or not at all. Rejects with a `FakeError` with JSON pointers if the result would be invalid. */
  patch(patch: TypedPatch): Promise<void>;
  /** Resets it to its scenario: world, readings, clock, faults, stubs, ids and journal. Snapshots stay. */
  reset(): Promise<void>;
  /** Forks a sandbox from the current state, or from the version `at`, without its snapshots. */
  fork(name?: string, options?: { readonly at?: number }): Promise<Sandbox>;
  readonly clock: {
    /** The sandbox's time as an ISO 8601 instant. Changes of the clock return it too. */
    now(): Promise<string>;
    /** Whether the clock runs or is frozen. */
    running(): Promise<boolean>;
    /** Sets the time; the clock is frozen unless `running`. */
    set(instant: string, options?: { readonly running?: boolean }): Promise<string>;
    /** Advances by seconds, or by an ISO 8601 duration such as `PT1H`. A frozen clock stays frozen. */
    advance(time: number | string): Promise<string>;
    freeze(): Promise<string>;
    /** Lets the clock run. */
    run(): Promise<string>;
  };
  /** Number of changes, from 0. Kept versions can be read, compared and rewound to. */
  version(): Promise<number>;
  /** Takes a snapshot: world, ids, readings, clock, and faults and stubs with their counts. Default name: a generated one. */
  snapshot(name?: string, options?: SnapshotOptions): Promise<Kept>;
  /** Oldest first. */
  snapshots(): Promise<readonly Kept[]>;
  /** Restores a snapshot as a new version. The journal continues. */
  restore(name: string): Promise<void>;
  dropSnapshot(name: string): Promise<void>;
  /** Rewinds to a version, as a new version. Snapshots stay, and the journal continues. */
  rewind(version: number): Promise<void>;
  /** Compares two versions, with the facts in between. Default: the oldest and the current one. `limit`: maximum records of each collection. */
  diff(from?: number, to?: number, limit?: number): Promise<Difference>;
  /** Its current description. */
  describe(): Promise<Description>;
  /** Drops it. The next use creates it again. */
  drop(): Promise<void>;
  /** The requests and responses, oldest first, with the rules and readings behind each response. */
  journal(filter?: EntryFilter): Promise<readonly EntryView[]>;
  /** The same as an HTTP Archive (HAR), with rules and readings as comments and without secrets. */
  har(filter?: EntryFilter): Promise<object>;
  /** Clears the journal; ids continue. */
  clearJournal(): Promise<void>;
  /**
   * Resolves if the journal has the expected requests, else rejects with a `FakeError` with the nearest entries and their differences; its `cause` is
   * the same as data.
   */
  verify(pattern: RequestPattern): Promise<Verified>;
  /** Explains a response, and returns the result under the given readings, or under each other reading of each deciding gap. Changes nothing. */
  explain(entry: number, readings?: SomeReadings): Promise<Explanation>;
  /** The requests as a scenario in YAML that plays to the same responses, without secrets. `from`, `to`: ids of entries. Default: all. */
  record(range?: { readonly from?: number; readonly to?: number }): Promise<string>;
  /**
   * The events from now on, each once: entries, changes, resets, drops and creations, whoever causes them. Ends with the signal, the fake, or the
   * loop over it. A reader with a backlog of more than 1 MiB is cut off.
   */
  events(signal?: AbortSignal): AsyncIterableIterator<SandboxEvent>;
  /** Restarts a scenario in this sandbox and plays it to its end, or plays one step of it. */
  play(scenario: string, options?: PlayOptions): Promise<PlayedRun>;
  /** Provider states of contracts. Consecutive states add up; a state after a request begins a new world. */
  readonly states: {
    /** Sets up a state by name: a scenario, a fixture, the empty state, or one with parameters. Returns its values. */
    setUp(state: string, params?: unknown): Promise<StateValues>;
    /** Ends the setup: the next state begins a new world. */
    tearDown(): Promise<void>;
  };
}
