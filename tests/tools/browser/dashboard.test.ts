// The dashboard in a real browser: every view, by keys, read out, at three widths and in both themes; with a hostile world, and over a lost connection.
import { readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { startFake } from '../../../server/index.js';
import { profileReadings } from '../../../server/operations/gaps/profiles.js';
import { begin } from '../../support/processes/commands.js';
import { listening } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';
import { axeFindings } from './browser.js';
import { ADD, asAdmin, asJson, describeInBrowser, dropFile, focusOn, row } from './stories.js';

describeInBrowser('the dashboard in a browser', stage => {
  const { story, ask, livedIn } = stage;

  stage.alone('shows a request and its change the moment they happen', async open => {
    await stage.fake.sandbox('live').describe();
    const page = await open('#/sandbox/live/world/groups');
    await row(page, /team-members/).waitFor();
    await ask('live', { group: 'customers', users: ['alice'] });
    await row(page, /customers.*alice/).waitFor();
    expect(await row(page, /customers/).getAttribute('class')).to.include('is-fresh');
    await page.getByRole('link', { name: /Requests/ }).click();
    await row(page, /groups\.add-users.*admin.*200/).waitFor();
  });

  story('explains an entry, shows it under another reading side by side, and goes to its versions', async open => {
    await livedIn('why');
    const page = await open('#/sandbox/why/requests/4');
    await page.getByRole('heading', { name: 'Deciding guesses' }).waitFor();
    expect(await page.locator('.reason.rule').first().innerText()).to.match(/groups\.body[\s\S]*The document, 2/);
    await page.getByRole('button', { name: /^skip/ }).click();
    await page.getByText('Actual response').waitFor();
    expect(await page.locator('.line.other').allInnerTexts()).to.include('differs:\n404');
    expect(await page.locator('.what-if-shown .change').innerText()).to.match(/customers[\s\S]*alice/);
    await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/why/requests/1`);
    await page.getByRole('link', { name: 'version 0 → 1' }).click();
    await page.getByRole('dialog', { name: /version 0 to 1/ }).waitFor();
    await page.locator('dialog ins', { hasText: 'demouser2' }).waitFor();
  });

  story('filters requests, and keeps the filter in the address', async open => {
    await livedIn('filter');
    const page = await open('#/sandbox/filter/requests');
    await page.getByLabel('Status').selectOption('4');
    await page.getByText('4 of 11').waitFor();
    await page.getByLabel('Filter requests').fill('adduser');
    await page.getByText('1 of 11').waitFor();
    expect(page.url()).to.include('text=adduser&status=4');
    await row(page, /adduser/).click();
    await page.getByText('Did you mean').waitFor();
    await page.reload();
    await page.getByText('1 of 11').waitFor();
  });

  story('marks what another server answered, and tells what a proxy made of it', async open => {
    const front = await startFake({ fallback: stage.fake.url });
    const proxy = begin(['proxy', '--target', stage.fake.url, '--port', '0']);
    try {
      await fetch(`${front.url}/rest/other/thing?a=1`);
      const page = await open('#/sandbox/default/requests', { bypassCSP: true }, front.url);
      await row(page, /rest\/other\/thing.*404.*forwarded/).click();
      await page.getByText(`The request was forwarded to ${stage.fake.url}`).waitFor();
      expect(await page.locator('.detail').innerText()).to.not.match(/caller not checked|Deciding rules|a step/);
      await page.getByLabel('Kind').selectOption('unmatched');
      await page.getByText('0 of 1').waitFor();
      await page.getByLabel('Kind').selectOption('forwarded');
      await page.getByText('1 of 1').waitFor();
      expect(await axeFindings(page)).to.deep.equal([]);

      await proxy.stderr.says(/listening on (\S+)/);
      const proxyUrl = /listening on (\S+)/.exec(proxy.stderr.text)?.[1] ?? '';
      await fetch(`${proxyUrl}${ADD}`, { ...asAdmin, body: JSON.stringify({ group: 'customers', users: ['bob'] }) });
      const other = await open('#/sandbox/default/requests/1', { bypassCSP: true }, proxyUrl);
      await row(other, /groups\.add-users.*404.*forwarded/).waitFor();
      await other.getByText('Readings that fit the response').waitFor();
      expect(await other.locator('.detail').innerText()).to.match(
        /a step[\s\S]*"bob"[\s\S]*wiki-error-body\s+confluence/,
      );
      expect(await axeFindings(other)).to.deep.equal([]);
    } finally {
      proxy.signals.emit('SIGINT', 'SIGINT');
      await proxy.ended;
      await front.stop();
    }
  });

  story(
    'changes the world in place, travels through its versions, and tells what is wrong with a change',
    async open => {
      await stage.fake.sandbox('edit').describe();
      const page = await open('#/sandbox/edit/world/groups/customers');
      await asJson(page);
      const editor = page.getByRole('textbox', { name: 'customers as JSON' });
      await editor.fill('["alice", "nobody"]');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('/groups/customers/1').waitFor();
      await editor.fill('["alice"]');
      await editor.press('Control+Enter');
      await row(page, /customers.*alice/).waitFor();
      await page.getByRole('button', { name: 'Snapshots' }).click();
      await page.getByLabel('Name').fill('before');
      await page.getByRole('button', { name: 'Take snapshot' }).click();
      await page.getByText('version 1,').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('slider').focus();
      await page.keyboard.press('Home');
      await row(page, /customers.*none/).waitFor();
      await page.getByRole('button', { name: 'Rewind to it' }).click();
      await row(page, /customers.*none/).waitFor();
      await page.getByText('live').waitFor();
      await until(async () => (await stage.fake.sandbox('edit').world()).groups.customers?.length === 0); // the page shows it before the server has answered
      await page.getByRole('button', { name: 'Fork' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
      await page.waitForURL(/edit-2/);
      await page.getByRole('button', { name: 'Sandbox edit-2' }).waitFor();
    },
  );

  story('chooses readings, adds a fault and counts it, and turns the clock', async open => {
    await stage.fake.sandbox('turn').describe();
    const page = await open('#/sandbox/turn/readings');
    const gap = page.getByRole('group', { name: /^unknown-user/ });
    await gap.getByRole('radio', { name: /^skip/ }).check();
    await page.getByText('Not the default (1)').waitFor();
    await until(async () => (await stage.fake.sandbox('turn').describe()).readings['unknown-user'] === 'skip');
    await page.getByLabel('Profile').selectOption('strict');
    await until(async () => (await stage.fake.sandbox('turn').readings.get())['wiki-auth'] === 'admin');
    expect(await stage.fake.sandbox('turn').readings.get()).to.deep.equal(profileReadings('strict'));
    await until(async () => (await page.getByLabel('Profile').inputValue()) === 'strict'); // it hears of it after the server has changed
    await page.getByLabel('Profile').selectOption('lenient');
    await until(async () => (await stage.fake.sandbox('turn').readings.get())['wiki-auth'] === 'open');
    await page.getByRole('button', { name: 'Add a fault' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('affected 0 of 0').waitFor();
    expect((await ask('turn', { group: 'customers', users: ['alice'] })).status).to.equal(503);
    await page.getByText('affected 1 of 1').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped').first().waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    await until(async () => Date.parse(await stage.fake.sandbox('turn').clock.now()) - Date.now() > 23 * 3_600_000);
  });

  story('plays a scenario by keys alone, goes back a step, and shows why one fails', async open => {
    const page = await open('#/sandbox/default/theatre');
    await page.getByRole('link', { name: /A first look/ }).click();
    await page.getByText('The admin adds two users').waitFor();
    const press = async (key: string, seen: string | RegExp) => {
      await page.keyboard.press(key);
      await page.locator('main').getByText(seen).first().waitFor();
    };
    await press('ArrowRight', 'groups/add-users');
    await press('ArrowRight', '200');
    await press('PageDown', 'What changed');
    await page.locator('.scene ins').nth(1).waitFor();
    expect(await page.locator('.scene ins').allInnerTexts()).to.deep.equal(['alice', 'demouser2']);
    await press('ArrowRight', 'only the team can edit');
    await press('ArrowLeft', 'The admin adds two users');
    for (const seen of ['groups/add-users', '200', 'What changed', 'only the team can edit'] as const)
      await press(' ', seen);
    const failing =
      'title: It fails\nfixture: small-team\nsteps:\n  - say: Nobody knows bob\n    as: admin\n    call: groups.add-users\n    body: { group: customers, users: [bob] }\n    expect: { status: 200 }\n';
    await page
      .getByLabel('Open a file')
      .setInputFiles({ name: 'fails.yaml', mimeType: 'text/yaml', buffer: Buffer.from(failing) });
    await page.getByText('Nobody knows bob').waitFor();
    await press('ArrowRight', 'Request');
    await press('ArrowRight', /expected 200/);
  });

  story('opens what is dropped on it, with every problem in its line, and saves what is there', async open => {
    await livedIn('files');
    const page = await open('#/sandbox/files/world/groups');
    await row(page, /customers/).waitFor();
    await dropFile(page, 'broken.yaml', 'title: Mine\nsteps:\n  - say: One\n    call: groups.add-user\n');
    await page.getByText('broken.yaml:4:11').waitFor();
    await page.keyboard.press('Escape');
    const saved: Record<string, string> = {};
    for (const name of ['Save the requests as a scenario', 'Save the requests as HAR', 'Save the world as a fixture']) {
      await page.getByRole('button', { name: 'File', exact: true }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      saved[name] = readFileSync(await download.path(), 'utf8');
    }
    expect(JSON.parse(saved['Save the requests as HAR'] ?? '').log).to.have.property('version', '1.2');
    await dropFile(page, 'world.yaml', saved['Save the world as a fixture'] ?? '');
    await page.waitForURL(/opened-world/);
    await row(page, /team-members.*alice.*demouser1.*demouser2/).waitFor();
    await dropFile(page, 'story.yaml', saved['Save the requests as a scenario'] ?? '');
    await page.waitForURL(/opened-story\/theatre/);
    await page.getByText('Entry 1: admin calls groups.add-users').waitFor();
  });

  story('shows a hostile world as text, and does nothing that it says', async open => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>"\'\u202eabc\u0000';
    await stage.fake.sandbox('evil').patch({
      users: { [evil]: { displayName: evil } },
      groups: { [evil]: [evil] },
      spaces: { ds: { name: evil, sidebar: [{ label: evil, url: 'javascript:document.title=1' }] } },
      pages: { 65601: { title: evil, body: `${evil}${'x'.repeat(10_000)}` } },
      filters: { 10500: { name: evil } },
    });
    await ask('evil', { group: evil, users: [evil, evil] });
    await ask('evil', { group: evil, users: [`${evil}2`] });
    const page = await open('#/sandbox/evil/world/users');
    await row(page, /onerror/)
      .first()
      .waitFor();
    for (const place of [
      'world/groups',
      'world/spaces/ds',
      'world/pages/65601',
      'world/filters',
      'requests/1',
      'requests/2',
    ]) {
      await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/evil/${place}`);
      await page.getByText('onerror').first().waitFor();
    }
    expect(await page.title()).to.match(/^evil/);
    expect(await page.locator('a[href^="javascript"], img[src="x"], #dashboard script').count()).to.equal(0);
  });

  story('says when the sandbox is dropped, shows it when it is made again, and follows a reset', async open => {
    await livedIn('gone');
    const page = await open('#/sandbox/gone/requests');
    await row(page, /set-users/).waitFor();
    await stage.fake.sandbox('gone').reset();
    await page.getByText('No requests yet').waitFor();
    await fetch(`${stage.fake.url}/_fake/v1/sandboxes/gone`, { method: 'DELETE' });
    await page.getByRole('heading', { name: 'Unknown sandbox gone' }).waitFor();
    expect(await page.locator('.chip-now, .chip-version').count()).to.equal(0);
    await ask('gone', { group: 'customers', users: ['alice'] });
    await row(page, /groups\.add-users/).waitFor();
  });

  story('goes on by itself after a lost connection, and misses nothing', async open => {
    await stage.fake.sandbox('lost').describe();
    const sockets: Socket[] = [];
    const link = createServer(client => {
      const server = connect(Number(new URL(stage.fake.url).port), '127.0.0.1');
      sockets.push(client, server);
      for (const socket of [client, server]) socket.on('error', () => {}); // seen by its end
      client.pipe(server).pipe(client);
    });
    const url = await listening(link);
    const page = await open('#/sandbox/lost/requests', {}, url);
    await page.getByText('No requests yet').waitFor();
    await ask('lost', { group: 'customers', users: ['alice'] });
    await row(page, /groups\.add-users/).waitFor();
    link.close();
    for (const socket of sockets) socket.destroy();
    await page.getByText('connection lost', { exact: true }).waitFor();
    for (const user of ['carol', 'demouser1']) await ask('lost', { group: 'customers', users: [user] });
    link.listen(Number(new URL(url).port), '127.0.0.1');
    await page.getByRole('grid').getByText('3', { exact: true }).waitFor();
    await page.getByText('connection lost', { exact: true }).waitFor({ state: 'hidden' });
    expect(await page.getByRole('row', { name: /groups\.add-users/ }).count()).to.equal(3);
    link.close();
  });

  story('takes a token from its address, and hides it', async (open, serve) => {
    const locked = await serve({ controlToken: 'sesame' });
    const page = await open('#token=sesame', {}, locked.url);
    await page.getByRole('heading', { name: 'is served at' }).waitFor();
    expect(page.url()).not.to.include('sesame');
  });

  story('skips to the view, finds, lists its keys, and closes the nearest thing', async open => {
    await livedIn('shortcuts');
    const page = await open('#/sandbox/shortcuts/requests/3');
    await page.getByRole('heading', { name: /^#3 / }).waitFor();
    await page.keyboard.press('Tab');
    await focusOn(page, 'Skip to the view');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.tagName')).to.equal('MAIN');
    await page.keyboard.press('/');
    await focusOn(page, 'Filter requests');
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: /^#3 / }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: /^#3 / }).waitFor({ state: 'detached' });
  });

  for (const [width, colorScheme, forcedColors] of [
    [360, 'light', 'none'],
    [1280, 'dark', 'none'],
    [1024, 'light', 'active'],
  ] as const)
    story(
      `has nothing that axe finds, and nothing out of sight, at ${width} pixels in ${colorScheme}, forced colours: ${forcedColors}`,
      async open => {
        const sandbox = `axe-${width}`;
        await livedIn(sandbox);
        const page = await open(`#/sandbox/${sandbox}/world/pages`, {
          viewport: { width, height: 800 },
          colorScheme,
          forcedColors,
          reducedMotion: 'reduce',
          bypassCSP: true,
        });
        const places: ReadonlyArray<readonly [place: string, shown: Locator]> = [
          ['overview', page.getByRole('heading', { name: 'is served at' })],
          ['world/pages', row(page, /Welcome/)],
          ['world/pages/65601', page.getByRole('textbox', { name: 'Title' })],
          ['world?from=0&to=2', page.locator('dialog ins').first()],
          ['requests', row(page, /set-users/)],
          ['requests/4', page.getByRole('button', { name: /^skip/ })],
          ['readings', page.getByRole('group', { name: /^unknown-user/ })],
          ['readings', page.getByRole('button', { name: 'Add a fault' })],
          ['theatre', page.getByText('A first look')],
          ['theatre/first-steps', page.getByText('The admin adds two users')],
        ];
        const findings: string[] = [];
        for (const [place, shown] of places) {
          await page.goto(`${stage.fake.url}/_fake/ui/#/sandbox/${sandbox}/${place}`);
          await shown.waitFor();
          if ((await shown.innerText()) === 'Add a fault') {
            await shown.click();
            await page.getByRole('dialog').getByRole('button', { name: '+ When' }).click();
          }
          if (place === 'requests/4') {
            await shown.click();
            await page.getByText('Actual response').waitFor();
          }
          findings.push(...(await axeFindings(page)).map(finding => `${place}: ${finding}`));
          const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (wide > width) findings.push(`${place} is ${wide} pixels wide`);
        }
        expect(findings).to.deep.equal([]);
      },
    );
});
