// Faults that a first run cannot tell apart, or whose effects other files of the suite meet: a second look at what failed names the rule.
import { expect } from 'chai';
import { at, changingPage, sending, without } from '../../../../bench/conform/faults.js';
import { type Change, proxied } from '../../../../bench/conform/proxied-server.js';
import type { SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { telling } from '../../../support/other-servers/bitten.js';
import { conformed, type Prepared, prepared, rulesThat } from '../../../support/other-servers/conforming.js';

const leavesGroups = changingPage(at('permissions/view', 'DELETE'), (after, before) => ({
  ...after,
  view: { users: after.view.users, groups: before.view.groups },
}));
const readsGroupOnly = sending(at('permissions/all'), ({ groups: _, group, ...others }) => ({
  ...others,
  ...(group !== undefined && { groups: group }),
}));

interface Hard {
  readonly says: string;
  readonly rule: string;
  readonly change: Change;
  readonly readings: SomeReadings;
  readonly isReadingBack: boolean;
}
const hard: readonly Hard[] = [
  {
    says: 'pull changes nothing',
    rule: 'ppf.pull',
    change: without(at('pull')),
    readings: telling,
    isReadingBack: false,
  },
  {
    says: 'removing the view permission leaves the groups',
    rule: 'permissions.view-remove',
    change: { world: leavesGroups },
    readings: {},
    isReadingBack: true,
  },
  {
    says: 'removing all permissions knows the list of groups as group only',
    rule: 'permissions.groups-field',
    change: readsGroupOnly,
    readings: {},
    isReadingBack: true,
  },
];

describe('a second look', function () {
  this.timeout(60_000);
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });
  after(() => plan.own.end());

  for (const { says, rule, change, readings, isReadingBack } of hard)
    it(`contradicts ${rule} alone where ${says}`, async () => {
      const { target, end } = await proxied(change, readings);
      const found = await conformed(target, plan, undefined, isReadingBack);
      end();
      expect(rulesThat('contradicts', found)).to.deep.equal([rule]);
    });
});
