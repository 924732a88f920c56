// Misspelt fields: named in the refusal of each kind of operation, and as data in the journal entry.
import { expect } from 'chai';
import { createFake } from '../../../server/index.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { ask } from '../../support/worlds/ask.js';
import { askResource } from '../../support/worlds/ask-resource.js';
import { messageOf } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';

describe('a misspelt field', () => {
  const rows: ReadonlyArray<readonly [OperationId, json: unknown, says: string]> = [
    ['groups.add-users', { group: 'customers', user: ['alice'] }, 'The body has "user": did you mean "users"?'],
    ['groups.set-users', { Group: 'customers', users: [] }, 'The body has "Group": did you mean "group"?'],
    ['permissions.view-add', { user: ['alice'], groups: [] }, 'The body has "user": did you mean "users"?'],
    ['spaces.add-sidebar-link', { spaceKey: 'ds', lable: 'a', url: '/x' }, '"lable": did you mean "label"?'],
    ['spaces.replace-in-page', [{ oldtext: 'X', newText: 'Y' }], '/0 has "oldtext": did you mean "oldText"?'],
    ['ppf.push', { user: ['alice'], filters: [10500] }, 'The body has "user": did you mean "users"?'],
    ['ppf.push', { users: ['alice'], filter: [10500] }, 'The body has "filter": did you mean "filters"?'],
    ['ppf.pull', { users: ['alice'], dashbords: [1] }, 'The body has "dashbords": did you mean "dashboards"?'],
  ];
  it('is named in the refusal', () => {
    for (const [id, json, says] of rows)
      expect(messageOf(ask(id, { ...validQuestions[id], json })), id).to.contain(says);
  });

  it("is named beside an unknown field, and in a refusal of Jira's own resources", () => {
    const json = { group: 'customers', user: ['alice'], x: 1 };
    expect(messageOf(ask('groups.add-users', { json, readings: { 'unknown-field': '400' } }))).to.equal(
      'Unknown field "x": expected group or users. The body has "user": did you mean "users"?',
    );
    const login = { userName: 'admin', password: 'admin' };
    expect(askResource('/rest/auth/1/session', { method: 'POST', json: login }).json.errorMessages.join()).to.contain(
      'The body has "userName": did you mean "username"?',
    );
  });

  it('is in the journal entry as data, whether or not the request was refused, unless a reading reads it', async () => {
    const fake = await createFake();
    const sandbox = fake.sandbox();
    const { ppf, spaces, groups, permissions } = sandbox.client('admin');
    const sent = (body: object) => ({ body: body as never });
    await ppf.push(sent({ user: ['alice'], filters: [10500] }));
    await ppf.push(sent({ users: ['alice'], filters: [10500], dashboard: [10700] }));
    const query = { spaceKey: 'tmpl', pageTitle: 'Template Home' };
    await spaces.replaceInPage({ query, ...sent([{ oldText: 'NAME', newtext: 'X' }]) });
    await groups.addUsers(sent({ group: 'customers', users: [], user: 'x' }));
    await permissions.allRemove({ params: { pageId: '65601' }, ...sent({ users: ['alice'], group: ['customers'] }) });
    expect((await sandbox.journal()).map(({ misspelledFields }) => misspelledFields)).to.deep.equal([
      [{ at: '/user', sent: 'user', meant: 'users' }],
      [{ at: '/dashboard', sent: 'dashboard', meant: 'dashboards' }],
      [{ at: '/0/newtext', sent: 'newtext', meant: 'newText' }],
      undefined,
      undefined,
    ]);
    await fake.stop();
  });
});
