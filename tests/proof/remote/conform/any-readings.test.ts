// A server that keeps every rule contradicts none, under any readings at all.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { conformed, prepared, rulesThat } from '../../../support/conforming.js';
import { anyReadings, asForeign, fakeUnder, silent } from '../../../support/outside.js';

describe('a server that keeps every rule', function () {
  this.timeout(180_000);

  it('contradicts none under any readings', async () => {
    const plan = await prepared();
    await fc.assert(
      fc.asyncProperty(anyReadings, async readings => {
        const fake = await fakeUnder(readings, silent);
        const found = await conformed(asForeign(fake), plan);
        fake.end();
        expect(rulesThat('contradicts', found)).to.deep.equal([]);
        expect(rulesThat('conforms', found).length).to.be.above(20);
      }),
      { numRuns: 50 },
    );
  });
});
