// A sandbox of a fake for programs: the actions as methods, and the operations as a client. It holds only a name, and works over both ports.
import type { Action } from '../../control/actions/action.js';
import { faultActions, releasingHold, stubActions } from '../../control/actions/armed-actions.js';
import { readingClock, settingClock } from '../../control/actions/clock-actions.js';
import {
  clearingJournal,
  readingHar,
  readingJournal,
  verifyingJournal,
} from '../../control/actions/journal-actions.js';
import { explainingEntry, recordingSandbox } from '../../control/actions/look-back-actions.js';
import { type PlayedRun, playingScenario } from '../../control/actions/play-action.js';
import { changingState } from '../../control/actions/provider-state-actions.js';
import {
  creatingSandbox,
  describingSandbox,
  droppingSandbox,
  forkingSandbox,
  replacingSandbox,
  resettingSandbox,
} from '../../control/actions/sandbox-actions.js';
import {
  comparingVersions,
  droppingSnapshot,
  keepingSnapshot,
  listingSnapshots,
  restoringSnapshot,
  rewindingSandbox,
} from '../../control/actions/version-actions.js';
import { choosingReadings, patchingWorld, readingReadings, readingWorld } from '../../control/actions/world-actions.js';
import { authorization, type HttpRequest } from '../../derive/sending/call.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { pointerOf } from '../../domain/json/json-pointer.js';
import { ANONYMOUS } from '../../domain/world/world.js';
import type { SandboxEvent } from '../../engine/events/event.js';
import type { EntryView } from '../../engine/look-back/entry-view.js';
import type { Explanation } from '../../engine/look-back/explain.js';
import type { Kept } from '../../engine/sandbox/snapshots.js';
import type { Description } from '../../engine/session/describe.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { unknownName } from '../../scenario/checks/overlay.js';
import type { Verified } from '../../scenario/verify/verify-requests.js';
import type { Client } from '../client/calls.js';
import { clientFor } from '../client/client.js';
import type { ControlPort, PortInput } from '../port/control-port.js';
import { FakeError, isNoSandbox } from '../port/fake-error.js';
import { type Fetch, fetchFailure, fetching } from '../port/fetch.js';
import type {
  Caller,
  Difference,
  EntryFilter,
  PlayOptions,
  RequestPattern,
  Sandbox,
  SandboxOptions,
  SnapshotOptions,
} from './api.js';
import type { TypedPatch, WrittenWorld } from './typed-world.js';

const NAME = 'X-Fake-Sandbox';

/** How a sandbox is created. */
interface Start {
  /** Its options, used at once and whenever it was dropped. Default: the first use creates it with the fake's settings. */
  readonly creation?: SandboxOptions | undefined;
  /** It exists already. */
  readonly isMade?: boolean;
  /** No method creates it: it exists, or the method fails. */
  readonly mustExist?: boolean;
}

export class FakeSandbox implements Sandbox {
  /** Resolves when it has been created, unless its first use creates it. */
  #begun: Promise<unknown> | undefined;
  #isDropped = false;

  constructor(
    readonly port: ControlPort,
    readonly name: string,
    private readonly start: Start = {},
  ) {
    if (start.isMade !== true) this.#begin();
  }

  get url(): string {
    return `${this.port.url}/~${this.name}`;
  }

  get headers(): { readonly [NAME]: string } {
    return { [NAME]: this.name };
  }

  get fetch(): Fetch {
    const ask = fetching((request, signal) => this.port.ask(request, signal), this.url, this.headers);
    return async (input, init) => {
      await this.#ready();
      return ask(input, init);
    };
  }

  get readings(): Sandbox['readings'] {
    return {
      get: () => this.#invoke(readingReadings),
      set: readings => this.#invoke(choosingReadings, { body: withoutUndefined(readings) }),
    };
  }

