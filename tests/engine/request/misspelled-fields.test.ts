// Misspelt fields: named in the refusal of each operation, and as data in the journal entry.
import { expect } from 'chai';
import { createFake, type EntryView, type Fake, type Sandbox } from '../../../server/index.js';

const wiki = '/rest/cwxapiextension/latest';
const push = '/rest/cwx-ppf/latest/push';
const pull = '/rest/cwx-ppf/latest/pull';
const page = `${wiki}/spaces/replaceInPage?spaceKey=tmpl&pageTitle=Template+Home`;

describe('a misspelt field', () => {
  let fake: Fake;
  before(async () => {
    fake = await createFake();
  });
  after(() => fake.stop());

  const send = async (
    sandbox: Sandbox,
    path: string,
    body: unknown,
    method = 'POST',
    readings = '',
  ): Promise<string> => {
    const response = await sandbox.fetch(path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${btoa('admin:admin')}`,
        ...(readings !== '' && { 'X-Fake-Reading': readings }),
      },
      body: JSON.stringify(body),
    });
    return await response.text();
  };
  const saysOf = (text: string) => {
    const { message, errorMessages } = JSON.parse(text) as { message?: string; errorMessages?: string[] };
    return message ?? errorMessages?.join(' ');
  };

  const refused: Record<
    string,
    [path: string, body: unknown, says: string, more?: { method?: string; readings?: string }]
  > = {
    'of a group operation': [
      `${wiki}/groups/add-users`,
      { group: 'customers', user: ['alice'] },
      'Missing field "users". The body has "user": did you mean "users"?',
    ],
    'in another letter case': [
      `${wiki}/groups/set-users`,
      { Group: 'customers', users: [] },
      'Missing field "group". The body has "Group": did you mean "group"?',
    ],
    'of page permissions': [
      `${wiki}/permissions/view/65601`,
      { user: ['alice'], groups: [] },
      'Missing field "users". The body has "user": did you mean "users"?',
      { method: 'PUT' },
    ],
    'of a sidebar link': [
      `${wiki}/spaces/add-sidebar-link`,
      { spaceKey: 'ds', lable: 'Home', url: '/x' },
      'The body has "lable": did you mean "label"?',
    ],
    'of an element of a list': [
      page,
      [
        { oldText: 'NAME', newText: 'X' },
        { oldtext: 'X', newText: 'Y' },
      ],
      'Missing field "oldText" in /1. /1 has "oldtext": did you mean "oldText"?',
    ],
    'of the recipients of a push': [
      push,
      { user: ['alice'], filters: [10500] },
      'The body has "user": did you mean "users"?',
    ],
    'of the items of a push': [
      push,
      { users: ['alice'], filter: [10500] },
      'The body has "filter": did you mean "filters"?',
    ],
    'of the items of a pull': [
      pull,
      { users: ['alice'], dashbords: [1] },
      'The body has "dashbords": did you mean "dashboards"?',
    ],
    'under unknown-field=400': [
      `${wiki}/groups/add-users`,
      { group: 'customers', user: ['alice'], x: 1 },
      'Unknown field "x": expected group or users. The body has "user": did you mean "users"?',
      { readings: 'unknown-field=400' },
    ],
    "of Jira's own resources": [
      '/rest/auth/1/session',
      { userName: 'admin', password: 'admin' },
      'The body has "userName": did you mean "username"?',
    ],
  };
  for (const [what, [path, body, says, { method, readings } = {}]] of Object.entries(refused))
    it(`${what} is named in the refusal`, async () => {
      expect(saysOf(await send(fake.sandbox(), path, body, method, readings))).to.contain(says);
    });

  it('is in the journal entry as data, whether or not the request was refused', async () => {
    const sandbox = fake.sandbox();
    await send(sandbox, push, { user: ['alice'], filters: [10500] });
    await send(sandbox, push, { users: ['alice'], filters: [10500], dashboard: [10700] });
    await send(sandbox, page, [{ oldText: 'NAME', newtext: 'X' }]);
    const entries: readonly EntryView[] = await sandbox.journal();
    expect(entries.map(({ misspelledFields }) => misspelledFields)).to.deep.equal([
      [{ at: '/user', sent: 'user', meant: 'users' }],
      [{ at: '/dashboard', sent: 'dashboard', meant: 'dashboards' }],
      [{ at: '/0/newtext', sent: 'newtext', meant: 'newText' }],
    ]);
  });

  it('is none if nothing is missing, or if a reading reads it', async () => {
    const sandbox = fake.sandbox();
    await send(sandbox, `${wiki}/groups/add-users`, { group: 'customers', users: [], user: 'x' });
    await send(sandbox, `${wiki}/permissions/all/65601`, { users: ['alice'], group: ['customers'] }, 'DELETE');
    for (const entry of await sandbox.journal()) expect(entry).to.not.have.property('misspelledFields');
  });
});
