// Shipped scenarios give the same bytes again: the demos, the rules, and one probe of each gap. tests/proof has all of them.
import { shippedRuns } from '../../support/scenarios/shipped-runs.js';
import { testRepeated } from './repeated.js';

const runs = shippedRuns();
testRepeated(runs.filter(({ name, probed }, i) => probed === undefined || runs[i - 1]?.name !== name));
