// What came of each interaction, as values: whether it held, what decided, and how it stands to the document.
// Knows no report, no terminal and no verifier.
import type { Finding } from '../derive/document/document-check.js';
import type { GapId } from '../operations/gaps/gaps.js';
import type { Contract, Interaction } from './contract.js';

/** One way in which an answer was not what a contract expects. */
export interface Difference {
  readonly part: 'status' | 'header' | 'body';
  /** The name of the header, or the path into the body (`$.messages[0]`); empty for the status. */
  readonly place: string;
  /** The sentence that tells it. */
  readonly says: string;
}

/** One reading under which an interaction was tried, in the place of the one that counts. */
export interface Trial {
  readonly gap: GapId;
  readonly reading: string;
  readonly holds: boolean;
  /** The first thing that differs, where it does not hold. */
  readonly difference?: Difference;
}

/** Two gaps read otherwise at once. */
export interface PairTrial {
  readonly first: { readonly gap: GapId; readonly reading: string };
  readonly second: { readonly gap: GapId; readonly reading: string };
  readonly holds: boolean;
  readonly difference?: Difference;
  /** Whether neither reading alone would have told: alone each leaves it as it is, together they do not. */
  readonly isNews: boolean;
}

/** A gap on which it depends whether an interaction holds. */
export interface Reliance {
  readonly gap: GapId;
  /** The reading that counts. */
  readonly reading: string;
  /** The other readings, each with what becomes of the interaction under it. */
  readonly trials: readonly Trial[];
}

/** How an interaction stands to the document. */
export type Standing =
  /** What it expects the document promises: it holds whatever the readings. */
  | { readonly kind: 'documented' }
  /** It holds, or fails, by the reading of these gaps; or by an answer that the document does not show at all, one sentence each. */
  | { readonly kind: 'rests'; readonly on: readonly Reliance[]; readonly unshown?: readonly string[] }
  /** It asks for what the document does not allow, or expects what no reading of it gives. Without a rule the document knows nothing of it. */
  | { readonly kind: 'contradicts'; readonly rules: readonly string[]; readonly says: readonly string[] }
  /** It could not be asked, so nothing can be said. */
  | { readonly kind: 'unknown' };

/** What was asked and answered. */
export interface Exchange {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  };
}

export interface Verdict {
  readonly contract: Contract;
  readonly interaction: Interaction;
  /** `unverified`: it could not be tried; `problem` says why, and how to mend it. */
  readonly outcome: 'held' | 'failed' | 'unverified';
  readonly problem?: string;
  /** Whether the contract, or its broker, has it that a failure does not count yet. */
  readonly isPending: boolean;
  readonly differences: readonly Difference[];
  /** What decided the answer. */
  readonly rules: readonly string[];
  readonly gaps: Readonly<Record<string, string>>;
  readonly standing: Standing;
  /** What the request or the expectation has that the document has not, or has otherwise. */
  readonly findings: readonly Finding[];
  /** Every other reading of every gap it touched. */
  readonly trials: readonly Trial[];
  /** Every other reading of where the provider is served, where the interaction leaves that to it. */
  readonly addresses: readonly Trial[];
  /** Absent without `--sensitivity`. */
  readonly pairs?: readonly PairTrial[];
  readonly exchange?: Exchange;
  /** Milliseconds. */
  readonly duration: number;
}

/** Everything that came of a run. */
export interface Verification {
  readonly verdicts: readonly Verdict[];
  /** The server, for people: `a fake of its own`, or a URL. */
  readonly target: string;
  /** The scenario of states that are empty. */
  readonly scenario: string;
  /** What is worth telling of the run as a whole, one sentence each. */
  readonly notices: readonly string[];
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly duration: number;
}

/** Whether a verdict makes a run fail. With `isStrict` what the document does not promise counts too. */
export function counts({ outcome, standing, isPending }: Verdict, isStrict: boolean): boolean {
  if (isPending) return false;
  if (outcome !== 'held' || standing.kind === 'contradicts') return true;
  return isStrict && standing.kind !== 'documented';
}
