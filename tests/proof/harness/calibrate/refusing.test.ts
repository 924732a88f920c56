// Calibrating a server that is partly broken: whichever operation always refuses, no wrong reading is concluded.
import { operations } from '../../../../server/operations/catalog/catalog.js';
import { expectNothingFalse } from '../../../support/other-servers/refusing.js';

describe('calibrating a server that is partly broken', () => {
  for (const operation of operations) {
    it(`where ${operation.id} always refuses, no gap gets a reading that the server does not follow`, () =>
      expectNothingFalse(operation));
  }
});
