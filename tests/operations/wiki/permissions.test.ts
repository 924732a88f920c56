// Page permissions as in the document's section 4.3: two lists of each page, and what is added and removed.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { PageForm } from '../../../server/domain/form/form-shapes.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';

const params = { pageId: '65601' };
const place = ['address.no-context-path', 'address.extension-path', 'address.json-bodies', 'permissions.body'];
const json = { groups: ['team-members'], users: ['alice'] };
const lists = (users: string[] = [], groups: string[] = []) => ({ users, groups });
const before = formOf(smallTeam);

/** The unchanged world, except for some fields of the page. */
function withPage(change: Partial<PageForm>, form = before) {
  return { ...form, pages: { ...form.pages, '65601': { ...form.pages['65601'], ...change } } };
}

/** A page that alice and carol and two groups may edit and view. */
const restricted = teamWith({
  pages: {
    '65601': {
      space: 'ds',
      title: 'Welcome',
      position: 1,
      edit: lists(['alice', 'carol'], ['customers', 'team-members']),
      view: lists(['alice', 'carol'], ['customers', 'team-members']),
    },
  },
});
const restrictedForm = formOf(restricted);

for (const permission of ['edit', 'view'] as const) {
  const add = `permissions.${permission}-add` as const;
  const remove = `permissions.${permission}-remove` as const;

  describe(add, () => {
    it(`${add}: users and groups join the ${permission} list, and nothing else changes`, () => {
      const asked = ask(add, { params, json });
      expectDone(asked, [
        { type: 'page-permission-added', page: '65601', permission, users: ['alice'], groups: ['team-members'] },
      ]);
      expect(asked.rules).to.deep.equal([...place, add]);
      expect(asked.form).to.deep.equal(withPage({ [permission]: lists(['alice'], ['team-members']) }));
    });
  });

  describe(remove, () => {
    it(`${remove}: users and groups leave the ${permission} list, and nothing else changes`, () => {
      const asked = ask(remove, { on: restricted, params, json });
      expectDone(asked, [
        { type: 'page-permission-removed', page: '65601', permission, users: ['alice'], groups: ['team-members'] },
      ]);
      expect(asked.rules).to.deep.equal([...place, remove]);
      expect(asked.form).to.deep.equal(withPage({ [permission]: lists(['carol'], ['customers']) }, restrictedForm));
    });
  });
}

describe('permissions.all-remove', () => {
  it('permissions.all-remove: users and groups leave edit and view at once', () => {
    const asked = ask('permissions.all-remove', { on: restricted, params, json });
    expectDone(
      asked,
      (['edit', 'view'] as const).map(permission => ({
        type: 'page-permission-removed',
        page: '65601',
        permission,
        users: ['alice'],
        groups: ['team-members'],
      })),
    );
    expect(asked.rules).to.deep.equal([...place, 'permissions.all-remove', 'permissions.groups-field']);
    const left = lists(['carol'], ['customers']);
    expect(asked.form).to.deep.equal(withPage({ edit: left, view: left }, restrictedForm));
  });
});

describe('permissions and the page', () => {
  it('a change of permissions is no edit: version, author and date stay', () => {
    const asked = ask('permissions.view-add', { params, json, as: 'carol', now: '2031-01-01T00:00:00Z' });
    expect(asked.form.pages['65601']).to.include({
      version: 1,
      updatedBy: 'alice',
      updated: before.pages['65601']?.updated,
    });
  });
});
