// Thirty tests at once on one fake. tests/proof has two hundred.
import { testParallel } from './parallel.js';

testParallel(30);
