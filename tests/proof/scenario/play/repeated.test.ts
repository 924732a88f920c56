// Every shipped scenario gives the same bytes again, with each reading of its gap.
import { testRepeated } from '../../../scenario/play/repeated.js';
import { shippedRuns } from '../../../support/scenarios/shipped-runs.js';

testRepeated(shippedRuns(true));
