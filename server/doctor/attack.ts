// The shape of an attack, and of the verdict on it. Knows no server.
import type { Instance } from './instance.js';
import type { Finding, Trial } from './trial.js';

export interface Attack {
  /** Small letters and hyphens; no two have the same. */
  readonly name: string;
  /** What it shows to be safe, in one sentence. */
  readonly defends: string;
  /** How it is tried, in one sentence. */
  readonly tries: string;
  /** What to do where it is open, in one sentence. */
  readonly remedy: string;
  /** Whether it acts in a sandbox of its own, which takes the control API. */
  readonly needsSandbox?: true;
  /** Whether it takes as long as the patience may be: it is tried only in a thorough examination, and goes on beside the others. */
  readonly waits?: true;
  /** Rejects with `Unreachable` where nothing can be said because nobody answers. */
  run(instance: Instance): Promise<Finding>;
}

export type Judgement = 'passed' | 'open' | 'not applicable' | 'failed to ask';

export interface Verdict {
  readonly attack: Attack;
  readonly judgement: Judgement;
  /** What was found, in one line. */
  readonly says: string;
  /** Everything that was tried. */
  readonly trials: readonly Trial[];
  /** Milliseconds. */
  readonly duration: number;
}
