// Performs the requests of a journal again, each on the state it was decided on. Pure.

import { isSame } from '../../domain/form/patch.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { redactWorld } from '../../engine/journal/redacted-state.js';
import { replayEntry } from '../../engine/look-back/replay-entry.js';
import type { Result } from '../../engine/request/result.js';
import { readingsIn } from '../../engine/sandbox/sandbox-decision.js';
import { advanceAll, begin, type State } from '../../engine/sandbox/state.js';
import type { CachedSandbox } from '../../engine/session/cached-sandbox.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import type { Fitted } from './forwarded-entries.js';

/** One request performed again. */
export interface Replayed {
  readonly entry: JournalEntry;
  readonly before: State;
  readonly readings: Readings;
  readonly result: Result;
  readonly after: State;
  /** The time at which the scenario's clock stands for it. */
  readonly now: string;
}

/** The entries whose states are kept, oldest first. */
export function replayable({ history, journal }: CachedSandbox): readonly JournalEntry[] {
  return journal.entries().filter(({ before }) => before >= history.from);
}

/** The state that an entry of `replayable` was decided on. */
export function stateDecidedOn({ history }: CachedSandbox, version: number): State {
  const state = history.at(version);
  if (state === undefined) throw new Error(`version ${version} must be kept`); // otherwise a bug
  return state;
}

/** `first`: where the scenario begins. The time advances only where it changes the response. */
export function* replay(
  sandbox: CachedSandbox,
  { entries, readings, stubs }: Fitted,
  first: JournalEntry,
): Generator<Replayed, void> {
  const { scenario } = sandbox.state.origin;
  let now = first.at;
  let state: State | undefined;
  let version = -1;
  for (const entry of entries) {
    const { forwarded } = entry;
    if (forwarded === undefined && entry.id < first.id) continue;
    if (state === undefined || (forwarded === undefined && version !== entry.before)) {
      const known = stateDecidedOn(sandbox, entry.before);
      state = { ...known, world: redactWorld(known.world) }; // as the journal is: without secrets
    }
    const before: State =
      forwarded === undefined
        ? state
        : begin({ scenario, world: state.world, readings: {}, stubs: [stubs.get(entry.id) ?? []].flat() });
    const server = forwarded === undefined ? sandbox.server : { readings };
    const isNow = forwarded !== undefined || entry.at === now;
    const { result, changes } = replayEntry(isNow ? { ...entry, at: now } : entry, before, server);
    if (!isNow && !isAlike(result, replayEntry({ ...entry, at: now }, before, server).result)) now = entry.at;
    state = advanceAll(before, changes, { at: () => undefined }); // requests never rewind
    version = forwarded === undefined ? entry.version : -1; // the world of another server has no version here
    if (entry.id < first.id) continue;
    yield {
      entry,
      before,
      readings: forwarded ? readings : readingsIn(before, sandbox.server),
      result,
      after: state,
      now,
    };
  }
}

function isAlike(one: Result, other: Result): boolean {
  return (
    isSame(one.response, other.response) &&
    isSame(one.facts, other.facts) &&
    one.injected?.name === other.injected?.name
  );
}
