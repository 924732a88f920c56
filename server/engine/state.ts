// What a sandbox is at one moment, and what changes it. Pure; the shell brings the time and keeps the log.
import { evolve, evolveAll, type Fact } from '../domain/facts.js';
import type { World } from '../domain/world.js';
import type { SomeReadings } from '../operations/gaps.js';
import { type Armed, arm, type Fault } from './fault.js';

/** What a sandbox starts from and returns to: a scenario, loaded. */
export interface Origin {
  readonly scenario: string;
  readonly world: World;
  readonly readings: SomeReadings;
  /** An ISO 8601 instant at which the clock stands still; absent: the clock runs. */
  readonly clock?: string;
  /** Armed from the beginning. */
  readonly faults?: readonly Fault[];
}

export interface State {
  readonly origin: Origin;
  readonly world: World;
  /** Those chosen for this sandbox; they lie over those of its scenario. */
  readonly readings: SomeReadings;
  readonly clock?: string;
  readonly faults: readonly Armed[];
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
  /** Back to its scenario, in one step. */
  | { readonly type: 'sandbox-reset' };

export function begin(origin: Origin): State {
  const { world, clock, faults = [] } = origin;
  return { origin, world, readings: {}, faults: arm(faults), ...(clock !== undefined && { clock }) };
}

export function advance(state: State, change: Change): State {
  switch (change.type) {
    case 'sandbox-reset':
      return begin(state.origin);
    case 'readings-set':
      return { ...state, readings: change.readings };
    case 'faults-set':
      return { ...state, faults: change.faults };
    case 'faults-met':
      return { ...state, faults: counted(state.faults, change.met, change.fired) };
    default:
      return { ...state, world: evolve(state.world, change) };
  }
}

function counted(faults: readonly Armed[], met: readonly number[], fired: number | undefined): readonly Armed[] {
  return faults.map((armed, i) =>
    met.includes(i) ? { ...armed, met: armed.met + 1, fired: armed.fired + (i === fired ? 1 : 0) } : armed,
  );
}

export function advanceAll(state: State, changes: readonly Change[]): State {
  if (changes.every(isFact)) return { ...state, world: evolveAll(state.world, changes) };
  return changes.reduce(advance, state);
}

const around: ReadonlySet<string> = new Set(['readings-set', 'faults-set', 'faults-met', 'sandbox-reset']);

function isFact(change: Change): change is Fact {
  return !around.has(change.type);
}

/** The sandbox's time: where its clock stands, or else the machine's. Whole seconds are written without a fraction. */
export function timeIn(state: State, machine: Date): string {
  return state.clock === undefined ? written(machine) : state.clock.replace(/\.000Z$/, 'Z');
}

/** What was written out last: the requests of one millisecond share it. */
let last = { ms: Number.NaN, text: '' };

function written(instant: Date): string {
  const ms = instant.getTime();
  if (ms !== last.ms) last = { ms, text: instant.toISOString().replace(/\.000Z$/, 'Z') };
  return last.text;
}
