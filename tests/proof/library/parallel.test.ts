// Two hundred tests at once on one fake.
import { testParallel } from '../../fake/parallel.js';

testParallel(200);
