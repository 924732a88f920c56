// What a program sees of a fake and of its sandboxes. Shapes only.

import type { PlayedRun } from '../control/actions/play-action.js';
import type { Health } from '../control/health.js';
import type { Ledger } from '../derive/ledger/ledger.js';
import type { Proof } from '../derive/sending/call.js';
import type { SandboxEvent } from '../engine/events/event.js';
import type { ArmedFault, Fault } from '../engine/faults/fault.js';
import type { Coverage } from '../engine/journal/coverage.js';
import type { EntryView } from '../engine/journal/entry-view.js';
import type { Explanation } from '../engine/journal/explain.js';
import type { JournalEntry } from '../engine/journal/journal-entry.js';
import type { JournalFilter } from '../engine/journal/journal-filter.js';
import type { Description } from '../engine/sandbox/describe.js';
import type { Kept } from '../engine/sandbox/snapshots.js';
import type { Difference as VersionDifference } from '../engine/sandbox/travel.js';
import type { AnyOperationId } from '../operations/catalog.js';
import type { GapId, Readings, SomeReadings } from '../operations/gaps/gaps.js';
import type { ProfileName } from '../operations/gaps/profiles.js';
import type { Listed } from '../scenario/load/load.js';
import type { Capsule } from '../scenario/recording/capsule-format.js';
import type { ListedStates } from '../scenario/states/listed-states.js';
import type { StateValues } from '../scenario/states/provider-states.js';
import type { CountedRequest, RequestDescription } from '../scenario/verify/request-pattern.js';
import type { Verified } from '../scenario/verify/verify-requests.js';
import type { Client } from './client/calls.js';
import type { TypedPatch, WrittenWorld } from './typed-world.js';

/**
 * As the `fetch` of the platform, also where a fault breaks the connection: it rejects with a `TypeError`, whose `cause` says so. A text that is no whole URL, such as `/rest/cwx-ppf/latest/push`, lies below
 * the URL of who is asked.
 */
export type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

/** What a fake says of itself and of its documents, the same as over HTTP. */
export interface Telling {
  /** That it serves, and what. */
  health(): Promise<Health>;
  /** The scenarios that a sandbox can be made from. */
  scenarios(): Promise<readonly Listed[]>;
  /** The provider states that its sandboxes can be brought into. */
  states(): Promise<ListedStates>;
  /** The live sandboxes, the one that has been idle longest first. */
  sandboxes(): Promise<readonly Description[]>;
  /** The OpenAPI document of the operations, under the readings of this fake. */
  openapi(): Promise<object>;
  /** The OpenAPI document of the control API. */
  controlOpenapi(): Promise<object>;
  /** Every rule, gap, reading and refusal; `witnesses` names the shipped scenarios that are its evidence. */
  ledger(): Promise<Ledger>;
  /** The guide, as Markdown. */
  guide(): Promise<string>;
  /** What has been counted since it started, in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Which operations, rules, refusals and readings requests have met, those of dropped sandboxes too. `since`: only what came after that mark. */
  coverage(since?: string): Promise<Coverage>;
}

export interface Fake extends AsyncDisposable, Telling {
  /** Where it is, without a slash at the end. Of a fake without a socket: a name under which only its own `fetch` finds it. */
  readonly url: string;
  /** Asks this fake within the process, whatever host a URL names: the whole server but the socket. */
  readonly fetch: Fetch;
  /**
   * A sandbox: without a name a new one, else the one of that name, which is created when it is first used. With options it is made at
   * once, in the place of one that there may be. A mistake in name or options is a `FakeError`; a scenario that does not load is told by the first method that is called.
   */
  sandbox(name?: string, options?: SandboxOptions): Sandbox;
  /** The requests that forgot to name a sandbox: none in a test suite whose tests each have one of their own. */
  leaks(): Promise<Leaked>;
  /** In PEM, of a fake that serves HTTPS: what its clients have to trust. */
  readonly certificate?: string;
  /** What the control API takes as a bearer token over HTTP, where one is due: it was given, or the fake listens beyond loopback. */
  readonly controlToken?: string;
  /** Ends it: what is in flight is answered, and nothing is left open. May be called again. */
  stop(): Promise<void>;
}

