// The readings concluded from the responses of two hundred servers always include the hidden ones.
import { expect } from 'chai';
import { expectNeverWrong } from '../../../support/other-servers/hidden-readings.js';

describe('the readings that agree with traffic', () => {
  it('always include those of the server: 200 servers with hidden readings, called in all ways', function () {
    this.timeout(300_000);
    expect(expectNeverWrong(200)).to.be.at.least(5);
  });
});
