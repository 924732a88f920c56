// Prepares entries that a proxy forwarded: finds the readings under which this fake answers like the other server, and the entries that it answers
// alike. Pure.
import { isSame } from '../../domain/form/patch.js';
import type { World } from '../../domain/world/world.js';
import type { Stub } from '../../engine/faults/stub.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import { replayEntry, urlWithin } from '../../engine/look-back/replay-entry.js';
import { bodyOf } from '../../engine/patterns/match.js';
import type { RequestOutcome } from '../../engine/sandbox/decide-request.js';
import { advanceAll, begin, type State } from '../../engine/sandbox/state.js';
import {
  type GapId,
  isGapId,
  layReadings,
  type Readings,
  readingNames,
  type SomeReadings,
} from '../../operations/gaps/gaps.js';
import { stubFor } from './forwarded-stub.js';

/** An entry without a step, and why. */
export interface LeftOut {
  readonly entry: number;
  readonly asked: string;
  readonly why: string;
}

export interface Fitted {
  /** The entries that this fake answers in the same way, with its own responses. */
  readonly entries: readonly JournalEntry[];
  /** The readings of forwarded entries. */
  readonly readings: Readings;
  readonly leftOut: readonly LeftOut[];
  /** Entries whose status is the only thing in common with the other server. */
  readonly statusOnly: ReadonlySet<number>;
  /** What answers instead of the other server, by entry. */
  readonly stubs: ReadonlyMap<number, Stub>;
}

/** The world and the readings of the sandbox before the first entry, and the time of all. */
interface Ground {
  readonly world: World;
  readonly readings: Readings;
  readonly now: string;
}

/** How similar a response is to that of the other server. */
type Likeness = 'other' | 'status' | 'same';

/** Maximum number of gaps whose readings are changed to explain one response. */
const DEEPEST = 3;

/** Maximum number of further attempts. */
const MOST_ATTEMPTS = 20;

/** The reading that explains an early response may not be the one that explains a later one, too: then others are tried from the beginning. */
export function fitted(entries: readonly JournalEntry[], ground: Ground): Fitted {
  let best = fittedUnder({}, entries, ground);
  const tried = new Set<GapId>();
  for (let attempts = 0; attempts < MOST_ATTEMPTS; ) {
    const [gap] = best.doubted.filter(one => !tried.has(one));
    if (gap === undefined) break;
    tried.add(gap);
    for (const reading of readingNames(gap)) {
      if (reading === best.readings[gap]) continue;
      attempts += 1;
      const other = fittedUnder({ ...best.fixed, [gap]: reading }, entries, ground);
      if (other.leftOut.length < best.leftOut.length) best = other;
    }
  }
  return best;
}

function fittedUnder(fixed: SomeReadings, entries: readonly JournalEntry[], ground: Ground) {
  const fitting = new Fitting(entries, ground, fixed);
  const fit = entries.flatMap(entry => fitting.take(entry) ?? []);
  const { readings, leftOut, statusOnly, stubs, doubted } = fitting;
  return { entries: fit, readings, leftOut, statusOnly, stubs, fixed, doubted: [...doubted] };
}

class Fitting {
  readonly leftOut: LeftOut[] = [];
  readonly statusOnly = new Set<number>();
  readonly stubs = new Map<number, Stub>();
  /** Gaps that decided about responses that differ. */
  readonly doubted = new Set<GapId>();
  readings: Readings;
  #state: State;
  readonly #now: string;
  readonly #candidates: ReadonlyMap<GapId, readonly string[]>;
  /** Gaps whose readings have explained a response. */
  readonly #settled: Set<GapId>;

