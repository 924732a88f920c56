// A violation of the document.
import type { GapId } from '../../operations/gaps/gaps.js';

export interface Violation {
  /** JSON pointer into that part; '' for the part itself. For a query or header: `/name`. */
  readonly pointer: string;
  /** What the document says there. */
  readonly expected: string;
  /** What the contract has there. */
  readonly found: string;
  /** The violated rule, or the gap that decides. Both absent: the document does not describe it. */
  readonly rule?: string;
  readonly gap?: GapId;
  /** The nearest valid name. */
  readonly nearest?: string;
}