/** What a sandbox starts from, and returns to. */
export interface SandboxOptions {
  /** A scenario, or a fixture, by its name or by the path of a file. Left out: that of the fake. */
  readonly scenario?: string;
  /** A named set of readings, over which single ones lie. Left out: that of the scenario, else that of the fake. */
  readonly profile?: ProfileName;
  /** Readings by gap, over those of the scenario and of the fake. */
  readonly readings?: SomeReadings;
  /** An instant such as `2026-01-05T09:00:00Z`, at which its clock stands still. */
  readonly clock?: string;
  /** Decides for faults with a chance that name no seed of their own: a whole number from 0 to 4294967295. Left out: 0. */
  readonly seed?: number;
  /** Seconds for which it may be idle. Left out: what the fake says for all. */
  readonly ttl?: number;
}

/** How a fake that runs elsewhere is reached. */
export interface ConnectOptions {
  /** The token of its control API, where one is due. */
  readonly token?: string;
}

export interface ArmOptions {
  /** Whether they are armed after those that are. Left out: in their place. */
  readonly append?: boolean;
}

export interface PlayOptions {
  /** Only this step, from 1: the first on the scenario begun afresh, any other on the sandbox as the steps before have left it. */
  readonly step?: number;
}

export interface Difference extends Omit<VersionDifference, 'patch'> {
  /** Makes the world of `to` out of that of `from`; as `Sandbox.patch` takes it. */
  readonly patch: TypedPatch;
}

export interface SnapshotOptions {
  /** Whether it takes the place of one of that name. Left out: that is an error. */
  readonly replace?: boolean;
}

/** Who asks: a user of the world by name, with the password that it has there; or proof as it is sent, right or wrong. */
export type Caller = string | Proof;

export interface EntryFilter extends Omit<JournalFilter, 'operation' | 'gap'> {
  readonly operation?: AnyOperationId;
  readonly gap?: GapId;
}

type Typed<R extends RequestDescription> = Omit<R, 'operation'> & { readonly operation?: AnyOperationId };

/** What is to have been asked: some request, so many times; or several in this order, with others in between or without. */
export type RequestPattern = Typed<CountedRequest> | { readonly inOrder: readonly Typed<RequestDescription>[] };

/** The requests that named no sandbox while others than `default` were in use. */
export interface Leaked {
  /** How many there were. */
  readonly count: number;
  /** Those that are kept. */
  readonly entries: readonly JournalEntry[];
}

