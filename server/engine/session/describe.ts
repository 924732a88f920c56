// The description of a sandbox for the control API and the library.

import { defaultReadings, gapIds, type Readings, type SomeReadings } from '../../operations/gaps/gaps.js';
import { chosenProfile, type ProfileName } from '../../operations/gaps/profiles.js';
import { timeOn } from '../sandbox/clock.js';
import { DEFAULT_SANDBOX } from '../sandbox/state.js';
import type { CachedSandbox } from './cached-sandbox.js';

export interface Description {
  readonly name: string;
  readonly scenario: string;
  /** The profile below the single readings. */
  readonly profile: ProfileName;
  /** Number of changes since it was created. */
  readonly version: number;
  /** The oldest version that it can be rewound to. */
  readonly oldest: number;
  /** Its time. */
  readonly now: string;
  /** Readings that differ from the defaults. */
  readonly readings: SomeReadings;
  /** Random seed for faults with `chance` and no seed of their own. */
  readonly seed: number;
  /** Base path of its requests. */
  readonly url: string;
  /** `bytes`: approximate memory of its entries. `evicted`: number of entries discarded to stay within the limits. */
  readonly journal: { readonly entries: number; readonly bytes: number; readonly evicted: number };
  /** Seconds since it was last used. */
  readonly idle: number;
  /** Idle time in seconds after which it expires; absent: never. */
  readonly ttl?: number;
}

export function describe(sandbox: CachedSandbox, machine: Date): Description {
  const { name, state, history, journal, readings, usedAt, ttl } = sandbox;
  return {
    name,
    scenario: state.origin.scenario,
    profile: chosenProfile(sandbox.server, state.origin),
    version: sandbox.version,
    oldest: history.from,
    now: timeOn(state.clock, machine),
    readings: differing(readings),
    seed: state.origin.seed ?? 0,
    url: name === DEFAULT_SANDBOX ? '/' : `/~${name}`,
    journal: { entries: journal.size, bytes: journal.bytes, evicted: journal.evicted },
    idle: Math.max(0, machine.getTime() - usedAt) / 1000,
    ...(name !== DEFAULT_SANDBOX && { ttl: ttl / 1000 }),
  };
}

/** The readings that differ from the defaults. */
function differing(readings: Readings): SomeReadings {
  return Object.fromEntries(
    gapIds.filter(gap => readings[gap] !== defaultReadings[gap]).map(gap => [gap, readings[gap]]),
  );
}
