// Faults that another rule would explain nearly as well, or whose effects other files of the suite meet.
import { expect } from 'chai';
import { at, changedPages, changingPage, sending, without } from '../../../../bench/conform/faults.js';
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
  {
    says: 'replacing leaves the title as it was',
    rule: 'spaces.replace-title',
    change: {
      world: changedPages('spaces/replaceInPage', (after, before) => ({ ...after, title: before?.title ?? '' })),
    },
    readings: telling,
    isReadingBack: true,
  },
  {
    says: 'all permissions are removed by POST only',
    rule: 'permissions.heading-method',
    change: { request: asked => (at('permissions/all', 'DELETE')(asked) ? { method: 'PATCH' } : {}) },
    readings: telling,
    isReadingBack: true,
  },
  {
    says: 'a request with DELETE loses its body',
    rule: 'permissions.body', // only permissions are asked for with DELETE
    change: { request: ({ method }) => (method === 'DELETE' ? { body: '' } : {}) },
    readings: telling,
    isReadingBack: false,
  },
];

describe('a fault that looks like another', function () {
  this.timeout(180_000); // the second look plays much again
  let plan: Prepared;
  before(async () => {
    plan = await prepared();
  });

  for (const { says, rule, change, readings, isReadingBack } of hard)
    it(`contradicts ${rule} alone: ${says}`, async () => {
      const { target, end } = await proxied(change, readings);
      const found = await conformed(target, plan, undefined, isReadingBack);
      end();
      expect(rulesThat('contradicts', found)).to.deep.equal([rule]);
    });
});
