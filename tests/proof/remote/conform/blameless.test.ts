// A server that fails at random, or is odd where the document leaves something open, contradicts no rule.
import { expect } from 'chai';
import { lists } from '../../../../bench/conform/all-lists.js';
import type { OneFault } from '../../../../bench/conform/faults.js';
import { proxied } from '../../../../bench/conform/proxied-server.js';
import type { SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { telling } from '../../../support/other-servers/bitten.js';
import { conformed, type Prepared, prepared, rulesThat } from '../../../support/other-servers/conforming.js';

describe('a server that breaks no rule', function () {
  this.timeout(180_000); // beside three other files
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  const blames = async (change: OneFault['change'], readings: SomeReadings = {}, isReadingBack = false) => {
    const { target, end } = await proxied(typeof change === 'function' ? change() : change, readings);
    const found = await conformed(target, plan, undefined, isReadingBack);
    end();
    return rulesThat('contradicts', found);
  };

  for (const { description, change } of lists.flatMap(({ blameless }) => blameless))
    it(`contradicts none: ${description}`, async () => expect(await blames(change)).to.deep.equal([]));

  const readBack = ['developer', 'tester'];
  for (const { description, change } of lists.flatMap(one => (readBack.includes(one.name) ? one.blameless : [])))
    it(`contradicts none where effects are read back: ${description}`, async () =>
      expect(await blames(change, telling, true)).to.deep.equal([]));
});
