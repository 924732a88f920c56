// Proof that conform bites: each faulty server contradicts just the rule that it breaks, and what nobody outside can see contradicts none.
import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { faultyServers } from '../../bench/mutants/list.js';
import { ruleIds } from '../../server/conform/suite.js';
import { conformed, type Prepared, prepared, rulesThat } from '../support/conforming.js';
import { bundleFolder, faulty } from '../support/faulty-server.js';
import { asForeign } from '../support/outside.js';

/** Each other rule is asked of every server with it, so that what breaks it breaks those as well. */
const withoutOneOfTheirOwn = ['address.no-context-path'];

describe('a faulty server', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });
  after(() => rmSync(bundleFolder, { recursive: true, force: true }));

  for (const server of faultyServers) {
    const { rule, says, also = [], unseen } = server;
    it(`${unseen === undefined ? 'contradicts' : 'cannot be told by'} ${rule}: ${says}`, async () => {
      const fake = await faulty(server);
      const found = await conformed(asForeign(fake), plan);
      fake.end();
      const broken = unseen === undefined ? [rule, ...also] : [];
      expect(rulesThat('contradicts', found)).to.have.members(broken);
      if (unseen !== undefined) expect(rulesThat('conforms', found)).not.to.include(rule);
      for (const { rule: id, judgement, evidence } of found.verdicts)
        if (judgement === 'contradicts') expect(evidence[0]?.played.differences, id).not.to.deep.equal([]);
    });
  }

  it('is there for each rule', () => {
    const broken = faultyServers.flatMap(({ rule }) => rule);
    expect(ruleIds.filter(rule => !broken.includes(rule))).to.deep.equal(withoutOneOfTheirOwn);
  });
});
