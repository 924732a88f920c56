// A sandbox as the document and the design define it: a list of states by version, and its requests. Instead of the server's log,
// history, faults and journal it keeps whole copies; it imports only the shape of a request.

import { isJson, type Json, type ModelWorld, patchedWorld, readWorld, written } from './model-world.js';
import type { ModelRequest, Reply } from './operations/given.js';
import { defaults, type ModelReadings, readingsIn } from './readings.js';
import { type Performed, placeOf, refusalBody, respond } from './responses.js';

export interface ModelFault {
  readonly operation?: string;
  readonly path?: string;
  readonly caller?: string;
  readonly when?: { readonly nth?: number; readonly every?: number; readonly first?: number };
  readonly times?: number;
  readonly until?: string;
  readonly phase?: 'before' | 'after';
  readonly effect: {
    readonly status?: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly hangUp?: true;
    readonly truncateAt?: number;
    readonly partial?: { readonly succeed: number };
    /** Changes nothing but when the response comes. */
    readonly hold?: string;
    /** In seconds of the clock, for each caller. */
    readonly rateLimit?: { readonly limit: number; readonly window: number };
  };
}

interface ModelArmed {
  readonly fault: ModelFault;
  readonly matched: number;
  readonly fired: number;
  /** For a rate limit: the window and the allowed requests of each caller. */
  readonly windows?: Readonly<Record<string, { readonly since: number; readonly used: number }>>;
}

export interface Origin {
  readonly world: Json;
  readonly readings: ModelReadings;
  /** An instant, at which the clock is frozen. */
  readonly clock: string;
}

interface State {
  readonly world: ModelWorld;
  readonly readings: ModelReadings;
  readonly clock: string;
  readonly faults: readonly ModelArmed[];
}

/** The result: a response, none at all, or one that ends too early. */
export type Came = Reply | 'no response' | 'cut short';

export interface ModelEntry {
  readonly id: number;
  readonly operation: string | undefined;
  readonly status: number;
  /** Whether a fault replaced the response. */
  readonly isFault: boolean;
  readonly before: number;
  readonly version: number;
  readonly request: ModelRequest;
}

export class ModelSandbox {
  readonly states: State[];
  readonly snapshots = new Map<string, { readonly version: number; readonly at: string; readonly state: State }>();
  journal: ModelEntry[] = [];
  /** Requests that named no sandbox while others were in use. */
  leaks = 0;
  #lastId = 0;

  constructor(
    readonly origin: Origin,
    state?: State,
  ) {
    this.states = [state ?? begun(origin)];
  }

  get now(): State {
    return this.at(this.version) ?? begun(this.origin);
  }

  get version(): number {
    return this.states.length - 1;
  }

  at(version: number): State | undefined {
    return this.states[version];
  }

  /** The world as JSON, at present or at a version. */
  world(version = this.version): Json | undefined {
    const state = this.at(version);
    return state && written(state.world);
  }

