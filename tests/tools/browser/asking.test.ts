// The journal in the browser: what a row and an entry show, what is copied, and what happens while the server is slow or replaces a sandbox.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../../support/worlds/until.js';
import { ADD, asAdmin, describeInBrowser, row } from './stories.js';

describeInBrowser('requests in the dashboard', stage => {
  const { story, ask, livedIn } = stage;
  const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
  const copied = async (page: Page, name: string) => {
    await page.getByRole('button', { name }).click();
    await page.getByText('Copied ✓').waitFor();
    return page.evaluate<string>('navigator.clipboard.readText()');
  };

  story('puts the cause of a refusal and the changes first', async open => {
    await livedIn('cause');
    await fetch(`${stage.fake.url}/~cause${ADD}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"group":"customers","users":["bob"]}',
    });
    const page = await open('#/sandbox/cause/requests/12');
    await page.getByRole('heading', { name: 'Deciding guesses' }).waitFor();
    const headings = await page.locator('.detail h3').allInnerTexts(); // with the buttons in them
    expect(headings.slice(0, 5).map(text => text.split('\n', 1)[0])).to.deep.equal([
      'Request',
      'Response',
      'Changes',
      'Deciding guesses',
      'Deciding rules',
    ]);
    expect(await page.locator('.reason.guess > code').first().innerText()).to.equal('unknown-user');
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/cause/requests/10`);
    await page.getByText('caller not checked (credentials of admin)').waitFor();
  });

  story('copies a step to paste below steps, and curl for a token', async open => {
    const sandbox = stage.fake.sandbox('copy');
    await sandbox.patch({ users: { alice: { token: 'secret-token' } } });
    await ask('copy', { group: 'customers', users: ['alice'] });
    await fetch(`${stage.fake.url}/~copy${ADD}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer secret-token', 'Content-Type': 'application/json' },
      body: '{"group":"customers","users":["carol"]}',
    });
    const page = await open('#/sandbox/copy/requests/1', clipboard);
    expect(await copied(page, 'Copy as a step')).to.match(/^ {2}- say: .*\n {4}as: admin\n {4}call: groups\.add-users/);
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/copy/requests/2`);
    await page.getByRole('heading', { name: '#2 Add carol to customers' }).waitFor();
    expect(await copied(page, 'Copy as curl')).to.include("-H 'Authorization: Bearer <token of alice>'");
  });

  story('shows the headers and the body as they were sent, and how long it took', async open => {
    await fetch(`${stage.fake.url}/~sent${ADD}`, {
      ...asAdmin,
      headers: { ...asAdmin.headers, 'X-Build': 'seven' },
      body: '{"users":["alice"],\n"group":"customers"}',
    });
    const page = await open('#/sandbox/sent/requests/1');
    await page.locator('.summary').getByText(/ ms$/).waitFor();
    await page
      .getByText(/headers$/)
      .first()
      .click();
    await page.getByText('x-build: seven').waitFor();
    await page.getByText('authorization: hidden').waitFor();
    expect(await page.getByText('Content-Type: application/json', { exact: true }).isVisible()).to.equal(false);
    const request = page.getByRole('region', { name: 'Request', exact: true });
    expect(await request.innerText()).to.include('{ "users"');
    await page.getByRole('button', { name: 'As sent, 40 bytes' }).click();
    await request.getByText('{"users":["alice"],\n"group":"customers"}').waitFor();
  });

  story('goes back through everything that was opened, and says that an address leads nowhere', async open => {
    await livedIn('back');
    const page = await open('#/sandbox/back/world/users');
    await row(page, /alice/).click();
    await page.waitForURL(/users\/alice$/);
    await row(page, /carol/).click();
    await page.waitForURL(/users\/carol$/);
    await page.goBack();
    await page.waitForURL(/users\/alice$/);
    await page.getByRole('link', { name: /Requests/ }).click();
    await row(page, /^1 /).click();
    await row(page, /^2 /).click();
    await page.goBack();
    await page.waitForURL(/requests\/1$/);
    for (const address of ['#/nonsense', '#/sandbox/back/nonsense']) {
      await page.goto(`${stage.fake.url}/_fake/ui/${address}`);
      await page.getByText(address, { exact: true }).waitFor();
    }
  });

  story('says on the first page how the client does, and applies another reading from an entry', async open => {
    await livedIn('overview');
    const page = await open('#/sandbox/overview');
    await page.getByRole('region', { name: 'Requests so far' }).getByText('11 requests').waitFor();
    await page.getByRole('link', { name: 'match nothing' }).click();
    await row(page, /groups\/adduser/).click();
    await page.getByRole('button', { name: 'Make a stub' }).click();
    const stub = page.getByRole('dialog', { name: 'Add a stub' });
    expect(await stub.getByLabel('Path', { exact: true }).inputValue()).to.match(/groups\/adduser$/);
    await page.keyboard.press('Escape');
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/overview/requests/4`);
    await page.getByRole('heading', { name: '#4 Add bob, alice to customers' }).waitFor();
    await page.getByRole('button', { name: /^skip/ }).click();
    await page.getByRole('button', { name: 'Use this reading' }).click();
    await page.getByText('unknown-user: skip').first().waitFor();
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByRole('heading', { name: '#12 Add bob, alice to customers' }).waitFor();
    expect((await stage.fake.sandbox('overview').journal()).at(-1)).to.deep.include({ caller: 'admin' });
    expect((await stage.fake.sandbox('overview').world()).groups.customers).to.deep.equal(['alice']);
  });

  story('says in every view that it loads while the network is slow, and that it saves', async open => {
    await livedIn('loading');
    const page = await open('#/sandbox/loading/requests');
    await row(page, /set-users/).waitFor();
    let go = () => {};
    let held = new Promise<void>(resolve => {
      go = resolve;
    });
    await page.route(/_fake\/v1\/(?!.*events)/, async route => {
      await held;
      await route.continue();
    });
    const loading = page.getByRole('status').filter({ hasText: /^Loading/ });
    for (const place of ['world/users', 'readings', 'theatre', 'theatre/first-steps']) {
      await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/loading/${place}`);
      await loading.first().waitFor();
    }
    go();
    await page.locator('.say').waitFor();
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/loading/world/users/alice`);
    await page.getByRole('textbox', { name: 'Display name' }).fill('Alicia');
    held = new Promise(resolve => {
      go = resolve;
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('button[aria-busy=true]', { hasText: 'Save' }).waitFor();
    go();
    await row(page, /alice.*Alicia/).waitFor();
  });

  story('says which of a filter, an empty journal and a broken link leaves nothing to see', async open => {
    await livedIn('nothing');
    await stage.fake.sandbox('empty').describe();
    const page = await open('#/sandbox/nothing/requests?text=nonsense');
    await page.getByText('None of the 11 requests matches the filter').waitFor();
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/nothing/requests/999`);
    await page.getByText("Request 999 doesn't exist").waitFor();
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/empty/requests/1`);
    await page.getByText("Request 1 doesn't exist").waitFor();
    await page.getByText('No requests yet').waitFor();
  });

  story('says what a restart of the server lost, and nothing else is unreachable afterwards', async (open, serve) => {
    const server = await serve();
    const port = Number(new URL(server.url).port);
    const { url } = server;
    await fetch(`${url}${ADD}`, { ...asAdmin, body: '{"group":"customers","users":["alice"]}' });
    await fetch(`${url}/~other${ADD}`, { ...asAdmin, body: '{"group":"customers","users":["alice"]}' });
    const page = await open('#/sandbox/default/readings', {}, url);
    const other = await open('#/sandbox/other/world/groups', {}, url);
    await page.getByRole('group', { name: /^unknown-user/ }).waitFor();
    await row(other, /customers/).waitFor();
    await server.stop();
    await page.getByText('connection lost', { exact: true }).waitFor();
    await page.getByRole('button', { name: '+1 min' }).click();
    await page.getByText('No response').waitFor();
    await serve({ port });
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText(/1 request and 1 change of the earlier one are gone/).waitFor();
    await until(async () => (await page.getByText(/not reachable|No response/).count()) === 0);
    await other.getByText(/1 request and 1 change are gone/).waitFor();
  });

  story('tells a first visitor what to do next, until there is a request', async open => {
    await stage.fake.sandbox('first').describe();
    const page = await open('#/sandbox/first');
    const command = page.getByRole('region', { name: 'Next' }).getByText(/curl .*\/~first\/rest\/cwxapiextension/);
    await command.waitFor();
    await ask('first', { group: 'customers', users: ['alice'] });
    await command.waitFor({ state: 'detached' });
  });
});
