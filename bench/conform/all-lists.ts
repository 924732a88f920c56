// The lists of faulty servers, in the order in which they were written.
import type { OneFault } from './faults.js';
import { bug, bugBlameless } from './lists/bug-faults.js';
import { developer, developerBlameless } from './lists/developer-faults.js';
import { fresh, freshBlameless } from './lists/fresh-faults.js';
import { further } from './lists/further-faults.js';
import { heldOut, heldOutBlameless } from './lists/held-out.js';
import { last, lastBlameless } from './lists/last-faults.js';
import { opened, openedBlameless, sealed, sealedBlameless } from './lists/later-faults.js';
import { natural, naturalBlameless } from './lists/natural-faults.js';
import { proxies, unstable } from './lists/proxies.js';
import { quick, quickBlameless } from './lists/quick-faults.js';
import { review, reviewBlameless } from './lists/review-faults.js';
import { tester, testerBlameless } from './lists/tester-faults.js';
import { unseen, unseenBlameless } from './lists/unseen-faults.js';

export interface FaultList {
  readonly name: string;
  readonly faulty: readonly OneFault[];
  /** Servers that look odd and break no rule. */
  readonly blameless: ReadonlyArray<Pick<OneFault, 'description' | 'change'>>;
}

export const lists: readonly FaultList[] = [
  { name: 'known', faulty: proxies, blameless: unstable },
  { name: 'once held out', faulty: heldOut, blameless: heldOutBlameless },
  { name: 'opened', faulty: opened, blameless: openedBlameless },
  { name: 'sealed', faulty: sealed, blameless: sealedBlameless },
  { name: 'unseen', faulty: unseen, blameless: unseenBlameless },
  { name: 'fresh', faulty: fresh, blameless: freshBlameless },
  { name: 'further', faulty: further, blameless: [] },
  { name: 'natural', faulty: natural, blameless: naturalBlameless },
  { name: 'last', faulty: last, blameless: lastBlameless },
  { name: 'developer', faulty: developer, blameless: developerBlameless },
  { name: 'tester', faulty: tester, blameless: testerBlameless },
  { name: 'quick', faulty: quick, blameless: quickBlameless },
  { name: 'bug', faulty: bug, blameless: bugBlameless },
  { name: 'review', faulty: review, blameless: reviewBlameless },
];
