// The imperative shell around the engine: creates and drops sandboxes, and performs requests and changes in them.

import type { Readings, SomeReadings } from '../../operations/gaps/gaps.js';
import { type ProfileName, serverReadings } from '../../operations/gaps/profiles.js';
import type { JournaledResult } from '../journal/compose-entry.js';
import { CoverageCounter } from '../journal/coverage.js';
import type { Request } from '../request/request.js';
import {
  type DecidedRequest,
  decideForwarded,
  decideRequest,
  type ForwardedResult,
  isForStub,
} from '../sandbox/decide-request.js';
import type { Committed, CurrentSandbox, SandboxDecision } from '../sandbox/sandbox-decision.js';
import { begin, DEFAULT_SANDBOX, type Origin, withoutSnapshots } from '../sandbox/state.js';
import { StoreError } from '../store.js';
import type { CachedSandbox } from './cached-sandbox.js';
import { Committer } from './commit.js';
import { SandboxCache, type SandboxCacheSettings } from './sandbox-cache.js';

export interface SessionSettings extends Omit<SandboxCacheSettings, 'machineTime'> {
  /** Default: the time of the store. */
  readonly machineTime?: () => Date;
  /** Maximum records of a sandbox beyond those of its scenario. Default: no limit. */
  readonly maxRecords?: number;
  /** The origin of sandboxes without a scenario. */
  readonly origin: Origin;
  readonly profile?: ProfileName;
  readonly readings?: SomeReadings;
  /** Readings that a program has chosen: environment variables do not change them. */
  readonly pinned?: SomeReadings;
  /** Whether a request to an unknown sandbox creates it. */
  readonly createOnUse: boolean;
}

type Decide = (present: CurrentSandbox) => SandboxDecision<DecidedRequest>;

/** How often a sandbox may be dropped in a row during a request. */
const MAX_TRIES = 100;

export class Session {
  /** Coverage of the requests in this process. */
  readonly coverage = new CoverageCounter();
  readonly settings: SessionSettings & SandboxCacheSettings;
  /** Those that this process keeps in memory. */
  readonly sandboxes: SandboxCache;
  /** The scenario of sandboxes that name none. */
  origin: Origin;
  readonly #committer: Committer;

  constructor(given: SessionSettings) {
    const { store, origin, maxRecords = Number.POSITIVE_INFINITY, observer } = given;
    this.settings = { machineTime: () => new Date(store.now()), ...given };
    this.sandboxes = new SandboxCache(this.settings, serverReadings(given));
    this.origin = origin;
    this.#committer = new Committer(store, this.sandboxes, maxRecords, observer);
  }

  /** Readings where no sandbox chooses. */
  get serverReadings(): Readings {
    return this.sandboxes.server.all;
  }

  /** The sandbox of a name, created from the server's scenario if needed; `undefined` if sandboxes must be created explicitly. */
  async open(name: string): Promise<CachedSandbox | undefined> {
    const isMade = this.settings.createOnUse || name === DEFAULT_SANDBOX;
    return isMade ? this.ensure(name, this.origin) : this.sandboxes.latest(name);
  }

  /** The sandbox of a name, created from this origin if needed, even if sandboxes must be created explicitly. `ttl` in milliseconds. */
  async ensure(name: string, origin: Origin, ttl?: number): Promise<CachedSandbox> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const sandbox = (await this.sandboxes.latest(name)) ?? (await this.create(name, origin, ttl));
      if (sandbox !== undefined) return sandbox;
    }
    throw new Error(`sandbox ${name} was dropped ${MAX_TRIES} times while it was made`);
  }

  /** Creates a sandbox; `undefined` if the name is in use. `ttl` in milliseconds. */
  async create(name: string, origin: Origin, ttl?: number): Promise<CachedSandbox | undefined> {
    return this.sandboxes.admit(name, begin(origin), ttl);
  }

  /** Forks a sandbox from its current state or a past one, without snapshots; `undefined` if the name is in use. */
  async fork(from: CachedSandbox, name: string, state = from.state): Promise<CachedSandbox | undefined> {
    return this.sandboxes.admit(name, withoutSnapshots(state), from.ttl);
  }

  async drop(name: string): Promise<boolean> {
    const live = this.sandboxes.peek(name);
    const wasThere = await this.settings.store.drop(name);
    if (live !== undefined) this.sandboxes.leave(live, 'dropped');
    return wasThere;
  }

  /**
   * Responds to one request in a sandbox, and writes its journal entry. `undefined`: there is no such sandbox, and none is created. `isNamed`: the
   * request named the sandbox. `mayCreate`: the request may create it.
   */
  respond(name: string, request: Request, isNamed = true, mayCreate = true): Promise<JournaledResult | undefined> {
    const decide: Decide = present => {
      const isLeak = !isNamed && this.sandboxes.size > 1;
      return decideRequest(request, present, this.settings.machineTime(), isLeak);
    };
    return this.#perform(name, decide, mayCreate);
  }

  /** Whether a stub of a cached sandbox is meant for a request for which it has no endpoint. */
  hasStubFor(name: string, request: Request): boolean {
    const sandbox = this.sandboxes.peek(name);
    return sandbox !== undefined && isForStub(request, sandbox, this.settings.machineTime());
  }

  /** Writes a journal entry for a request that another server answered. `undefined`: there is no such sandbox, and none is created. */
  addForwarded(name: string, request: Request, answered: ForwardedResult): Promise<JournaledResult | undefined> {
    return this.#perform(name, present => decideForwarded(request, answered, present, this.settings.machineTime()));
  }

  /** If the sandbox is dropped meanwhile, in the next one of its name. */
  async #perform(name: string, decide: Decide, mayCreate = true): Promise<JournaledResult | undefined> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const sandbox = this.sandboxes.find(name) ?? (await (mayCreate ? this.open(name) : this.sandboxes.latest(name)));
      if (sandbox === undefined) return undefined;
      const committed = await this.#committer.commit(sandbox, decide);
      if (committed === 'gone') continue;
      const { result, pins } = committed.result;
      const { pinned } = this.settings;
      this.coverage.count(result, pinned === undefined ? pins : [...pins, pinned]);
      return Object.assign(result, { entry: committed.entry }); // created for this request only; copying would cost more than the rest
    }
    throw new Error(`sandbox ${name} was dropped ${MAX_TRIES} times during one request`);
  }

  /** Commits a decision on the latest state. `gone`: the sandbox was dropped. Rejects with the error of `decide`, or with a `StoreError`. */
  change<T>(
    sandbox: CachedSandbox,
    decide: (present: CurrentSandbox) => SandboxDecision<T>,
  ): Promise<Committed<T> | 'gone'> {
    return this.#committer.commit(sandbox, decide);
  }

  /**
   * Waits for the store and opens `default`. If `default` is damaged in a folder, which has reported that, the other sandboxes can be used. Rejects with a
   * `StoreError`.
   */
  async begin(): Promise<void> {
    await this.settings.store.ready();
    await this.sandboxes.loadStored();
    try {
      await this.open(DEFAULT_SANDBOX);
    } catch (error) {
      const isDamaged = error instanceof StoreError && error.failure === 'lost';
      if (this.sandboxes.isShared || !isDamaged) throw error;
    }
  }

  /** Uses another scenario for new sandboxes, and resets `default` to it. */
  async replaceOrigin(origin: Origin): Promise<void> {
    this.origin = origin;
    await this.drop(DEFAULT_SANDBOX);
    await this.open(DEFAULT_SANDBOX);
  }
}
