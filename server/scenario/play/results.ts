// What came of the steps that were played, step by step and counted. A step that is played again counts as it went last.
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

  begins(run: Run): void {
    if (!this.#runs.has(run)) this.#runs.set(run, new Map());
  }

  add(run: Run, played: Played): void {
    this.begins(run);
    this.#runs.get(run)?.set(played.index, played);
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
