// Proof that conform bites: each faulty server contradicts just the rule that it breaks, and what nobody outside can see contradicts none.
import { faultyServers } from '../../../../bench/mutants/list.js';
import { expectBitten, titleOf } from '../../../support/bitten.js';
import { type Prepared, prepared } from '../../../support/conforming.js';

describe('a faulty server', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });
  after(() => plan.own.end());

  for (const server of faultyServers) it(titleOf(server), () => expectBitten(server, plan));
});
