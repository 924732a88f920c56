// What a sandbox is at one moment, and what changes it. Pure; the shell brings the time and keeps the log.
import { evolveAll, type Fact } from '../../domain/facts.js';
import { growth, weighValue } from '../../domain/size.js';
import type { World } from '../../domain/world.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { ProfileName } from '../../operations/gaps/profiles.js';
import { type Armed, arm, type Fault } from '../faults/fault.js';
import { type Clock, timeOn } from './clock.js';

/** What a sandbox starts from and returns to: a scenario, loaded. */
export interface Origin {
  readonly scenario: string;
  readonly world: World;
  readonly profile?: ProfileName;
  readonly readings: SomeReadings;
  /** An ISO 8601 instant at which the clock stands still; absent: the clock runs. */
  readonly clock?: string;
  /** Armed from the beginning. */
  readonly faults?: readonly Fault[];
  /** Decides for faults with a chance that name no seed of their own. */
  readonly seed?: number;
  /** Whether a provider state began it: what comes after begins with the scenario of the server. */
  readonly isProviderState?: true;
  /** Roughly what its world takes in memory, where that is not shared with every sandbox of a scenario. */
  readonly bytes?: number;
}

export interface State {
  readonly origin: Origin;
  readonly world: World;
  /** Those chosen for this sandbox; they lie over those of its scenario. */
  readonly readings: SomeReadings;
  /** Absent: it runs as the machine's does. */
  readonly clock?: Clock;
  readonly faults: readonly Armed[];
  readonly size: Size;
  /** By name, the one kept longest ago first; absent: none. */
  readonly snapshots?: ReadonlyMap<string, Snapshot>;
}

/** Roughly, in bytes. */
export interface Size {
  /** What the world and the armed faults take, without what is the origin's. */
  readonly bytes: number;
  /** What has been taken away or replaced since the log began, which earlier states still have. Never less than before. */
  readonly removed: number;
}

/** A point that is kept. */
export interface Snapshot {
  /** The version whose state it is. */
  readonly version: number;
  /** The sandbox's time then. */
  readonly at: string;
  /** Without snapshots of its own. */
  readonly state: State;
}

/** What can happen to a sandbox: a fact of its world, or a change of what surrounds it. */
export type Change =
  | Fact
  /** Replaces the readings chosen for the sandbox. */
  | { readonly type: 'readings-set'; readonly readings: SomeReadings }
  /** These faults, with what has become of them, in the place of those that were armed. */
  | { readonly type: 'faults-set'; readonly faults: readonly Armed[] }
  /** A request met armed faults, by their places, and one of them may have been put in the place of its answer. */
  | { readonly type: 'faults-met'; readonly met: readonly number[]; readonly fired?: number }
  | { readonly type: 'clock-set'; readonly clock: Clock }
  /** The state before this change is kept under a name: that of version `of`. */
  | { readonly type: 'snapshot-kept'; readonly name: string; readonly of: number; readonly at: string }
  | { readonly type: 'snapshot-dropped'; readonly name: string }
  /** Back to a snapshot. */
  | { readonly type: 'restored'; readonly name: string }
  /** Back to the state of a version. */
  | { readonly type: 'rewound'; readonly to: number }
  /** Back to its scenario, in one step. */
  | { readonly type: 'sandbox-reset' };

/** What a sandbox was. */
export interface Past {
  /** The state of a version, where it is kept. */
  at(version: number): State | undefined;
}

export function begin(origin: Origin): State {
  const { world, clock, faults = [], bytes = 0 } = origin;
  const armed = arm(faults);
  return {
    origin,
    world,
    readings: {},
    faults: armed,
    size: { bytes: bytes + weighValue(armed), removed: 0 },
    ...(clock !== undefined && { clock: { stands: clock } }),
  };
}

/** `past` is that of the log in which the change stands: it may be rewound to. */
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
      return { ...state, faults: change.faults, size: sizeWith(change.faults, state) };
    case 'faults-met':
      return { ...state, faults: counted(state.faults, change.met, change.fired) };
    default:
      return evolved(state, [change]);
  }
}

/** Snapshots are no part of what is gone back to: they stay as they are. */
function backTo(then: State, { snapshots, size: { bytes, removed } }: State): State {
  const size = { bytes: then.size.bytes, removed: removed + bytes };
  return snapshots === undefined ? { ...withoutSnapshots(then), size } : { ...then, size, snapshots };
}

function evolved(state: State, facts: readonly Fact[]): State {
  const world = evolveAll(state.world, facts);
  const { added, removed } = growth(facts, { origin: state.origin.world, before: state.world, after: world });
  const bytes = Math.max(0, state.size.bytes + added - removed);
  return { ...state, world, size: { bytes, removed: state.size.removed + removed } };
}

function sizeWith(faults: readonly Armed[], { faults: before, size: { bytes, removed } }: State): Size {
  const gone = weighValue(before);
  return { bytes: Math.max(0, bytes + weighValue(faults) - gone), removed: removed + gone };
}

export function withoutSnapshots(state: State): State {
  if (state.snapshots === undefined) return state;
  const { snapshots: _, ...rest } = state;
  return rest;
}

/** Nothing is appended before it has been found, so that its absence is a bug of this program. */
function known(state: State | undefined, what: string): State {
  if (state === undefined) throw new Error(`the log goes back to ${what}, and does not tell it`);
  return state;
}

function withSnapshot(
  state: State,
  { name, of, at }: Extract<Change, { type: 'snapshot-kept' }>,
): ReadonlyMap<string, Snapshot> {
  const others = [...(state.snapshots ?? [])].filter(([other]) => other !== name);
  return new Map([...others, [name, { version: of, at, state: withoutSnapshots(state) }]]);
}

function counted(faults: readonly Armed[], met: readonly number[], fired: number | undefined): readonly Armed[] {
  const after = [...faults];
  for (const i of met) {
    const armed = after[i];
    if (armed !== undefined) after[i] = { ...armed, met: armed.met + 1, fired: armed.fired + (i === fired ? 1 : 0) };
  }
  return after;
}

export function advanceAll(state: State, changes: readonly Change[], past: Past): State {
  if (changes.every(isFact)) return evolved(state, changes);
  return changes.reduce((before, change) => advance(before, change, past), state);
}

const around: ReadonlySet<string> = new Set([
  'readings-set',
  'faults-set',
  'faults-met',
  'clock-set',
  'snapshot-kept',
  'snapshot-dropped',
  'restored',
  'rewound',
  'sandbox-reset',
]);

function isFact(change: Change): change is Fact {
  return !around.has(change.type);
}

/** The sandbox's time. */
export function timeIn(state: State, machine: Date): string {
  return timeOn(state.clock, machine);
}
