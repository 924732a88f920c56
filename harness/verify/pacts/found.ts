// The result of looking for contracts in one place, and how several results are combined.
import type { Contract } from '../contract/contract.js';
import type { NoPact } from './read-pact.js';

export interface Found {
  readonly contracts: readonly Contract[];
  /** Errors that prevent verification, one sentence each. */
  readonly problems: readonly string[];
  /** Notices, one sentence each. */
  readonly notices: readonly string[];
  /** Servers that do not answer, one sentence each. */
  readonly unreachable: readonly string[];
}

export function finding(some: Partial<Found>): Found {
  return { contracts: [], problems: [], notices: [], unreachable: [], ...some };
}

/** An error that prevents verification. */
export function problem(...problems: readonly string[]): Found {
  return finding({ problems });
}

/** All results combined, in their order. */
export function together(all: readonly Found[]): Found {
  return {
    contracts: all.flatMap(({ contracts }) => contracts),
    problems: all.flatMap(({ problems }) => problems),
    notices: all.flatMap(({ notices }) => notices),
    unreachable: all.flatMap(({ unreachable }) => unreachable),
  };
}

export function contractFound(read: Contract | NoPact): Found {
  return finding('problems' in read ? read : { contracts: [read] });
}
