// The Theatre in the browser: links to a play, replays, failures, and long responses at three sizes.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startFake } from '../../../server/index.js';
import { describeInBrowser, row } from './stories.js';

describeInBrowser('the Theatre', stage => {
  const { story } = stage;
  const next = async (page: Page, shown: string) => {
    await page.getByRole('button', { name: /→$/ }).click();
    await page.locator('main').getByText(shown).first().waitFor();
  };
  const openFile = (page: Page, name: string, text: string) =>
    page.getByLabel('Open a file').setInputFiles({ name, mimeType: 'text/yaml', buffer: Buffer.from(text) });

  story('plays from its address on a fresh server, and lists the request again after a restart', async open => {
    const fresh = await startFake();
    try {
      const page = await open('#/sandbox/stage/theatre/first-steps', {}, fresh.url);
      for (let i = 0; i < 2; i += 1) {
        await page.getByText('The admin adds two users').waitFor();
        await page.keyboard.press('ArrowRight');
        await page.getByText('groups/add-users').waitFor();
        await page.keyboard.press('ArrowRight');
        await page.getByText('200').waitFor();
        await page.keyboard.press('r');
      }
      await page.getByRole('link', { name: 'Requests', exact: true }).first().click();
      await row(page, /1.*groups\.add-users/).waitFor();
      expect(await page.getByRole('row').count()).to.equal(2);
    } finally {
      await fresh.stop();
    }
  });

  story('marks a failed step red in the progress', async open => {
    const page = await open('#/sandbox/default/world/groups');
    const step = (status: number) =>
      `  - { say: "Expect ${status}", as: admin, call: groups.add-users, body: { group: customers, users: [alice] }, expect: { status: ${status} } }\n`;
    await openFile(page, 'red.yaml', `title: Red\nfixture: small-team\nsteps:\n${step(500)}${step(200)}`);
    await page.getByText('Expect 500').waitFor();
    for (const shown of ['Request as admin', 'expected 500']) await next(page, shown);
    const progress = page.getByRole('img', { name: 'Step 1 of 2, 1 failed' });
    expect(await progress.locator('.is-failed').count()).to.equal(1);
  });

  for (const [width, height] of [
    [1280, 720],
    [1920, 1080],
    [390, 844],
  ] as const)
    story(`shows a long response, its links with the port, at ${width} × ${height}`, async open => {
      const page = await open('#/sandbox/default/world/groups', { viewport: { width, height } });
      await openFile(
        page,
        `long-${width}.yaml`,
        'title: A story whose title is long enough for two lines\nfixture: small-team\nsteps:\n  - { say: The members of the group, as: admin, call: confluence.group-members, path: { name: jira-core-users } }\n',
      );
      await page.getByText('The members of the group').waitFor();
      for (const shown of ['Request as admin', 'Response']) await next(page, shown);
      const response = page.locator('.answered-part pre');
      await response.getByText(stage.fake.url).first().waitFor();
      const hidden = await page.evaluate<number>(
        '(e => e.scrollHeight - e.clientHeight)(document.querySelector(".answered-part pre"))',
      );
      expect(hidden, 'hidden lines').to.equal(0);
      const say = await page.locator('.say').boundingBox();
      expect((say?.y ?? 0) + (say?.height ?? 0), 'below the title').to.be.below(height / 3);
      const top = await page.locator('.answered-part h3').boundingBox();
      expect(top?.y, 'the top of the response').to.be.within((say?.y ?? 0) + (say?.height ?? 0) - 1, height / 2);
      await page.keyboard.press('ArrowRight');
      await page.getByText('Nothing changed.').waitFor();
      const world = await page.locator('.changed-part').boundingBox();
      const foot = await page.locator('.theatre-foot').boundingBox();
      expect((world?.y ?? 0) + (world?.height ?? 0), 'above the buttons').to.be.at.most(foot?.y ?? 0);
      const cutLine = await page.evaluate<number>(
        '(e => { const line = parseFloat(getComputedStyle(e).lineHeight); const rest = e.clientHeight % line; return Math.min(rest, line - rest); })(document.querySelector(".answered-part pre"))',
      );
      expect(cutLine, 'a line cut in half').to.be.below(1.5);
    });
});
