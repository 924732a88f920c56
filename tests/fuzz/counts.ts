// What a run has tried and what came of it, in numbers.
import type { Kind } from './cases.js';

export class Counts {
  /** Requests by kind of case. */
  readonly tried = new Map<Kind, number>();
  readonly statuses = new Map<number, number>();
  cases = 0;
  connections = 0;
  /** Requests that were to be refused, broken off or changed. */
  bad = 0;
  faultsFired = 0;
  /** Requests that were performed and whose answer nobody waited for. */
  unheard = 0;
  /** Entries that readers of events were told. */
  events = 0;
  forks = 0;
  /** Answers that a second reader has read too. */
  secondOpinions = 0;
  /** Milliseconds from the last byte of a plain request to its whole answer. */
  readonly latencies: number[] = [];

  get requests(): number {
    return [...this.tried.values()].reduce((sum, count) => sum + count, 0);
  }

  try(kind: Kind, requests: number): void {
    this.cases += 1;
    this.tried.set(kind, (this.tried.get(kind) ?? 0) + requests);
    if (bad.has(kind)) this.bad += requests;
  }

  answered(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

const bad: ReadonlySet<Kind> = new Set([
  'malformed',
  'a wrong length',
  'cut off',
  'reset',
  'bytes changed',
  'control, bytes changed',
]);
