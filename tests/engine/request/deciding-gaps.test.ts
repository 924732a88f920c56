// The gaps that a response names, on random requests; tests/proof/engine performs more.
import { testDecidingGaps } from './deciding-gaps.js';

describe('the gaps of a response', () => {
  testDecidingGaps(300);
});
