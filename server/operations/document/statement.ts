// The shape of a statement of the document.
import type { GapId } from '../gaps/gaps.js';

/** A statement of the document. It has rules, gaps, or a reason for having neither. */
export interface Statement {
  /** Section and number: `4.2-3`. */
  readonly number: string;
  /** In our own words. */
  readonly says: string;
  /** Ids of rules based on it. */
  readonly rules: readonly string[];
  /** Gaps based on it. */
  readonly gaps: readonly GapId[];
  /** Why no request can show it. */
  readonly unseen?: string;
}

export interface Section {
  /** Number in the document; 0 for the part before the first section. */
  readonly number: string;
  readonly title: string;
  readonly statements: readonly Statement[];
}

interface Grounds {
  readonly rules?: readonly string[];
  readonly gaps?: readonly GapId[];
  readonly unseen?: string;
}

/** A statement without its number. */
export type StatementText = readonly [says: string, grounds: Grounds];

/** A section with its statements in order, which gives them their numbers. */
export function section(number: string, title: string, ...statements: readonly StatementText[]): Section {
  return {
    number,
    title,
    statements: statements.map(([says, { rules = [], gaps = [], unseen }], i) => ({
      number: `${number}-${i + 1}`,
      says,
      rules,
      gaps,
      ...(unseen !== undefined && { unseen }),
    })),
  };
}
