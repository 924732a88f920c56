// Shipped scenarios give the same bytes again: the demos, the rules, and one probe of each gap. tests/proof has all of them.
import { runs, testRepeated } from './repeated.js';

testRepeated(
  runs.filter(({ name, probed }, i) => name !== 'large' && (probed === undefined || runs[i - 1]?.name !== name)),
);
