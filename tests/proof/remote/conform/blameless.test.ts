// A server that fails at random, or is odd where the document leaves something open, contradicts no rule.
import { expect } from 'chai';
import { developerBlameless } from '../../../../bench/conform/developer-faults.js';
import { heldOutBlameless } from '../../../../bench/conform/held-out.js';
import { openedBlameless, sealedBlameless } from '../../../../bench/conform/later-faults.js';
import { proxied } from '../../../../bench/conform/proxied-server.js';
import { unstable } from '../../../../bench/conform/proxies.js';
import { testerBlameless } from '../../../../bench/conform/tester-faults.js';
import { unseenBlameless } from '../../../../bench/conform/unseen-faults.js';
import { conformed, type Prepared, prepared, rulesThat } from '../../../support/other-servers/conforming.js';

describe('a server that breaks no rule', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });
  after(() => plan.own.end());

  for (const { description, change } of [
    ...unstable,
    ...heldOutBlameless,
    ...openedBlameless,
    ...sealedBlameless,
    ...unseenBlameless,
    ...developerBlameless,
    ...testerBlameless,
  ])
    it(`contradicts none: ${description}`, async () => {
      const { target, end } = await proxied(typeof change === 'function' ? change() : change, {});
      const found = await conformed(target, plan);
      end();
      expect(rulesThat('contradicts', found)).to.deep.equal([]);
    });
});
