// How far back a sandbox can go: its states by version, a pointer each, bounded by count and by bytes, so that a million changes
// leave the memory as it was. Says where the log may begin; knows no store.

import type { Change, Past, State } from './state.js';
import { weigh } from './weight.js';

/**
 * Beyond so many versions, or so many bytes, the oldest are let go until three quarters are left. Where the log has just gone far back, so that
 * it could begin nowhere but at its end, there may be twice as much until the next change.
 */
export interface HistoryLimits {
  readonly versions: number;
  readonly bytes: number;
}

const usual: HistoryLimits = { versions: 1024, bytes: 16 * 1024 * 1024 };
const KEPT = 3 / 4;

/** A version and the state that it has. */
export interface Mark {
  readonly version: number;
  readonly state: State;
}

/** What is kept of the past: the states of the versions from one up to another. */
export interface Reach extends Past {
  readonly from: number;
  readonly to: number;
}

/** Something that happened, with the version that it led to. */
export type Happened = Change & { readonly version: number };

interface Step {
  readonly changes: readonly Change[];
  /** The state afterwards. */
  readonly state: State;
  /** Roughly, what it takes to keep the state before it as well. */
  readonly bytes: number;
}

export class History implements Reach {
  #oldest: Mark;
  /** What came after the oldest, one for each version. */
  #steps: Step[] = [];
  #bytes = 0;

  constructor(
    oldest: Mark,
    private readonly limits: HistoryLimits = usual,
  ) {
    this.#oldest = oldest;
  }

  /** The oldest version that is kept. */
  get from(): number {
    return this.#oldest.version;
  }

  /** The latest. */
  get to(): number {
    return this.#oldest.version + this.#steps.length;
  }

  /** Roughly, what it takes to keep the states before the latest. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The state of a version, where it is kept. */
  at(version: number): State | undefined {
    return version === this.from ? this.#oldest.state : this.#steps[version - this.from - 1]?.state;
  }

  /** What happened after one version and up to another, both of which are kept. */
  between(version: number, upTo: number): Happened[] {
    return this.#steps
      .slice(version - this.from, upTo - this.from)
      .flatMap(({ changes }, i) => changes.map(change => ({ version: version + i + 1, ...change })));
  }

  /** What led to each version after one, which is kept. */
  after(version: number): ReadonlyArray<readonly Change[]> {
    return this.#steps.slice(version - this.from).map(({ changes }) => changes);
  }

  /** Takes in what led to the next version. */
  add(changes: readonly Change[], state: State): void {
    const before = this.#steps.at(-1)?.state ?? this.#oldest.state;
    const bytes = weigh(changes, before, state);
    this.#steps.push({ changes, state, bytes });
    this.#bytes += bytes;
  }

  /** Where it has grown too long, where it should begin; the state before the latest change is kept, whatever it weighs. */
  get excess(): Mark | undefined {
    const { versions, bytes: most } = this.limits;
    if (this.#steps.length <= versions && this.#bytes <= most) return undefined;
    let bytes = this.#bytes;
    let count = 0;
    while (count < this.#steps.length - 1 && (this.#steps.length - count > versions * KEPT || bytes > most * KEPT)) {
      bytes -= this.#steps[count]?.bytes ?? 0;
      count += 1;
    }
    const version = this.#tellable(this.from + count);
    const state = this.at(version);
    const isAll = version === this.to && this.#steps.length <= 2 * versions && this.#bytes <= 2 * most;
    return isAll || version === this.from || state === undefined ? undefined : { version, state };
  }

  /** Lets go of what was before a version that is kept. */
  begin(version: number): void {
    const state = this.at(version);
    if (version <= this.from || state === undefined) return;
    const gone = this.#steps.splice(0, version - this.from);
    for (const step of gone) this.#bytes -= step.bytes;
    this.#oldest = { version, state };
  }

  /** The first version from here on that the log can begin with: it must not lose what a later entry goes back to. */
  #tellable(version: number): number {
    let first = version;
    for (const [i, { changes }] of this.#steps.entries()) {
      const own = this.from + i + 1;
      const [change] = changes; // going back is an entry of its own
      if (change?.type === 'rewound' && change.to < first && first < own) first = own;
    }
    return first;
  }
}

/** Why something cannot be done with the past of a sandbox. */
export interface HistoryError {
  /** `let-go`: it was there, and is kept no longer. */
  readonly code: 'taken' | 'full' | 'unknown' | 'let-go';
  /** What, where, and what would be right. */
  readonly message: string;
}

export function isHistoryError(value: object): value is HistoryError {
  return 'code' in value;
}
