// What the answers of two hundred servers tell of their hidden readings is never wrong.
import { expect } from 'chai';
import { expectNeverWrong } from '../../../support/hidden-readings.js';

describe('what traffic tells of readings', () => {
  it('is never wrong: 200 servers of hidden readings, asked in all ways', function () {
    this.timeout(120_000);
    expect(expectNeverWrong(200)).to.be.at.least(5);
  });
});
