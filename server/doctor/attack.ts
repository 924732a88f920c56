// The shape of an attack and its verdict.
import type { Instance } from './instance.js';
import type { Finding, Trial } from './trial.js';

export interface Attack {
  /** Unique; lower case and hyphens. */
  readonly name: string;
  /** The defended property, in one sentence. */
  readonly defends: string;
  /** The method, in one sentence. */
  readonly tries: string;
  /** The remedy, in one sentence. */
  readonly remedy: string;
  /** Whether it needs a sandbox of its own, and thus the control API. */
  readonly needsSandbox?: true;
  /** Whether it takes as long as the patience: only in a thorough examination, in parallel with the others. */
  readonly waits?: true;
  /** Rejects with `Unreachable` if the server does not answer. */
  run(instance: Instance): Promise<Finding>;
}

/** `not finished`: the time was over, or the run was interrupted. */
export type Judgement = 'passed' | 'open' | 'not applicable' | 'not finished' | 'failed to ask';

export interface Verdict {
  readonly attack: Attack;
  readonly judgement: Judgement;
  /** The finding in one line. */
  readonly says: string;
  /** All trials. */
  readonly trials: readonly Trial[];
  /** Milliseconds. */
  readonly duration: number;
}
