// The shape of a statement of the document, and how one is written down.
import type { GapId } from '../gaps/gaps.js';

/** One thing that the document says, or says that it does not show. It has a rule, a gap, or a reason why neither can be. */
export interface Statement {
  /** Its section and its place there: `4.2-3`. */
  readonly number: string;
  /** In our own words. */
  readonly says: string;
  /** The ids of the rules that rest on it. */
  readonly rules: readonly string[];
  /** The gaps that it leaves open. */
  readonly gaps: readonly GapId[];
  /** Why no request shows whether a server keeps it. */
  readonly unseen?: string;
}

export interface Section {
  /** As the document numbers it; 0 stands for what comes before its first section. */
  readonly number: string;
  readonly title: string;
  readonly statements: readonly Statement[];
}

interface Grounds {
  readonly rules?: readonly string[];
  readonly gaps?: readonly GapId[];
  readonly unseen?: string;
}

/** A section with its statements in their order, from which they get their numbers. */
export function section(
  number: string,
  title: string,
  ...statements: readonly (readonly [says: string, grounds: Grounds])[]
): Section {
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
