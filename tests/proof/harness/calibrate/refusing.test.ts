// Calibrating a server that is partly broken: whichever operation always refuses, no wrong reading is concluded.
import { operations } from '../../../../server/operations/catalog/catalog.js';
import { type Fakes, fakes } from '../../../support/other-servers/calibrating.js';
import { expectNothingFalse } from '../../../support/other-servers/refusing.js';

describe('calibrating a server that is partly broken', function () {
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
