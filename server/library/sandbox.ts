// A sandbox of a fake, as a program holds it: its world and all around it straight from the session, its operations through the whole server.
// Holds a name and nothing else that could grow old.

import { authorization, type HttpRequest } from '../derive/call.js';
import { forming } from '../domain/form.js';
import type { WorldPatch } from '../domain/patch.js';
import { ANONYMOUS } from '../domain/world.js';
import type { SandboxEvent } from '../engine/events/event.js';
import { arm, type Fault, told, tooManyFaults } from '../engine/faults/fault.js';
import { nearest } from '../engine/nearest.js';
import { inPieces } from '../engine/pieces.js';
import { misfits } from '../engine/request/validate.js';
import type { Deciding, Present } from '../engine/sandbox/present.js';
import type { Sandbox as Live } from '../engine/sandbox/sandbox.js';
import type { Origin, State } from '../engine/sandbox/state.js';
import { stateAt } from '../engine/sandbox/travel.js';
import type { Readings, SomeReadings } from '../operations/gaps.js';
import { faultFlaws } from '../scenario/checks/step-checks.js';
import { patchProblems } from '../scenario/checks/world-patch.js';
import { faultSchema } from '../scenario/format/fault-format.js';
import { unknownName } from '../scenario/load/overlay.js';
import { valueAt } from '../scenario/play/captures.js';
import { pointerOf } from '../scenario/yaml/problem.js';
import type { ArmOptions, Caller, Fetch, Sandbox } from './api.js';
import type { Client } from './client/calls.js';
import { clientFor } from './client/client.js';
import { FakeError, type FakeProblem } from './fake-error.js';
import { fetchFailure, fetching } from './fetch.js';
import type { Inside } from './inside.js';
import { listening } from './listening.js';
import { chosenOf, readingProblems, unknownKeys } from './options.js';
import { StagingSandbox } from './staging.js';
import { possible } from './travelling.js';
import type { TypedPatch, WrittenWorld } from './typed-world.js';

const NAME = 'X-Fake-Sandbox';

type At = { readonly at?: number };

export class HeldSandbox extends StagingSandbox implements Sandbox {
  /** `begun`: resolves when it has been made, where that is under way. `origin`: what it begins with; left out, what the fake begins with. */
  constructor(
    readonly inside: Inside,
    readonly name: string,
    readonly origin?: Origin,
    private readonly begun?: Promise<unknown>,
    /** How long it may be idle, in milliseconds; left out, as long as the fake says. */
    private readonly ttl?: number,
  ) {
    super();
    begun?.catch(() => {}); // who uses it is told
  }

  get url(): string {
    return `${this.inside.url}/~${this.name}`;
  }

  get headers(): { readonly [NAME]: string } {
    return { [NAME]: this.name };
  }

  get fetch(): Fetch {
    const ask = fetching(this.inside.ask, this.url, this.headers);
    return async (input, init) => {
      await this.live();
      return ask(input, init);
    };
  }

