// The large scenario gives the same bytes again.
import { runs, testRepeated } from '../../../scenario/play/repeated.js';

testRepeated(runs.filter(({ name }) => name === 'large'));
