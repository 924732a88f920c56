// Collects the results of played steps. A step that is played again counts with its last result; a run that restarts counts from zero.
import { counted } from '../../derive/text/counted.js';
import type { Played } from './player.js';
import type { Run } from './runs.js';

export interface PlayCounts {
  /** Number of scenarios, also those without steps, each once. */
  readonly scenarios: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export class Results {
  readonly #runs = new Map<Run, Map<number, Played>>();
  #hasShown = false;
  #left: string | undefined;

  /** Discards the results of this run and of those that began after it. */
  begins(run: Run): void {
    const begun = [...this.#runs.keys()];
    if (this.#runs.has(run)) for (const later of begun.slice(begun.indexOf(run))) this.#runs.delete(later);
    this.#runs.set(run, new Map());
  }

  add(run: Run, played: Played): void {
    if (!this.#runs.has(run)) this.begins(run);
    this.#runs.get(run)?.set(played.index, played);
    this.#hasShown = true;
  }

  /** The user ended the play early: `at step 2 of 11`. */
  isLeft(where: string): void {
    this.#left = where;
  }

  /** Where the user ended it early. */
  get left(): string | undefined {
    return this.#left;
  }

  /** `empty`: no step failed, and none passed. A user who leaves early has seen enough for `passed`. */
  get outcome(): 'passed' | 'failed' | 'empty' {
    const { passed, failed } = this.counts();
    if (failed > 0) return 'failed';
    return passed > 0 || (this.#left !== undefined && this.#hasShown) ? 'passed' : 'empty';
  }

  /** Each run with its steps, in the order of the file. */
  all(): ReadonlyArray<readonly [run: Run, steps: readonly Played[]]> {
    return [...this.#runs].map(([run, steps]) => [run, [...steps.values()].sort((a, b) => a.index - b.index)]);
  }

  counts(): PlayCounts {
    const steps = this.all().flatMap(([, played]) => played);
    const many = (outcome: Played['outcome']) => steps.filter(step => step.outcome === outcome).length;
    const scenarios = new Set([...this.#runs.keys()].map(({ loaded }) => loaded));
    return { scenarios: scenarios.size, passed: many('passed'), failed: many('failed'), skipped: many('skipped') };
  }
}

/** `3 scenarios, 17 steps passed, 1 failed, 2 skipped`. */
export function countsText({ scenarios, passed, failed, skipped }: PlayCounts): string {
  return `${counted(scenarios, 'scenario')}, ${counted(passed, 'step')} passed, ${failed} failed, ${skipped} skipped`;
}

/** The counts, and where the play was ended early. */
export function summaryText(results: Results): string {
  const { left } = results;
  return `${countsText(results.counts())}${left === undefined ? '' : `, stopped ${left}`}`;
}
