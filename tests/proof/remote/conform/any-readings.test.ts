// A server that keeps every rule contradicts none, under any readings. `CONFORM_RUNS` sets how many are tried: 200 take two minutes.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { ruleIds } from '../../../../server/remote/conform/suite.js';
import { conformed, prepared, rulesThat } from '../../../support/other-servers/conforming.js';
import { anyReadings, asForeign, fakeUnder, silent } from '../../../support/other-servers/outside.js';

const numRuns = Number(process.env.CONFORM_RUNS ?? 12);

describe('a server that keeps every rule', function () {
  this.timeout(60_000 + numRuns * 15_000);

  it('contradicts none under any readings, whether the hosts are read or not', async () => {
    const plan = await prepared();
    await fc.assert(
      fc.asyncProperty(anyReadings, fc.boolean(), async (readings, isReadingBack) => {
        const fake = await fakeUnder(readings, silent);
        const found = await conformed(asForeign(fake), plan, ruleIds, isReadingBack);
        fake.end();
        expect(rulesThat('contradicts', found)).to.deep.equal([]);
        expect(rulesThat('conforms', found).length).to.be.above(20);
      }),
      { numRuns },
    );
  });
});
