// What came of the steps that were played, step by step and counted. A step that is played again counts as it went last; a run that
// begins again counts anew.
// Knows nothing of how results are shown.
import type { Played } from './player.js';
import type { Run } from './runs.js';

export interface Counts {
  /** However often each was played, and also those without steps. */
  readonly scenarios: number;
  readonly held: number;
  readonly failed: number;
  readonly skipped: number;
}

export class Results {
  readonly #runs = new Map<Run, Map<number, Played>>();
  #hasShown = false;
  #left: string | undefined;

  /** Nothing counts any more of this run, nor of those that began after it. */
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

  /** It was ended before its end, of free will: `at step 2 of 11`. */
  isLeft(where: string): void {
    this.#left = where;
  }

  /** Where it was ended before its end. */
  get left(): string | undefined {
    return this.#left;
  }

  /** `empty`: nothing failed, and nothing held. Who leaves once something was played has seen enough, whatever counts by then. */
  get outcome(): 'held' | 'failed' | 'empty' {
    const { held, failed } = this.counts();
    if (failed > 0) return 'failed';
    return held > 0 || (this.#left !== undefined && this.#hasShown) ? 'held' : 'empty';
  }

  /** Each run with its steps, in the order in which they stand. */
  all(): ReadonlyArray<readonly [run: Run, steps: readonly Played[]]> {
    return [...this.#runs].map(([run, steps]) => [run, [...steps.values()].sort((a, b) => a.index - b.index)]);
  }

  counts(): Counts {
    const steps = this.all().flatMap(([, played]) => played);
    const many = (outcome: Played['outcome']) => steps.filter(step => step.outcome === outcome).length;
    const scenarios = new Set([...this.#runs.keys()].map(({ loaded }) => loaded));
    return { scenarios: scenarios.size, held: many('held'), failed: many('failed'), skipped: many('skipped') };
  }
}

/** `3 scenarios, 17 steps held, 1 failed, 2 skipped`. */
export function countsText({ scenarios, held, failed, skipped }: Counts): string {
  const plural = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;
  return `${plural(scenarios, 'scenario')}, ${plural(held, 'step')} held, ${failed} failed, ${skipped} skipped`;
}

/** The counts, and where it was ended if that was before its end. */
export function summaryText(results: Results): string {
  const { left } = results;
  return `${countsText(results.counts())}${left === undefined ? '' : `, ended ${left}`}`;
}
