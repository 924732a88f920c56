// The past states of a sandbox by version, limited by count and bytes. States share their parts. Decides where the log may begin.

import { bytesIn } from '../../domain/world/world-size.js';
import { bytesOfChanges, type Change, type Past, type State } from './state.js';

/**
 * Beyond this number of versions, bytes or records of the log, the oldest are discarded until three quarters are left. After a rewind far back, when the log could only
 * begin at its end, twice as much is allowed until the next change.
 */
interface HistoryLimits {
  readonly versions: number;
  readonly bytes: number;
  readonly records: number;
}

const usual: HistoryLimits = { versions: 1024, bytes: 16 * 1024 * 1024, records: 4096 };
const KEPT = 3 / 4;
/** Bytes that a version counts, besides its changes. */
const VERSION = 700;

export interface VersionState {
  readonly version: number;
  readonly state: State;
}

/** Where a log can begin: a version, the last record before the next one, and the latest journal entry then. */
interface LogBeginning extends VersionState {
  readonly record: number;
  /** Absent: the latest. */
  readonly lastId?: number | undefined;
}

/** The kept past: the states of a range of versions. */
export interface KeptPast extends Past {
  readonly from: number;
  readonly to: number;
}

/** A change with its version. */
export type Happened = Change & { readonly version: number };

interface Step {
  readonly changes: readonly Change[];
  readonly state: State;
  readonly bytes: number;
  /** Its number in the log, and the latest journal entry before it. */
  readonly record: number;
  readonly lastId: number;
}

/** A version that went back to another. */
interface Rewind {
  readonly version: number;
  readonly to: number;
}

export class History implements KeptPast {
  #oldest: VersionState;
  /** The changes after the oldest version, one for each version. */
  #steps: Step[] = [];
  /** Those of the steps that went back to an earlier version, in order. */
  #rewinds: Rewind[] = [];
  /** Bytes that the versions after the oldest count. Changed only here. */
  bytes = 0;

  constructor(
    oldest: VersionState,
    private readonly limits: HistoryLimits = usual,
  ) {
    this.#oldest = oldest;
  }

  get from(): number {
    return this.#oldest.version;
  }

  get to(): number {
    return this.#oldest.version + this.#steps.length;
  }

  get oldest(): State {
    return this.#oldest.state;
  }

  /** The state of a version, if kept. */
  at(version: number): State | undefined {
    return version === this.from ? this.#oldest.state : this.#steps[version - this.from - 1]?.state;
  }

  /** The changes after one version and up to another; both must be kept. */
  between(version: number, upTo: number): Happened[] {
    return this.#steps
      .slice(version - this.from, upTo - this.from)
      .flatMap(({ changes }, i) => changes.map(change => ({ version: version + i + 1, ...change })));
  }

  /** The changes after a kept version. */
  after(version: number): ReadonlyArray<readonly Change[]> {
    return this.#steps.slice(version - this.from).map(({ changes }) => changes);
  }

  add(changes: readonly Change[], state: State, record = this.to + 1, lastId = 0): void {
    const before = (this.#steps.at(-1) ?? this.#oldest).state;
    const grown = state.world === before.world ? 0 : Math.max(0, bytesIn(state.world) - bytesIn(before.world));
    const bytes = VERSION + Math.max(grown, bytesOfChanges(changes)); // the texts of changes are those of the world
    this.#steps.push({ changes, state, bytes, record, lastId });
    const [change] = changes; // rewinding is a change of its own
    if (change?.type === 'rewound') this.#rewinds.push({ version: this.to, to: change.to });
    this.bytes += bytes;
  }

  /** The first record that the oldest version does not include. */
  get firstRecord(): number | undefined {
    return this.#steps[0]?.record;
  }

  /** Where the log should begin if the history is too long; the state before the latest change is kept if it is recent. `last`: the latest record. */
  excess(last: number): LogBeginning | undefined {
    const { versions, bytes: most, records } = this.limits;
    const isFar = last - (this.firstRecord ?? last) > records;
    if (this.#steps.length <= versions && this.bytes <= most && !isFar) return undefined;
    let bytes = this.bytes;
    let count = 0;
    for (const step of this.#steps) {
      const left = this.#steps.length - count;
      const isTooLong = left > 1 && (left > versions * KEPT || bytes > most * KEPT);
      if (!isTooLong && last - step.record <= records * KEPT) break;
      bytes -= step.bytes;
      count += 1;
    }
    const version = this.#reportable(this.from + count);
    const state = this.at(version);
    const isAll = version === this.to && this.#steps.length <= 2 * versions && this.bytes <= 2 * most && !isFar;
    if (isAll || version === this.from || state === undefined) return undefined;
    const next = this.#steps[version - this.from];
    return { version, state, record: (next?.record ?? last + 1) - 1, lastId: next?.lastId };
  }

  /** Discards the versions before that of a record. */
  begin(record: number): void {
    const count = this.#steps.findLastIndex(step => step.record <= record) + 1;
    if (count === 0) return;
    const version = this.from + count;
    const state = this.at(version) ?? this.#oldest.state;
    for (const step of this.#steps.slice(0, count)) this.bytes -= step.bytes;
    this.#steps.copyWithin(0, count); // `splice` leaves arrays behind, which keep later steps from an early collection
    this.#steps.length -= count;
    this.#rewinds = this.#rewinds.filter(rewind => rewind.version > version);
    this.#oldest = { version, state };
  }

  /** The first version from here that the log can begin with, without losing the target of a later rewind. */
  #reportable(version: number): number {
    let first = version;
    for (const rewind of this.#rewinds) if (rewind.to < first && first < rewind.version) first = rewind.version;
    return first;
  }
}

/** Why something cannot be done with the past of a sandbox. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';

  /** `let-go`: it was there, and is kept no longer. `message`: what, where, and what would be right. */
  constructor(
    readonly code: 'taken' | 'full' | 'unknown' | 'let-go',
    message: string,
  ) {
    super(message);
  }
}
