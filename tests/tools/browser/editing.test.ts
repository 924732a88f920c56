// Editing a world in the browser: nothing is lost, overwritten or deleted without a question, and the focus stays.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../../support/worlds/until.js';
import { asJson, describeInBrowser, focused, focusOn, row } from './stories.js';

describeInBrowser('editing in the dashboard', stage => {
  const { story, ask, livedIn } = stage;
  const confirm = (page: Page, action: string) =>
    page.getByRole('dialog').getByRole('button', { name: action, exact: true });
  story('refuses to add a record of an existing name, with a link to it; Ctrl+Enter adds another', async open => {
    await stage.fake.sandbox('add').describe();
    const page = await open('#/sandbox/add/world/users');
    await page.getByRole('link', { name: 'Add', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('alice');
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByRole('alert').getByText('alice exists already').waitFor();
    expect((await stage.fake.sandbox('add').world()).users.alice?.displayName).not.to.equal('Bob');
    await page.getByRole('link', { name: 'edit the record' }).click();
    await page.getByRole('textbox', { name: 'Display name' }).waitFor();
    await page.goBack();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('alice');
    await page.getByLabel('Name', { exact: true }).fill('bob');
    await asJson(page);
    await page.getByLabel('bob as JSON').fill('{ bob');
    await page.getByLabel('bob as JSON').press('Control+Enter');
    await page.getByRole('alert').getByText('Not valid JSON').waitFor();
    await page.getByLabel('bob as JSON').fill('{ "displayName": "Bob" }');
    await page.getByLabel('bob as JSON').press('Control+Enter');
    await row(page, /bob.*Bob/).waitFor();
  });

  story('keeps the changes of others, and asks if both changed the same field', async open => {
    const sandbox = stage.fake.sandbox('both');
    await sandbox.describe();
    const page = await open('#/sandbox/both/world/users/alice');
    await asJson(page);
    const editor = page.getByRole('textbox', { name: 'alice as JSON' });
    await editor.waitFor();
    const opened = JSON.parse(await editor.inputValue()) as object;
    await editor.fill(JSON.stringify({ ...opened, displayName: 'Mine' }));
    await sandbox.patch({ users: { alice: { admin: true } } });
    await page.getByText('Someone else changed this record meanwhile').waitFor();
    await editor.press('Control+Enter');
    await row(page, /alice.*Mine.*admin/).waitFor();
    await editor.fill(JSON.stringify({ ...opened, admin: true, displayName: 'Mine again' }));
    await sandbox.patch({ users: { alice: { displayName: 'Theirs' } } });
    await row(page, /alice.*Theirs/).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('You both changed displayName').waitFor();
    expect((await sandbox.world()).users.alice?.displayName).to.equal('Theirs');
    await page.getByRole('button', { name: 'Save mine, replacing theirs' }).click();
    await row(page, /alice.*Mine again/).waitFor();
  });

  story('keeps a draft while another record is shown', async open => {
    await stage.fake.sandbox('draft').describe();
    const page = await open('#/sandbox/draft/world/groups/customers');
    await asJson(page);
    await page.getByRole('textbox', { name: 'customers as JSON' }).fill('["carol"]');
    await row(page, /team-members/).click();
    await page.getByRole('textbox', { name: 'team-members as JSON' }).waitFor();
    await row(page, /customers\s*draft/).click();
    expect(await page.getByRole('textbox', { name: 'customers as JSON' }).inputValue()).to.equal('["carol"]');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByRole('textbox', { name: 'customers as JSON' }).inputValue()).to.equal('[]');
  });

  story('asks before it deletes requests or a record, resets, or deletes a sandbox', async open => {
    await livedIn('ask');
    const page = await open('#/sandbox/ask/requests');
    await page.getByLabel('Status').selectOption('4');
    await page.getByText('4 of 11').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('11', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Delete all' }).click();
    await page.getByRole('dialog').getByText('Delete all 11 requests').waitFor();
    await focusOn(page, 'Cancel');
    await page.keyboard.press('Enter');
    expect(await stage.fake.sandbox('ask').journal()).to.have.length(11);
    await page.getByRole('button', { name: 'Delete all' }).click();
    await confirm(page, 'Delete').click();
    await page.getByText('No requests yet').waitFor();
    await page.getByRole('link', { name: 'World' }).click();
    await page.getByRole('button', { name: 'Reset' }).click();
    await confirm(page, 'Cancel').click();
    expect((await stage.fake.sandbox('ask').world()).groups.customers).to.deep.equal([]);
    await focusOn(page, 'Reset');
    await stage.fake.sandbox('ask').stubs.set([{ path: '/rest/webhooks/1.0' }]);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page
      .getByRole('dialog')
      .getByText(/World, readings, clock, faults and stubs begin again/)
      .waitFor();
    await confirm(page, 'Reset').click();
    await until(async () => (await stage.fake.sandbox('ask').stubs.list()).length === 0);
    await page.getByRole('region', { name: 'Last change' }).getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await stage.fake.sandbox('ask').stubs.list()).length === 1);
    await page.getByRole('button', { name: /Sandbox ask/ }).click();
    await page.getByRole('button', { name: 'Delete ask' }).click();
    await confirm(page, 'Delete').click();
    await page.getByRole('heading', { name: 'Unknown sandbox ask' }).waitFor();
  });

  story('keeps the focus on what was pressed, or beside it', async open => {
    await stage.fake.sandbox('focus').describe();
    await ask('focus', { group: 'customers', users: ['alice'] });
    const page = await open('#/sandbox/focus/readings');
    await page.getByRole('button', { name: '+1 min' }).press('Enter');
    await page.getByRole('button', { name: '+1 min' }).press('Enter');
    await page.getByRole('button', { name: 'Stop' }).press('Enter');
    await page.getByRole('button', { name: 'Run' }).waitFor();
    await focusOn(page, 'Run');

    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/focus/world/users/alice`);
    await page.getByRole('textbox', { name: 'Display name' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).press('Enter');
    await confirm(page, 'Cancel').press('Enter');
    await focusOn(page, 'Delete');

    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/focus/world/groups?at=0`);
    await page.getByRole('button', { name: 'Rewind to it' }).press('Enter');
    await page.getByRole('button', { name: 'Rewind to it' }).waitFor({ state: 'detached' });
    expect(await focused(page)).not.to.equal('body');

    await page.getByRole('button', { name: 'Fork' }).press('Enter');
    await focusOn(page, 'Name');
    await page.keyboard.press('Escape');
    await focusOn(page, 'Fork');
  });

  story('changes a record in a form made of its schema, with suggestions, and takes the change back', async open => {
    const sandbox = stage.fake.sandbox('form');
    await sandbox.describe();
    const page = await open('#/sandbox/form/world/pages/65601');
    await page.getByRole('textbox', { name: 'Title' }).fill('Hello');
    const editors = page.getByRole('group', { name: 'Users' }).first();
    await editors.getByLabel('Add to Users').fill('car');
    await page.locator('datalist option[value="carol"]').waitFor({ state: 'attached' });
    await editors.getByLabel('Add to Users').fill('carol');
    await editors.getByLabel('Add to Users').press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, /65601.*Hello.*carol/).waitFor();
    const { title, edit } = (await sandbox.world()).pages['65601'] ?? {};
    expect([title, edit]).to.deep.equal(['Hello', { users: ['carol'], groups: [] }]);
    await page.getByRole('region', { name: 'Last change' }).getByRole('button', { name: 'Undo' }).click();
    await row(page, /65601.*Welcome/).waitFor();
    expect((await sandbox.world()).pages['65601']?.title).to.equal('Welcome');

    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/form/world/filters/10500`);
    await page.getByLabel('Shared with: kind').selectOption('nobody');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await sandbox.world()).filters['10500']?.sharedWith === 'nobody');
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/form/world/users/alice`);
    await page.getByRole('button', { name: '+ Token' }).click();
    await page.getByRole('textbox', { name: 'Token' }).fill('sesame');
    await page.getByRole('checkbox', { name: 'Admin' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await sandbox.world()).users.alice?.token === 'sesame');
    expect((await sandbox.world()).users.alice?.admin).to.equal(true);
  });

  story('names the records that refer to a deleted one, and removes the references with it', async open => {
    const sandbox = stage.fake.sandbox('references');
    await sandbox.describe();
    const page = await open('#/sandbox/references/world/users/alice');
    const dialog = page.getByRole('dialog', { name: 'Delete record' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText(/references to it will be removed/).waitFor();
    await dialog.getByRole('link', { name: 'pages 65601' }).first().click();
    await page.waitForURL(/pages\/65601$/);
    await dialog.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    await confirm(page, 'Remove references and delete').click();
    await page.getByText('Deleted alice').first().waitFor();
    const world = await sandbox.world();
    expect([world.users.alice, JSON.stringify(world).includes('alice')]).to.deep.equal([undefined, false]);

    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/references/world/users/carol`);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Choose another owner').waitFor();
    expect(await confirm(page, 'Remove references and delete').count()).to.equal(0);
  });

  story('adds a fault and a stub in forms with everything that the API knows', async open => {
    const sandbox = stage.fake.sandbox('writing');
    await sandbox.describe();
    const page = await open('#/sandbox/writing/readings');
    await page.getByRole('button', { name: 'Add a fault' }).click();
    const form = page.getByRole('dialog', { name: 'Add a fault' });
    await form.getByRole('combobox', { name: 'Operation' }).selectOption('ppf.push');
    const added = await form.getByRole('button', { name: /^\+/ }).allInnerTexts();
    expect(added).to.include.members(['+ Delay', '+ Hold', '+ Garble', '+ Headers', '+ Caller', '+ When', '+ Partial']);
    await form.getByRole('button', { name: '+ When' }).click();
    await form.getByLabel('When: kind').selectOption('Every');
    await form.getByLabel('Every', { exact: true }).fill('2');
    await form.getByRole('button', { name: '+ Headers' }).click();
    await form.getByLabel('Add to Headers').fill('X-Why');
    await form.getByRole('group', { name: 'Headers' }).getByRole('button', { name: 'Add', exact: true }).click();
    await form.getByRole('textbox', { name: 'X-Why' }).fill('test');
    await form.getByRole('button', { name: 'Add', exact: true }).last().click();
    await form.waitFor({ state: 'detached' });
    expect((await sandbox.faults.list())[0]).to.deep.include({
      operation: 'ppf.push',
      when: { every: 2 },
      effect: { status: 503, retryAfter: 2, headers: { 'X-Why': 'test' } },
    });
    await page.getByRole('button', { name: 'Add a stub' }).click();
    const stub = page.getByRole('dialog', { name: 'Add a stub' });
    await stub.getByLabel('Path', { exact: true }).fill('/rest/webhooks/2.0');
    await stub.getByLabel('Body', { exact: true }).fill('{"a": 1}');
    await stub.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Respond 200 · every request to GET /rest/webhooks/2.0').waitFor();
    expect((await sandbox.stubs.list())[0]?.body).to.deep.equal({ a: 1 });
  });

  story('says that a held request waits, who waits, and when it is released', async open => {
    const sandbox = stage.fake.sandbox('held');
    await sandbox.faults.set([{ operation: 'groups.add-users', times: 1, effect: { hold: 'spinner' } }]);
    const page = await open('#/sandbox/held/requests');
    await page.getByText('No requests yet').waitFor();
    const response = ask('held', { group: 'customers', users: ['alice'] });
    await row(page, /groups\.add-users.*waiting/).waitFor();
    await page.getByRole('link', { name: 'Readings & faults' }).click();
    const fault = page.getByRole('region', { name: 'Faults' }).getByRole('listitem');
    await fault.getByText('waiting: #1 admin').waitFor();
    await fault.getByRole('button', { name: 'Release spinner' }).click();
    await fault.getByText('waiting').waitFor({ state: 'detached' });
    expect((await response).status).to.equal(200);
    await page.getByRole('link', { name: /Requests/ }).click();
    await row(page, /groups\.add-users.*200/).waitFor();
  });

  story(
    'keeps place and record while versions are compared, and names an unknown version or collection',
    async open => {
      await livedIn('place');
      const page = await open('#/sandbox/place/world/groups/team-members?at=3');
      await page.getByRole('button', { name: 'What changed since' }).click();
      await page.getByRole('dialog', { name: /version 3 to/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.waitForURL(/world\/groups\/team-members\?at=3$/);
      await page.getByRole('slider').press('ArrowLeft');
      await page.waitForURL(/world\/groups\/team-members\?at=2$/);
      await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/place/world/users?at=999`);
      await page.getByRole('heading', { name: 'Version 999 is not available' }).waitFor();
      expect(await page.locator('.toolbar .count').innerText()).to.equal('');
      await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/place/world/nonsense`);
      await page.getByRole('heading', { name: 'There is no collection nonsense' }).waitFor();
    },
  );

  story('removes one fault of several, and marks one that is used up', async open => {
    const sandbox = stage.fake.sandbox('faults');
    await sandbox.faults.set([
      { operation: 'groups.add-users', times: 1, effect: { status: 500 } },
      { operation: 'ppf.push', when: { every: 2 }, effect: { truncateAt: 5 } },
    ]);
    const page = await open('#/sandbox/faults/readings');
    const list = page.getByRole('region', { name: 'Faults' }).getByRole('listitem');
    await ask('faults', { group: 'customers', users: ['alice'] });
    await list
      .filter({ hasText: 'Status 500 · the next request to groups.add-users' })
      .getByText('used up, affected 1 of 1')
      .waitFor();
    await page.getByRole('button', { name: /Remove: Truncate at 5 · every second/ }).click();
    await list.nth(1).waitFor({ state: 'detached' });
    expect((await sandbox.faults.list()).map(({ fired }) => fired)).to.deep.equal([1]);
  });

  story('says that a token is not valid, with the focus in the field', async (open, serve) => {
    const locked = await serve({ controlToken: 'sesame' });
    const page = await open('', {}, locked.url);
    await page.getByRole('heading', { name: 'Control token required' }).waitFor();
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('That token is not valid').waitFor();
    await focusOn(page, 'Token');
    await page.keyboard.type('sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'is served at' }).waitFor();
  });
});
