// One place in which a contract departs from the document. Says neither in which part of a message it is nor how it was found.
import type { GapId } from '../../operations/gaps/gaps.js';

export interface Departure {
  /** JSON pointer into that part; '' is the part itself. For a query or header: `/name`. */
  readonly pointer: string;
  /** What the document has there, in words. */
  readonly expected: string;
  /** What the contract has there, in words. */
  readonly found: string;
  /** The rule it goes against; or the gap that decides what happens. Both absent: the document knows nothing of it. */
  readonly rule?: string;
  readonly gap?: GapId;
  /** The nearest name, where a name is wrong. */
  readonly nearest?: string;
}

/** The JSON pointer to a name within what a pointer leads to. */
export function pointerTo(name: string, within = ''): string {
  return `${within}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
