// The result of each interaction: its outcome, what decided the answer, and its classification.
import type { Finding } from '../../server/derive/document/document-check.js';
import type { GapId } from '../../server/operations/gaps/gaps.js';
import type { Contract, Interaction } from './contract.js';

/** One difference between the answer and the expectation. */
export interface Difference {
  readonly part: 'status' | 'header' | 'body';
  /** The name of the header, or the path into the body (`$.messages[0]`); empty for the status. */
  readonly place: string;
  /** The difference as a sentence. */
  readonly says: string;
}

/** The result of an interaction under one reading, instead of the configured one. */
export interface Trial {
  readonly gap: GapId;
  readonly reading: string;
  readonly passes: boolean;
  /** The first difference, if it fails. */
  readonly difference?: Difference;
}

/** The result under other readings of two gaps at once. */
export interface PairTrial {
  readonly first: { readonly gap: GapId; readonly reading: string };
  readonly second: { readonly gap: GapId; readonly reading: string };
  readonly passes: boolean;
  readonly difference?: Difference;
  /** Whether the pair shows more than each reading alone: alone, neither changes the outcome. */
  readonly isNews: boolean;
}

/** A gap that decides whether an interaction passes. */
export interface Reliance {
  readonly gap: GapId;
  /** The configured reading. */
  readonly reading: string;
  /** The other readings, each with the outcome under it. */
  readonly trials: readonly Trial[];
}

/** In `unshown`: what was requested is not part of the document. */
export const NOT_PART = 'Resources of Confluence and Jira are not part of the document.';

/** How an interaction relates to the document. */
export type Classification =
  /** The document promises what it expects: it passes whatever the readings. */
  | { readonly kind: 'documented' }
  /**
   * The readings of these gaps decide the outcome, or no reading gives what it expects and the document leaves that open; or it relies on something that
   * the document does not show, one sentence each.
   */
  | { readonly kind: 'rests'; readonly on: readonly Reliance[]; readonly unshown?: readonly string[] }
  /** It requests what the document does not allow, or expects what goes against a rule. Without rules: the document does not describe it. */
  | { readonly kind: 'contradicts'; readonly rules: readonly string[]; readonly says: readonly string[] }
  /** No request could be sent, so it is unknown. */
  | { readonly kind: 'unknown' };

/** The request and its answer. */
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
  /** `unverified`: it could not be verified; `problem` says why, and how to fix it. */
  readonly outcome: 'passed' | 'failed' | 'unverified';
  readonly problem?: string;
  /** Whether the contract or its broker marks it as pending: a failure does not count yet. */
  readonly isPending: boolean;
  /** Mistakes in the contract that do not prevent verification, one sentence each. */
  readonly warnings: readonly string[];
  readonly differences: readonly Difference[];
  /** What decided the answer. */
  readonly rules: readonly string[];
  readonly gaps: Readonly<Record<string, string>>;
  readonly classification: Classification;
  /** Where the request or the expectation violates the document. */
  readonly findings: readonly Finding[];
  /** Every other reading of every gap it touched. */
  readonly trials: readonly Trial[];
  /** Every other reading of where the provider is served, if the interaction leaves that open. */
  readonly addresses: readonly Trial[];
  /** Absent without `--sensitivity`. */
  readonly pairs?: readonly PairTrial[];
  readonly exchange?: Exchange;
  /** Milliseconds. */
  readonly duration: number;
}

/** The result of a run. */
export interface Verification {
  readonly verdicts: readonly Verdict[];
  /** The server, for people: `a fake of its own`, or a URL. */
  readonly target: string;
  /** The scenario for states that are empty. */
  readonly scenario: string;
  /** Notices about the whole run, one sentence each. */
  readonly notices: readonly string[];
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly duration: number;
}

/** Whether a verdict makes a run fail. With `isStrict`, interactions that the document does not promise fail too. */
export function counts({ outcome, classification, isPending }: Verdict, isStrict: boolean): boolean {
  if (isPending) return false;
  if (outcome !== 'passed' || classification.kind === 'contradicts') return true;
  return isStrict && classification.kind !== 'documented';
}