  constructor(entries: readonly JournalEntry[], { world, readings, now }: Ground, fixed: SomeReadings) {
    this.#settled = new Set(Object.keys(fixed) as GapId[]);
    this.#state = begin({ scenario: '', world, readings: {} });
    this.#now = now;
    this.#candidates = candidatesIn(entries);
    const narrowed = [...this.#candidates].filter(([gap, left]) => !left.includes(readings[gap]));
    const first = Object.fromEntries(narrowed.map(([gap, [one]]) => [gap, one]));
    this.readings = layReadings(readings, { ...first, ...fixed });
  }

  /** The entry as this fake would have written it; `undefined`: it is left out. */
  take(entry: JournalEntry): JournalEntry | undefined {
    const { forwarded, endpoint } = entry;
    if (forwarded === undefined) return entry;
    const stub = endpoint === undefined ? stubFor(entry) : undefined;
    if (stub !== undefined && !('why' in stub)) return this.#stubbed(entry, stub);
    const found = this.#explanation(entry, {}, DEEPEST);
    if (found.likeness === 'other') {
      for (const gap of Object.keys(found.outcome.result.gaps) as GapId[]) this.doubted.add(gap);
      if (stub !== undefined) return this.#leave(entry, stub.why);
      const { status } = found.outcome.result.response;
      return this.#leave(entry, `In this world, the fake responds with ${status}, not with ${entry.response.status}.`);
    }
    if (found.likeness === 'status' || entry.base !== undefined) this.statusOnly.add(entry.id);
    const { result, changes } = found.outcome;
    for (const gap of Object.keys(result.gaps) as GapId[]) this.#settled.add(gap); // a provenance contains no others
    this.readings = layReadings(this.readings, found.readings);
    this.#state = advanceAll(this.#state, changes, { at: () => undefined });
    return { ...entry, response: result.response, rules: [] };
  }

  /** The entry as a stub answers it. */
  #stubbed(entry: JournalEntry, stub: Stub): JournalEntry {
    this.stubs.set(entry.id, stub);
    const world = { scenario: '', world: this.#state.world, readings: {}, stubs: [stub] };
    const { result } = replayEntry({ ...entry, at: this.#now }, begin(world), { readings: this.readings });
    return { ...entry, response: result.response };
  }

  #leave(entry: JournalEntry, why: string): undefined {
    this.leftOut.push({ entry: entry.id, asked: `${entry.method} ${urlWithin(entry)}`, why });
  }

  /** The readings, over those so far, under which the response is most similar to that of the other server. */
  #explanation(entry: JournalEntry, readings: SomeReadings, depth: number): Explanation {
    const at = { ...entry, at: this.#now };
    const outcome = replayEntry(at, this.#state, { readings: this.readings }, readings);
    let best: Explanation = { readings, outcome, likeness: likenessOf(outcome, entry) };
    if (best.likeness === 'same' || depth === 0) return best;
    for (const [gap, own] of Object.entries(outcome.result.gaps) as Array<[GapId, string]>) {
      if (this.#settled.has(gap) || Object.hasOwn(readings, gap)) continue;
      for (const reading of this.#candidates.get(gap) ?? readingNames(gap)) {
        if (reading === own) continue;
        const other = this.#explanation(entry, { ...readings, [gap]: reading }, depth - 1);
        if (other.likeness === 'same') return other;
        if (best.likeness === 'other') best = other;
      }
    }
    return best;
  }
}

interface Explanation {
  readonly readings: SomeReadings;
  readonly outcome: RequestOutcome;
  readonly likeness: Likeness;
}

/** For each gap that some response shows, the readings that agree with all of these responses; gaps without such a reading are left out. */
function candidatesIn(entries: readonly JournalEntry[]): ReadonlyMap<GapId, readonly string[]> {
  const left = new Map<GapId, readonly string[]>();
  for (const { forwarded } of entries)
    for (const [gap, agreeing = []] of Object.entries(forwarded?.agrees ?? {}))
      if (isGapId(gap))
        left.set(
          gap,
          (left.get(gap) ?? readingNames(gap)).filter(reading => agreeing.includes(reading)),
        );
  return new Map([...left].filter(([, readings]) => readings.length > 0));
}

function likenessOf({ result: { response } }: RequestOutcome, { response: seen }: JournalEntry): Likeness {
  if (response.status !== seen.status) return 'other';
  return isSame(bodyOf({ text: response.body ?? '' }), bodyOf({ text: seen.body ?? '' })) ? 'same' : 'status';
}
