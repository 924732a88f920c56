// The gaps that a response names, on many random requests.
import { testDecidingGaps } from '../../../engine/request/deciding-gaps.js';

describe('the gaps of a response', () => {
  testDecidingGaps(6_000);
});
