// What came of looking for contracts in one place, to be put together with what came of the others.
// Knows no place.
import type { Contract } from '../contract.js';
import type { NoPact } from './read-pact.js';

export interface Found {
  readonly contracts: readonly Contract[];
  /** What has to be mended before anything can be verified, one sentence each. */
  readonly problems: readonly string[];
  /** What is worth knowing, one sentence each. */
  readonly notices: readonly string[];
  /** Who does not answer, and why. */
  readonly unreachable: readonly string[];
}

export function finding(some: Partial<Found>): Found {
  return { contracts: [], problems: [], notices: [], unreachable: [], ...some };
}

/** All together, in their order. */
export function together(all: readonly Found[]): Found {
  return {
    contracts: all.flatMap(({ contracts }) => contracts),
    problems: all.flatMap(({ problems }) => problems),
    notices: all.flatMap(({ notices }) => notices),
    unreachable: all.flatMap(({ unreachable }) => unreachable),
  };
}

export function contractFound(read: Contract | NoPact): Found {
  return finding('problems' in read ? { problems: read.problems } : { contracts: [read] });
}
