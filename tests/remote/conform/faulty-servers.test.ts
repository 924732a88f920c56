// Conform catches a few faulty servers of each kind; tests/proof/conform has one for each rule.
import { expect } from 'chai';
import { faultyServers } from '../../../bench/mutants/list.js';
import { ruleIds } from '../../../server/remote/conform/suite.js';
import { expectBitten, expectDisbelieved, telling, titleOf } from '../../support/other-servers/bitten.js';
import { type Prepared, prepared } from '../../support/other-servers/conforming.js';

/** Every server is also checked for these rules, so that a fault which breaks them too is seen. */
const withoutOneOfTheirOwn = ['address.no-context-path'];
/** Resources of the wiki and of push and pull. */
const some = ['groups.add-users', 'spaces.replace-body', 'ppf.needs-recipient'];
/** The rules to check: these, and neighbours that they keep. */
const asked = [...some, 'groups.set-users', 'spaces.copy-remove-admin', 'ppf.push', 'ppf.invalid-is-400'];

describe('a faulty server, in short', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared(asked);
  });

  for (const server of faultyServers.filter(({ rule }) => some.includes(rule)))
    it(titleOf(server), () => expectBitten(server, plan, asked));

  for (const server of faultyServers.filter(({ unseen }) => unseen !== undefined).slice(0, 1))
    it(titleOf(server), () => expectBitten(server, plan, asked));

  it('never conforms to ppf.push: ppf.push does nothing', () => expectDisbelieved('ppf.push', telling, plan));

  it('exists for each rule', () => {
    const broken = faultyServers.flatMap(({ rule }) => rule);
    expect(ruleIds.filter(rule => !broken.includes(rule))).to.deep.equal(withoutOneOfTheirOwn);
  });
});