  perform(request: ModelRequest): Came {
    const before = this.version;
    const { came, performed, state, isInjected } = performIn(this.now, request, this.readings());
    if (state !== undefined) this.states.push(state);
    this.#lastId += 1;
    const { operation, reply } = performed;
    const { version } = this;
    const entry = { id: this.#lastId, operation, status: reply.status, isFault: isInjected, before, version, request };
    this.journal.push(entry);
    return came;
  }

  /** The response to a request on a version, under readings that override its own, whatever faults are armed. */
  would(request: ModelRequest, version: number, under: ModelReadings): Reply {
    const { world, clock } = this.at(version) ?? this.now;
    const own = readingsIn(request.readings);
    const asked = own === undefined ? request : { ...request, readings: undefined };
    return respond(structuredClone(world), { ...this.readings(version), ...own, ...under }, clock, asked).reply;
  }

  /** One for each gap. */
  readings(version = this.version): ModelReadings {
    return { ...defaults, ...this.origin.readings, ...this.at(version)?.readings };
  }

  /** Whether such a world can be made. */
  patch(patch: Json): boolean {
    const world = patchedWorld(this.now.world, patch);
    return world !== undefined && this.#become({ ...this.now, world });
  }

  choose(readings: ModelReadings): boolean {
    return this.#become({ ...this.now, readings });
  }

  /** Replaces the armed faults. A fault for an unknown caller cannot be armed. */
  arm(faults: readonly ModelFault[]): boolean {
    const { users } = this.now.world;
    if (faults.some(({ caller = 'anonymous' }) => caller !== 'anonymous' && !users.has(caller))) return false;
    return this.#become({ ...this.now, faults: faults.map(fault => ({ fault, matched: 0, fired: 0 })) });
  }

  /** To an instant, or by seconds; `undefined` freezes the clock where it is. */
  turn(to: string | number | undefined): boolean {
    if (to === undefined) return true;
    const ms = typeof to === 'string' ? Date.parse(to) : Date.parse(this.now.clock) + to * 1000;
    return this.#become({ ...this.now, clock: instant(ms) });
  }

  keep(name: string | undefined, isReplacing: boolean): string | undefined {
    let number = this.snapshots.size + 1;
    while (name === undefined && this.snapshots.has(`snapshot-${number}`)) number += 1;
    const wanted = name ?? `snapshot-${number}`;
    if (this.snapshots.has(wanted) && !isReplacing) return undefined;
    this.snapshots.delete(wanted);
    this.snapshots.set(wanted, { version: this.version, at: this.now.clock, state: this.now });
    this.#become(this.now);
    return wanted;
  }

  restore(name: string): boolean {
    const kept = this.snapshots.get(name);
    return kept !== undefined && this.#become(kept.state);
  }

  dropSnapshot(name: string): boolean {
    return this.snapshots.delete(name) && this.#become(this.now);
  }

  rewind(version: number): boolean {
    const state = this.at(version);
    return state !== undefined && this.#become(state);
  }

  reset(): boolean {
    this.clear();
    this.#lastId = 0;
    return this.#become(begun(this.origin));
  }

  clear(): void {
    this.journal = [];
    this.leaks = 0;
  }

  fork(version = this.version): ModelSandbox | undefined {
    const state = this.at(version);
    return state && new ModelSandbox(this.origin, state);
  }

  #become(state: State): true {
    this.states.push(state);
    return true;
  }
}

