// What a proxy has written down, made ready to be recorded: of readings that nothing excludes, those under which this fake answers as the other server
// did; and of the entries those that it answers alike. Pure: nothing is asked.
import { isSame } from '../../domain/form/patch.js';
import type { World } from '../../domain/world.js';
import type { Outcome } from '../../engine/faults/faulty-request.js';
import { performAgain, urlWithin } from '../../engine/journal/replay-entry.js';
import { advanceAll, begin, type State } from '../../engine/sandbox/state.js';
import {
  type GapId,
  isGapId,
  layReadings,
  type Readings,
  readingNames,
  type SomeReadings,
} from '../../operations/gaps/gaps.js';
import { bodyOf } from '../play/judging.js';
import type { Capsule, CapsuleEntry } from './capsule-format.js';

/** An entry that is in no step, and why. */
export interface LeftOut {
  readonly entry: number;
  readonly asked: string;
  readonly why: string;
}

export interface Fitted {
  /** With entries that this fake answers so itself. */
  readonly capsule: Capsule;
  readonly leftOut: readonly LeftOut[];
  /** Entries of which only the status is the other server's. */
  readonly statusOnly: ReadonlySet<number>;
}

/** How far an answer is that of the other server. */
type Likeness = 'other' | 'status' | 'same';

/** Readings are changed in at most so many gaps at once to explain one answer. */
const DEEPEST = 3;

/** `world`: the one that the capsule begins with. */
export function fitted(capsule: Capsule, world: World): Fitted {
  if (capsule.entries.every(({ forwarded }) => forwarded === undefined))
    return { capsule, leftOut: [], statusOnly: new Set() };
  const fitting = new Fitting(capsule, world);
  const entries = capsule.entries.flatMap(entry => fitting.take(entry) ?? []);
  const { readings, leftOut, statusOnly } = fitting;
  return { capsule: { ...capsule, readings, entries }, leftOut, statusOnly };
}

class Fitting {
  readonly leftOut: LeftOut[] = [];
  readonly statusOnly = new Set<number>();
  readings: Readings;
  #state: State;
  readonly #candidates: ReadonlyMap<GapId, readonly string[]>;
  /** Gaps whose readings have explained an answer. */
  readonly #settled = new Set<GapId>();

  constructor(
    private readonly capsule: Capsule,
    world: World,
  ) {
    this.#state = begin({ scenario: capsule.scenario, world, readings: {} });
    this.#candidates = candidatesIn(capsule.entries);
    const narrowed = [...this.#candidates].filter(([gap, left]) => !left.includes(capsule.readings[gap]));
    this.readings = layReadings(capsule.readings, Object.fromEntries(narrowed.map(([gap, [first]]) => [gap, first])));
  }

  /** The entry as this fake would have written it; `undefined`: it is left out. */
  take(entry: CapsuleEntry): CapsuleEntry | undefined {
    const { forwarded, operation } = entry;
    if (forwarded === undefined) return entry;
    if (operation === undefined) return this.#leave(entry, 'Another server answered it.');
    const found = this.#explanation(entry, {}, DEEPEST);
    if (found.likeness === 'other') {
      const { status } = found.outcome.result.answer;
      return this.#leave(
        entry,
        `In this world the fake answers it with ${status}, and not with ${entry.answer.status}.`,
      );
    }
    if (found.likeness === 'status') this.statusOnly.add(entry.id);
    const { result, changes } = found.outcome;
    for (const gap of Object.keys(result.gaps) as GapId[]) this.#settled.add(gap); // a provenance names no others
    this.readings = layReadings(this.readings, found.readings);
    this.#state = advanceAll(this.#state, changes, { at: () => undefined });
    return { ...entry, forwarded: undefined, answer: result.answer, rules: [] };
  }

  #leave(entry: CapsuleEntry, why: string): undefined {
    this.leftOut.push({ entry: entry.id, asked: `${entry.method} ${urlWithin(entry)}`, why });
  }

  /** The readings, over those so far, under which the answer is most like that of the other server. */
  #explanation(entry: CapsuleEntry, readings: SomeReadings, depth: number): Explanation {
    const at = { ...entry, at: this.capsule.clock.now };
    const outcome = performAgain(at, this.#state, { readings: this.readings }, readings);
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
  readonly outcome: Outcome;
  readonly likeness: Likeness;
}

/** Of each gap that some answer tells of, the readings that agree with all that do; those of which none does are not told. */
function candidatesIn(entries: readonly CapsuleEntry[]): ReadonlyMap<GapId, readonly string[]> {
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

function likenessOf({ result: { answer } }: Outcome, { answer: seen }: CapsuleEntry): Likeness {
  if (answer.status !== seen.status) return 'other';
  return isSame(valueIn(answer.body), valueIn(seen.body)) ? 'same' : 'status';
}

function valueIn(text: string | undefined): unknown {
  return text === undefined || text === '' ? undefined : bodyOf({ text });
}
