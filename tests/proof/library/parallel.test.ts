// Two hundred tests at once on one fake.
import { testParallel } from '../../library/parallel.js';

testParallel(200);
