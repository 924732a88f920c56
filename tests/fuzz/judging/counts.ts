// The counts of a run: what it tried and the results.
import type { Kind } from '../cases/cases.js';

export class Counts {
  /** Requests by kind of case. */
  readonly tried = new Map<Kind, number>();
  readonly statuses = new Map<number, number>();
  /** Requests to be refused, aborted or mutated. */
  bad = 0;
  faultsFired = 0;

  get requests(): number {
    return [...this.tried.values()].reduce((sum, count) => sum + count, 0);
  }

  try(kind: Kind, requests: number): void {
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
