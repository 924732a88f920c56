// What a sandbox tells of itself at one moment, the same to whoever asks. Knows neither HTTP nor the library.
import { defaultReadings, gapIds, type Readings, type SomeReadings } from '../../operations/gaps/gaps.js';
import { chosenProfile, type ProfileName } from '../../operations/gaps/profiles.js';
import type { Sandbox } from './cached-sandbox.js';
import { DEFAULT_SANDBOX } from './session.js';
import { timeIn } from './state.js';

export interface Description {
  readonly name: string;
  readonly scenario: string;
  /** The named set of readings over which single ones lie. */
  readonly profile: ProfileName;
  /** Counts the changes since it was made. */
  readonly version: number;
  /** The oldest version that is kept, to which it can be rewound. */
  readonly oldest: number;
  /** Its time. */
  readonly now: string;
  /** Those that differ from the defaults. */
  readonly readings: SomeReadings;
  /** Decides for faults with a chance that name no seed of their own. */
  readonly seed: number;
  /** Its own base path. */
  readonly url: string;
  /** `bytes`: roughly what its entries keep in memory. `evicted`: how many were let go to keep within the bounds. */
  readonly journal: { readonly entries: number; readonly bytes: number; readonly evicted: number };
  /** Seconds since it was last used. */
  readonly idle: number;
  /** Seconds for which it may be idle; absent: for ever. */
  readonly ttl?: number;
}

export function describe(sandbox: Sandbox, machine: Date): Description {
  const { name, state, head, history, journal, readings, usedAt, ttl } = sandbox;
  return {
    name,
    scenario: state.origin.scenario,
    profile: chosenProfile(sandbox.server, state.origin),
    version: head.version,
    oldest: history.from,
    now: timeIn(state, machine),
    readings: differing(readings),
    seed: state.origin.seed ?? 0,
    url: name === DEFAULT_SANDBOX ? '/' : `/~${name}`,
    journal: { entries: journal.size, bytes: journal.bytes, evicted: journal.evicted },
    idle: Math.max(0, machine.getTime() - usedAt) / 1000,
    ...(name !== DEFAULT_SANDBOX && { ttl: ttl / 1000 }),
  };
}

/** The readings that are not the defaults. */
function differing(readings: Readings): SomeReadings {
  return Object.fromEntries(
    gapIds.filter(gap => readings[gap] !== defaultReadings[gap]).map(gap => [gap, readings[gap]]),
  );
}
