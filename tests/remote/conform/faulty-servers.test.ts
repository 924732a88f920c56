// That conform bites, by a few faulty servers of each kind; tests/proof/conform has one for each rule.
import { expect } from 'chai';
import { faultyServers } from '../../../bench/mutants/list.js';
import { ruleIds } from '../../../server/remote/conform/suite.js';
import { expectBitten, expectDisbelieved, telling, titleOf } from '../../support/bitten.js';
import { type Prepared, prepared } from '../../support/conforming.js';

/** Each other rule is asked of every server with it, so that what breaks it breaks those as well. */
const withoutOneOfTheirOwn = ['address.no-context-path'];
/** Of the resources of the wiki and of push and pull. */
const some = ['groups.add-users', 'spaces.replace-body', 'ppf.needs-recipient'];
/** What they are asked for: these, and neighbours that they keep. */
const asked = [...some, 'groups.set-users', 'spaces.copy-remove-admin', 'ppf.push', 'ppf.invalid-is-400'];

describe('a faulty server, in short', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared(asked);
  });
  after(() => plan.own.end());

  for (const server of faultyServers.filter(({ rule }) => some.includes(rule)))
    it(titleOf(server), () => expectBitten(server, plan, asked));

  for (const server of faultyServers.filter(({ unseen }) => unseen !== undefined).slice(0, 1))
    it(titleOf(server), () => expectBitten(server, plan, asked));

  it('is never said to conform to ppf.push: ppf.push does nothing', () => expectDisbelieved('ppf.push', telling, plan));

  it('is there for each rule', () => {
    const broken = faultyServers.flatMap(({ rule }) => rule);
    expect(ruleIds.filter(rule => !broken.includes(rule))).to.deep.equal(withoutOneOfTheirOwn);
  });
});
