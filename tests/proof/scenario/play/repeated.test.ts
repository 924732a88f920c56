// Every shipped scenario gives the same bytes again, with each reading of its gap.
import { runs, testRepeated } from '../../../scenario/play/repeated.js';

testRepeated(runs);
