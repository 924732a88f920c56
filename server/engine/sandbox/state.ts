// The state of a sandbox and the changes to it. Pure; the session brings the time and keeps the log.
import { bytesOfFact, evolveAll, type Fact, isFactType } from '../../domain/facts.js';
import type { World } from '../../domain/world/world.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { ProfileName } from '../../operations/gaps/profiles.js';
import { type Armable, type Armed, arm, rateLimitOf } from '../faults/armed.js';
import type { Fault } from '../faults/fault.js';
import { type ArmedMatches, afterCounting } from '../faults/rate-limit.js';
import type { Stub } from '../faults/stub.js';
import type { JournalCounts } from '../journal/journal.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Clock } from './clock.js';

/** The sandbox of requests that name none. */
export const DEFAULT_SANDBOX = 'default';

/** The loaded scenario that a sandbox starts from and is reset to. */
export interface Origin {
  readonly scenario: string;
  readonly world: World;
  readonly profile?: ProfileName;
  readonly readings: SomeReadings;
  /** An ISO 8601 instant at which the clock is frozen; absent: the clock runs. */
  readonly clock?: string;
  /** Armed at the start. */
  readonly faults?: readonly Fault[];
  readonly stubs?: readonly Stub[];
  /** Random seed for faults with `chance` and no seed of their own. */
  readonly seed?: number;
  /** Whether a provider state created it: then the next sandbox begins with the server's scenario. */
  readonly isProviderState?: true;
}

export interface State {
  readonly origin: Origin;
  readonly world: World;
  /** The sandbox's own readings, over those of its scenario. */
  readonly readings: SomeReadings;
  /** Absent: it runs with the machine's clock. */
  readonly clock?: Clock;
  readonly faults: readonly Armed[];
  readonly stubs: readonly Armed<Stub>[];
  /** By name, the oldest first; absent: none. */
  readonly snapshots?: ReadonlyMap<string, Snapshot>;
}

export interface Snapshot {
  /** The version that it keeps. */
  readonly version: number;
  /** The time of the sandbox at that version. */
  readonly at: string;
  /** Without snapshots of its own. */
  readonly state: State;
}

/** A change of a sandbox: a fact of its world, or a change of its settings. */
export type Change =
  | Fact
  | { readonly type: 'readings-set'; readonly readings: SomeReadings }
  /** Replaces the armed faults, with their counts. */
  | { readonly type: 'faults-set'; readonly faults: readonly Armed[] }
  /** A request matched armed faults, by index, and one of them may have replaced its response. */
  | ({ readonly type: 'faults-matched' } & ArmedMatches)
  /** Replaces the stubs, with their counts. */
  | { readonly type: 'stubs-set'; readonly stubs: readonly Armed<Stub>[] }
  /** A request matched stubs, by index, and one of them may have answered. */
  | ({ readonly type: 'stubs-matched' } & ArmedMatches)
  | { readonly type: 'clock-set'; readonly clock: Clock }
  /** Keeps the state before this change, of version `of`, under a name. */
  | { readonly type: 'snapshot-kept'; readonly name: string; readonly of: number; readonly at: string }
  | { readonly type: 'snapshot-dropped'; readonly name: string }
  | { readonly type: 'restored'; readonly name: string }
  | { readonly type: 'rewound'; readonly to: number }
  | { readonly type: 'sandbox-reset' };

/** One request or action in the log of a sandbox. */
export interface SandboxRecord {
  /** Of one version; absent: none. */
  readonly changes?: readonly Change[] | undefined;
  /** Whether it clears the journal. */
  readonly isClearing?: true | undefined;
  readonly entry?: JournalEntry | undefined;
}

/** The state at the base of a log, and the counts of the journal there. */
export interface Checkpoint extends JournalCounts {
  readonly version: number;
  readonly state: State;
}

export interface Past {
  /** The state of a version, if kept. */
  at(version: number): State | undefined;
}

export function begin(origin: Origin): State {
  const { world, clock, faults = [], stubs = [] } = origin;
  return {
    origin,
    world,
    readings: {},
    faults: arm(faults),
    stubs: arm(stubs),
    ...(clock !== undefined && { clock: { stands: clock } }),
  };
}

export function firstCheckpoint(state: State): Checkpoint {
  return { version: 0, state, run: 0, lastId: 0, cleared: 0 };
}

/** `past`: of the log that contains the change, which may rewind to it. */
export function advance(state: State, change: Change, past: Past): State {
  switch (change.type) {
    case 'sandbox-reset':
      return backTo(begin(state.origin), state);
    case 'restored':
      return backTo(known(state.snapshots?.get(change.name)?.state, `snapshot ${change.name}`), state);
    case 'rewound':
      return backTo(known(past.at(change.to), `version ${change.to}`), state);
    case 'snapshot-kept':
      return { ...state, snapshots: withSnapshot(state, change) };
    case 'snapshot-dropped':
      return { ...state, snapshots: new Map([...(state.snapshots ?? [])].filter(([name]) => name !== change.name)) };
    case 'clock-set':
      return { ...state, clock: change.clock };
    case 'readings-set':
      return { ...state, readings: change.readings };
    case 'faults-set':
      return { ...state, faults: change.faults };
    case 'faults-matched':
      return { ...state, faults: withCounts(state.faults, change) };
    case 'stubs-set':
      return { ...state, stubs: change.stubs };
    case 'stubs-matched':
      return { ...state, stubs: withCounts(state.stubs, change) };
    default:
      return { ...state, world: evolveAll(state.world, [change]) };
  }
}

/** Restoring leaves snapshots unchanged. */
function backTo(then: State, { snapshots }: State): State {
  return snapshots === undefined ? withoutSnapshots(then) : { ...then, snapshots };
}

export function withoutSnapshots(state: State): State {
  if (state.snapshots === undefined) return state;
  const { snapshots: _, ...rest } = state;
  return rest;
}

/** The change was decided only after the state was found, so its absence is a bug. */
function known(state: State | undefined, what: string): State {
  if (state === undefined) throw new Error(`the log refers to ${what}, but does not contain it`);
  return state;
}

function withSnapshot(
  state: State,
  { name, of, at }: Extract<Change, { type: 'snapshot-kept' }>,
): ReadonlyMap<string, Snapshot> {
  const others = [...(state.snapshots ?? [])].filter(([other]) => other !== name);
  return new Map([...others, [name, { version: of, at, state: withoutSnapshots(state) }]]);
}

function withCounts<A extends Armable>(
  before: readonly Armed<A>[],
  { matched, fired, counted }: ArmedMatches,
): readonly Armed<A>[] {
  const after = [...before];
  for (const i of matched) {
    const armed = after[i];
    if (armed === undefined) continue;
    const callers = counted && rateLimitOf(armed) && { callers: afterCounting(armed, counted) };
    after[i] = { ...armed, matched: armed.matched + 1, fired: armed.fired + (i === fired ? 1 : 0), ...callers };
  }
  return after;
}

export function advanceAll(state: State, changes: readonly Change[], past: Past): State {
  if (changes.every(isFact)) return { ...state, world: evolveAll(state.world, changes) };
  return changes.reduce((before, change) => advance(before, change, past), state);
}

/** Bytes that changes count while they are kept. */
export function bytesOfChanges(changes: readonly Change[]): number {
  let bytes = 0;
  for (const change of changes) bytes += isFact(change) ? bytesOfFact(change) : JSON.stringify(change).length;
  return bytes;
}

export function isFact(change: Change): change is Fact {
  return isFactType(change.type);
}
