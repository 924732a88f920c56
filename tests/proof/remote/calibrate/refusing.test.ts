// Calibrating a server that is broken in part: whichever operation always refuses, nothing false is concluded from it.
import { operations } from '../../../../server/operations/catalog.js';
import { type Fakes, fakes } from '../../../support/calibrating.js';
import { expectNothingFalse } from '../../../support/refusing.js';

describe('calibrating a server that is broken in part', function () {
  this.timeout(120_000);
  let all: Fakes;
  before(async () => {
    all = await fakes();
  });
  after(() => all.assembled.end());

  for (const operation of operations) {
    it(`where ${operation.id} always refuses, no gap gets a reading that the server does not follow`, () =>
      expectNothingFalse(all, operation));
  }
});