  get readings(): Sandbox['readings'] {
    return { get: async () => ({ ...(await this.live()).readings }), set: readings => this.#choose(readings) };
  }

  get faults(): Sandbox['faults'] {
    return {
      list: async () => (await this.live()).state.faults.map(told),
      set: (faults, options) => this.#arm(faults, options),
      clear: () => this.#arm([]),
    };
  }

  client(as?: Caller): Client {
    return clientFor(async request => {
      await this.live();
      const addressed = await this.#addressed(request, as);
      return this.inside.ask(addressed).catch(error => {
        throw fetchFailure(error);
      });
    });
  }

  async world(options: At = {}): Promise<WrittenWorld> {
    return inPieces(forming(this.#stateIn(await this.live(), options).world));
  }

  async patch(patch: TypedPatch): Promise<void> {
    const given = asJson(patch) as WorldPatch; // held against the fixture's form below, before it changes anything
    await this.#change('The patch makes no world', ({ state }) => {
      const problems = patchProblems(state.world, given);
      return { changes: problems.length > 0 ? [] : [{ type: 'world-patched', patch: given }], result: problems };
    });
  }

  async reset(): Promise<void> {
    const { session } = this.inside.assembled;
    while ((await session.reset(await this.live())) === 'gone'); // dropped in between: the next one is reset
  }

  async fork(name?: string, options: At = {}): Promise<Sandbox> {
    const wanted = this.inside.nameFor(name);
    const live = await this.live();
    const forked = await this.inside.assembled.session.fork(live, wanted, this.#stateIn(live, options));
    if (forked === undefined)
      throw new FakeError('The sandbox cannot be forked', [
        { message: `There is a sandbox ${JSON.stringify(wanted)} already.` },
      ]);
    return new HeldSandbox(this.inside, wanted, this.origin, undefined, this.ttl);
  }

  async drop(): Promise<void> {
    await this.begun;
    this.inside.check();
    await this.inside.assembled.session.drop(this.name);
  }

  events(signal?: AbortSignal): AsyncIterableIterator<SandboxEvent> {
    return listening(this.inside.assembled.feeds, () => this.live(), signal);
  }

  /** The sandbox itself, which is made where it is not there. */
  async live(): Promise<Live> {
    this.inside.check();
    await this.begun;
    const { session } = this.inside.assembled;
    return session.ensure(this.name, this.origin ?? session.origin, this.ttl);
  }

  async #choose(readings: SomeReadings): Promise<Readings> {
    await this.#change('There are no such readings', () => {
      const problems = readingProblems(readings, '');
      return {
        changes: problems.length > 0 ? [] : [{ type: 'readings-set', readings: chosenOf(readings) }],
        result: problems,
      };
    });
    return this.readings.get();
  }

  async #arm(given: readonly Fault[], options: ArmOptions = {}): Promise<void> {
    const { besides = false } = options;
    const unknown = unknownKeys(options, ['besides'], 'the arming of faults');
    if (unknown.length > 0) throw new FakeError('No faults can be armed so', unknown);
    const faults = asJson(given) as readonly Fault[]; // held against the format of faults below
    await this.#change('These are no faults of this world', ({ state }) => {
      const all = [...(besides ? state.faults : []), ...arm(faults)];
      const tooMany = tooManyFaults(all);
      const problems =
        tooMany === undefined
          ? faults.flatMap((fault, i) => faultProblems(fault, i, state.world))
          : [{ message: tooMany }];
      return { changes: problems.length > 0 ? [] : [{ type: 'faults-set', faults: all }], result: problems };
    });
  }

  /** Changes it, or throws what is wrong. */
  async #change(what: string, decide: (present: Present) => Deciding<readonly FakeProblem[]>): Promise<void> {
    const { result } = await this.change(decide);
    if (result.length > 0) throw new FakeError(what, result);
  }

  #stateIn(live: Live, options: At): State {
    const problems = unknownKeys(options, ['at'], 'a version');
    if (problems.length > 0) throw new FakeError('There is no such version', problems);
    return options.at === undefined ? live.state : possible('There is no such version', stateAt(live, options.at));
  }

  /** A request to this sandbox, from a caller, unless it names others itself. */
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
    const { users } = (await this.live()).state.world;
    const user = users.get(as);
    if (user === undefined)
      throw new FakeError('Nobody can ask', [{ message: unknownName('user', as, [ANONYMOUS, ...users.keys()]) }]);
    return authorization({ user: as, password: user.password ?? '' });
  }
}

/** As it would come over HTTP, so that what the program does with its own object later changes nothing here. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}

function faultProblems(fault: Fault, i: number, world: Live['state']['world']): FakeProblem[] {
  const wrong = misfits(faultSchema, fault);
  if (wrong.length > 0)
    return wrong.map(({ pointer, problem, found, property, allowed }) => {
      const name = property ?? valueAt(fault, pointer);
      const hint = typeof name === 'string' ? nearest(name, allowed) : '';
      return { message: `${problem}${hint}, and it is ${found}`, pointer: `/${i}${pointer}` };
    });
  return faultFlaws(fault, [i], world).map(({ path, message }) => ({ message, pointer: pointerOf(path) }));
}