  get faults(): Sandbox['faults'] {
    return {
      list: async () => (await this.#invoke(faultActions.listing)).faults,
      set: async (faults, options = {}) => {
        await this.#invoke(faultActions.setting, { body: { ...options, faults } });
      },
      clear: async number => {
        await this.#invoke(faultActions.clearing, { query: { number } });
      },
      release: async hold => (await this.#invoke(releasingHold, { body: { hold } })).released,
    };
  }

  get stubs(): Sandbox['stubs'] {
    return {
      list: async () => (await this.#invoke(stubActions.listing)).stubs,
      set: async (stubs, options = {}) => {
        await this.#invoke(stubActions.setting, { body: { ...options, stubs } });
      },
      clear: async number => {
        await this.#invoke(stubActions.clearing, { query: { number } });
      },
    };
  }

  get clock(): Sandbox['clock'] {
    const turn = async (body: Parameters<typeof settingClock.run>[0]['body']) =>
      (await this.#invoke(settingClock, { body })).now;
    return {
      now: async () => (await this.#invoke(readingClock)).now,
      running: async () => (await this.#invoke(readingClock)).running,
      set: (instant, options = {}) => turn({ ...options, set: instant }),
      advance: advance => turn({ advance }),
      freeze: () => turn({ freeze: true }),
      run: () => turn({ run: true }),
    };
  }

  get states(): Sandbox['states'] {
    return {
      setUp: (state, params) =>
        this.#invoke(changingState, { body: { state, ...(params !== undefined && { params }) } }),
      tearDown: async () => {
        await this.#invoke(changingState, { body: { action: 'teardown', state: '' } });
      },
    };
  }

  client(as?: Caller): Client {
    return clientFor(async request => {
      await this.#ready();
      const addressed = await this.#addressed(request, as);
      return this.port.ask(addressed).catch(error => {
        throw fetchFailure(error);
      });
    });
  }

  world(options: { readonly at?: number } = {}): Promise<WrittenWorld> {
    return this.#invoke(readingWorld, { query: { ...options } });
  }

  /** A part of the world by its JSON pointer; `undefined` if the world has nothing there. */
  async part(pointer: string): Promise<unknown> {
    try {
      return await this.#invoke(readingWorld, { query: { part: pointer } });
    } catch (error) {
      if (error instanceof FakeError && error.status === 404 && !isNoSandbox(error)) return undefined;
      throw error;
    }
  }

  async patch(patch: TypedPatch | WorldPatch): Promise<void> {
    await this.#invoke(patchingWorld, { body: patch as WorldPatch }); // the fake validates the patch
  }

  async reset(): Promise<void> {
    await this.#invoke(resettingSandbox);
  }

  async fork(name?: string, options: { readonly at?: number } = {}): Promise<Sandbox> {
    const forked = await this.#invoke(forkingSandbox, { body: { ...options, ...(name !== undefined && { name }) } });
    return new FakeSandbox(this.port, forked.name, { ...this.start, isMade: true });
  }

  async version(): Promise<number> {
    return (await this.describe()).version;
  }

  snapshot(name?: string, options: SnapshotOptions = {}): Promise<Kept> {
    return this.#invoke(keepingSnapshot, { body: { ...options, ...(name !== undefined && { name }) } });
  }

  async snapshots(): Promise<readonly Kept[]> {
    return (await this.#invoke(listingSnapshots)).snapshots;
  }

  async restore(name: string): Promise<void> {
    await this.#invoke(restoringSnapshot, { params: { name } });
  }

  async dropSnapshot(name: string): Promise<void> {
    await this.#invoke(droppingSnapshot, { params: { name } });
  }

  async rewind(to: number): Promise<void> {
    await this.#invoke(rewindingSandbox, { body: { to } });
  }

  async diff(from?: number, to?: number, limit?: number): Promise<Difference> {
    const difference = await this.#invoke(comparingVersions, { query: { from, to, limit } });
    return { ...difference, patch: difference.patch as TypedPatch }; // made of two worlds' forms
  }

  describe(): Promise<Description> {
    return this.#invoke(describingSandbox);
  }

  async drop(): Promise<void> {
    await this.#begun;
    this.#begun = undefined;
    await this.port.invoke(droppingSandbox, { sandbox: this.name }).catch(error => {
      if (!(error instanceof FakeError) || error.status !== 404) throw error; // it was gone already
    });
    this.#isDropped = true;
  }

  async journal(filter: EntryFilter = {}): Promise<readonly EntryView[]> {
    return (await this.#invoke(readingJournal, { query: { ...filter } })).entries;
  }

  har(filter: EntryFilter = {}): Promise<object> {
    return this.#invoke(readingHar, { query: { ...filter } });
  }

  async clearJournal(): Promise<void> {
    await this.#invoke(clearingJournal);
  }

  verify(pattern: RequestPattern): Promise<Verified> {
    return this.#invoke(verifyingJournal, { body: pattern });
  }

  explain(entry: number, readings?: SomeReadings): Promise<Explanation> {
    return this.#invoke(explainingEntry, {
      body: { entry, ...(readings !== undefined && { readings: withoutUndefined(readings) }) },
    });
  }

  async record(range: { readonly from?: number; readonly to?: number } = {}): Promise<string> {
    return (await this.#invoke(recordingSandbox, { query: range })).text;
  }

  events(signal?: AbortSignal): AsyncIterableIterator<SandboxEvent> {
    return this.port.listen(this.name, signal);
  }

  play(scenario: string, options: PlayOptions = {}): Promise<PlayedRun> {
    return this.#invoke(playingScenario, { body: { ...options, scenario } });
  }

  async #invoke<Output, Body>(
    action: Action<Output, Body>,
    input: Omit<PortInput<Body>, 'sandbox'> = {},
  ): Promise<Output> {
    await this.#ready();
    const { mustExist = false } = this.start;
    const invoke = () => this.port.invoke(action, { ...input, sandbox: this.name, mustExist });
    return invoke().catch(async error => {
      if (mustExist || this.port.isExplicit || !isNoSandbox(error)) throw error;
      await this.#create(); // reading does not create it
      return invoke();
    });
  }

  #create(): Promise<unknown> {
    return this.port.invoke(creatingSandbox, { body: { name: this.name } }).catch(error => {
      if (!(error instanceof FakeError) || error.status !== 409) throw error; // it exists
    });
  }

  /** Creates it unless its first use does: if it has options, or the fake requires explicit creation. */
  #begin(): void {
    const { creation, mustExist } = this.start;
    if (mustExist) return;
    if (creation !== undefined)
      this.#begun = this.port.invoke(replacingSandbox, { sandbox: this.name, body: withoutUndefined(creation) });
    else if (this.port.isExplicit) this.#begun = this.#create();
    this.#begun?.catch(() => {}); // the next call gets it
  }

  async #ready(): Promise<void> {
    this.port.check();
    if (this.#isDropped) this.#begin();
    this.#isDropped = false;
    await this.#begun;
  }

  /** A request to this sandbox, from a caller, unless its own headers say otherwise. */
  async #addressed(request: HttpRequest, as: Caller | undefined): Promise<HttpRequest> {
    const names = new Set(Object.keys(request.headers).map(name => name.toLowerCase()));
    const from = as === undefined || names.has('authorization') ? undefined : await this.#proof(as);
    return {
      ...request,
      headers: {
        ...(!names.has(NAME.toLowerCase()) && this.headers),
        ...(from !== undefined && { Authorization: from }),
        ...request.headers,
      },
    };
  }

  async #proof(as: Caller): Promise<string | undefined> {
    if (typeof as !== 'string') return authorization(as);
    if (as === ANONYMOUS) return undefined;
    const user = await this.part(pointerOf(['users', as]));
    if (user === undefined) {
      const names = Object.keys((await this.world()).users);
      throw new FakeError('Unknown caller', [{ message: unknownName('user', as, [ANONYMOUS, ...names]) }]);
    }
    const { password = '' } = user as { readonly password?: string }; // the form of a user
    return authorization({ user: as, password });
  }
}

/** `undefined` would hide the values below. */
function withoutUndefined<T extends object>(given: T): never {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never; // from its own entries
}
