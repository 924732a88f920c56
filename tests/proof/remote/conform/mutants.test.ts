// Conform catches faults: each faulty server contradicts just the rule it breaks, and a fault that is invisible from outside contradicts none.
import { faultyServers } from '../../../../bench/mutants/list.js';
import { expectBitten, titleOf } from '../../../support/other-servers/bitten.js';
import { type Prepared, prepared } from '../../../support/other-servers/conforming.js';

describe('a faulty server', function () {
  this.timeout(180_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  for (const server of faultyServers) it(titleOf(server), () => expectBitten(server, plan));
});