/** A world of its own, with its own readings, clock, ids and journal. */
export interface Sandbox {
  readonly name: string;
  /** Its own base URL: `…/~name`. */
  readonly url: string;
  /** What names it in a request to another base URL of the fake. */
  readonly headers: Readonly<Record<'X-Fake-Sandbox', string>>;
  /** As that of the fake, in this sandbox: a relative URL lies below its own. */
  readonly fetch: Fetch;
  readonly readings: {
    /** Those that count, one for each gap. */
    get(): Promise<Readings>;
    /** Chooses some in the place of those chosen for it before; for the other gaps those of scenario and fake count. */
    set(readings: SomeReadings): Promise<Readings>;
  };
  readonly faults: {
    /** Those that are armed, each with how many requests it was about (`met`) and how often it fired. */
    list(): Promise<readonly ArmedFault[]>;
    /** Arms these, in the place of those that are armed or after them. */
    set(faults: readonly Fault[], options?: ArmOptions): Promise<void>;
    clear(): Promise<void>;
  };
  /** The operations as methods. Left out, nobody asks. A call rejects as `fetch` does where a fault breaks the connection. */
  client(as?: Caller): Client;
  /** `at`: that of a version, as long as it is kept. */
  world(options?: { readonly at?: number }): Promise<WrittenWorld>;
  /** Changes the world by a merge-patch, all of it or nothing. A patch that makes no world is a `FakeError` with JSON pointers. */
  patch(patch: TypedPatch): Promise<void>;
  /** Back to its scenario: world, readings, clock, faults, ids and journal in one step. Snapshots stay. */
  reset(): Promise<void>;
  /** A second sandbox from the present of this one, or from the version `at`, without its snapshots. */
  fork(name?: string, options?: { readonly at?: number }): Promise<Sandbox>;
  readonly clock: {
    /** The sandbox's time, as an ISO 8601 instant. What changes the clock gives it too. */
    now(): Promise<string>;
    /** Whether it runs; else it stands. */
    running(): Promise<boolean>;
    /** From now on it is this instant; it stands there, unless `running`. */
    set(instant: string, options?: { readonly running?: boolean }): Promise<string>;
    /** By seconds, or by an ISO 8601 duration such as `PT1H`. It goes on standing or running as it did. */
    advance(time: number | string): Promise<string>;
    freeze(): Promise<string>;
    /** It goes on from where it stands. */
    run(): Promise<string>;
  };
  /** Counts its changes from 0. What was kept of earlier versions can be read, compared, and gone back to. */
  version(): Promise<number>;
  /** Keeps this moment: world, ids, readings, clock and faults with what has become of them. Without a name it gets one. */
  snapshot(name?: string, options?: SnapshotOptions): Promise<Kept>;
  /** The one kept longest ago first. */
  snapshots(): Promise<readonly Kept[]>;
  /** Back to a snapshot, as a new version. The journal goes on. */
  restore(name: string): Promise<void>;
  dropSnapshot(name: string): Promise<void>;
  /** Back to the state of a version, as a new version. Snapshots stay, and the journal goes on. */
  rewind(version: number): Promise<void>;
  /** What differs between the worlds of two versions, and what happened in between. Left out: the oldest that is kept, and the present. */
  diff(from?: number, to?: number): Promise<Difference>;
  /** What it is at this moment. */
  describe(): Promise<Description>;
  /** Lets it go. When it is used again, it begins anew. */
  drop(): Promise<void>;
  /** What it was asked and answered, oldest first, with what decided it. */
  journal(filter?: EntryFilter): Promise<readonly EntryView[]>;
  /** Forgets the entries; ids go on. */
  clearJournal(): Promise<void>;
  /**
   * Resolves where it was asked so, else rejects with a `FakeError` that tells the nearest entries and how they differ; its
   * `cause` is the same as data.
   */
  verify(pattern: RequestPattern): Promise<Verified>;
  /**
   * Why a request was answered as it was. With readings, what would have come of it under them; without, under each other reading of each
   * gap that decided. Nothing happens.
   */
  explain(entry: number, readings?: SomeReadings): Promise<Explanation>;
  /** Everything that `cwx-fake play` needs to perform again what it was asked, as JSON, without secrets. */
  capsule(): Promise<Capsule>;
  /**
   * What happens in it from now on, each event once: entries as they are answered, changes, resets, and its end and return. Whoever made a change,
   * it is told. Ends with the signal, with the fake, and with the loop that reads it; who takes nothing while more than 1 MiB waits is cut off.
   */
  events(signal?: AbortSignal): AsyncIterableIterator<SandboxEvent>;
  /** Begins a scenario afresh in this sandbox and plays it to its end, or plays one step of it. */
  play(scenario: string, options?: PlayOptions): Promise<PlayedRun>;
  /** What a contract asks for before an interaction. Consecutive states add up; one that follows a request begins a new world. */
  readonly states: {
    /** Brings one about by its name: a scenario, a fixture, the empty state, or one with parameters. Gives its values. */
    setUp(state: string, params?: unknown): Promise<StateValues>;
    /** Ends what was set up: the next state begins a new world. */
    tearDown(): Promise<void>;
  };
}