function begun({ world, clock }: Origin): State {
  return { world: readWorld(world), readings: {}, clock, faults: [] };
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

interface Outcome {
  readonly came: Came;
  readonly performed: Performed;
  /** Absent: nothing has changed, not even the state of a fault. */
  readonly state?: State;
  readonly isInjected: boolean;
}

/** Applies the armed faults to a request. */
function performIn(state: State, request: ModelRequest, readings: ModelReadings): Outcome {
  const world = structuredClone(state.world);
  const performed = respond(world, readings, state.clock, request);
  const matched = state.faults.map(({ fault }) => isAbout(fault, request, performed, state.clock));
  const asked = { caller: performed.caller ?? 'anonymous', at: Date.parse(state.clock) };
  const fired = state.faults.findIndex((armed, i) => matched[i] && isDue(armed, asked));
  const faults = state.faults.map((armed, i) => ({
    ...armed,
    ...(matched[i] && windowsAfter(armed, asked)),
    matched: armed.matched + (matched[i] ? 1 : 0),
    fired: armed.fired + (i === fired ? 1 : 0),
  }));
  const { fault } = state.faults[fired] ?? {};
  if (fault === undefined) {
    const isSame = !performed.isChanged && !matched.includes(true);
    return {
      came: performed.reply,
      performed,
      isInjected: false,
      ...(!isSame && { state: { ...state, world, faults } }),
    };
  }
  const done = partly(state, fault, request, readings, performed) ?? { performed, world };
  const injected = inject(fault, done.performed, request, readings);
  const after = injected.isApplied ? done.world : state.world;
  return { ...injected, isInjected: true, state: { ...state, world: after, faults } };
}

function isAbout(fault: ModelFault, { url }: ModelRequest, { operation, caller }: Performed, clock: string): boolean {
  const [sent = ''] = url.split('?');
  const path = sent.replace(/^\/~[^/]*/, '');
  const below = path.slice(placeOf(sent)?.context.length ?? 0);
  const pattern = fault.path?.split('/').map(part => (part === '*' ? '[^/]*' : part.replace(/[^\w-]/g, '\\$&')));
  const isAt = (one: string) => new RegExp(`^${pattern?.join('/')}$`).test(one);
  return (
    (fault.operation ?? operation) === operation &&
    (pattern === undefined || [sent, path, below].some(isAt)) &&
    (fault.caller === undefined || fault.caller === caller) &&
    (fault.until === undefined || Date.parse(clock) < Date.parse(fault.until))
  );
}

interface Asked {
  readonly caller: string;
  readonly at: number;
}

/** What a caller has used of the window at a time; a new one begins if there is none, or the clock was set back. */
function windowOf({ fault, windows = {} }: ModelArmed, { caller, at }: Asked): { since: number; used: number } {
  const { window = 0 } = fault.effect.rateLimit ?? {};
  const { since, used } = windows[caller] ?? { since: at, used: 0 };
  return at >= since && at < since + window * 1000 ? { since, used } : { since: at, used: 0 };
}

function windowsAfter(armed: ModelArmed, asked: Asked): Pick<ModelArmed, 'windows'> {
  const { limit = 0 } = armed.fault.effect.rateLimit ?? {};
  const { since, used } = windowOf(armed, asked);
  return used >= limit ? {} : { windows: { ...armed.windows, [asked.caller]: { since, used: used + 1 } } };
}

function isDue(armed: ModelArmed, asked: Asked): boolean {
  const { fault, matched, fired } = armed;
  const { when = {}, times, effect } = fault;
  if (effect.rateLimit !== undefined && windowOf(armed, asked).used < effect.rateLimit.limit) return false;
  const { nth = matched + 1, every = 1, first = matched + 1 } = when;
  return (
    matched + 1 === nth && (matched + 1) % every === 0 && matched + 1 <= first && (times === undefined || fired < times)
  );
}

/** A push or pull of which only the first items are done; `undefined` if nothing is left out. */
function partly(
  state: State,
  { effect: { partial } }: ModelFault,
  request: ModelRequest,
  readings: ModelReadings,
  whole: Performed,
): { performed: Performed; world: ModelWorld } | undefined {
  const { body } = request;
  if (partial === undefined || whole.isRefused || !whole.isPpf) return undefined;
  if (body.kind !== 'json' || !isJson(body.value)) return undefined;
  const { filters = [], dashboards = [] } = body.value as { filters?: number[]; dashboards?: number[] };
  const items = [
    ...[...new Set(filters)].map(id => ['filters', id] as const),
    ...[...new Set(dashboards)].map(id => ['dashboards', id] as const),
  ];
  const left = items.slice(partial.succeed).map(([kind, id]) => `${kind.slice(0, -1)} with id ${id}`);
  if (left.length === 0) return undefined;
  const first = (kind: string) => items.slice(0, partial.succeed).flatMap(([of, id]) => (of === kind ? [id] : []));
  const value = { ...body.value, filters: first('filters'), dashboards: first('dashboards') };
  const world = structuredClone(state.world);
  const less = { ...request, body: { ...body, value } };
  const done = partial.succeed === 0 ? undefined : respond(world, readings, state.clock, less);
  const { messages = [] } = (done?.reply.body ?? {}) as { messages?: string[] }; // the response of an accepted push or pull
  const verb = whole.operation === 'ppf.push' ? 'push' : 'pull';
  const all = [...messages, ...left.map(what => `Could not ${verb} ${what}`)];
  return { performed: { ...whole, reply: { status: 200, body: { success: false, messages: all } } }, world };
}

function inject(
  { effect, phase }: ModelFault,
  performed: Performed,
  request: ModelRequest,
  readings: ModelReadings,
): { came: Came; performed: Performed; isApplied: boolean } {
  const { body, hangUp, truncateAt, rateLimit } = effect;
  const { status = rateLimit === undefined ? performed.reply.status : 429 } = effect;
  const isOwn = effect.status === undefined && body === undefined && rateLimit === undefined;
  const reply = isOwn ? performed.reply : injectedReply({ status, body }, performed.reply, request, readings);
  const isCut = truncateAt !== undefined && reply.body !== undefined && truncateAt < 10;
  const isWhole = hangUp === undefined && !isCut;
  const came = hangUp === true ? 'no response' : isCut ? 'cut short' : reply;
  return {
    came,
    performed: { ...performed, reply: { ...reply, status } },
    isApplied: phase === 'after' || (isOwn && isWhole),
  };
}

function injectedReply(
  { status, body }: ModelFault['effect'],
  own: Reply,
  request: ModelRequest,
  readings: ModelReadings,
): Reply {
  const then = status ?? own.status;
  if (then === 204 || then === 205 || then === 304 || request.method === 'HEAD') return { status: then };
  if (body !== undefined) return { status: then, body };
  return then === own.status ? own : { status: then, ...refusalBody(request, readings, then) };
}
