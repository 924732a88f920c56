// The Theatre in the browser: links to a step, several tabs, restarts, failures, and parts that stay in their places.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, row } from './stories.js';

describeInBrowser('the Theatre', stage => {
  const { story } = stage;
  const next = async (page: Page, shown: string) => {
    await page.getByRole('button', { name: /→$/ }).click();
    await page.locator('main').getByText(shown).first().waitFor();
  };

  story('plays from its address on a fresh server, and loses no key press and no place', async (open, serve) => {
    const fresh = await serve();
    const page = await open('#/sandbox/stage/theatre/first-steps/3', {}, fresh.url);
    await page.keyboard.press('ArrowRight');
    await page.getByText('cwx-ppf/latest/push').waitFor();
    expect(await page.locator('.connection').innerText()).not.to.match(/no sandbox/);
    await page.waitForURL(/theatre\/first-steps\/3$/);
    for (const shown of ['200', 'Open bugs']) await next(page, shown);
    await page.getByRole('link', { name: 'World', exact: true }).first().click();
    await page.waitForURL(/world/);
    await page.goBack();
    await page.locator('.changed-part').getByText('Open bugs').waitFor(); // as it was left
    await page.reload();
    await page.getByText('the admin pushes the filter').waitFor();
    expect(page.url()).to.match(/first-steps\/3$/);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/first-steps\/2$/);
    for (const [step, text] of [
      ['99', 'A first look has no step 99'],
      ['x', 'A first look has no step x'],
    ] as const) {
      await page.goto(`${fresh.url}/_fake/ui/#/sandbox/stage/theatre/first-steps/${step}`);
      await page.getByText(text).waitFor();
    }
    await page.goto(`${fresh.url}/_fake/ui/#/sandbox/stage/theatre/nonsense`);
    await page.getByText("nonsense can't be played").waitFor();
  });

  story('plays in two tabs without disturbing each other', async open => {
    const pages = [await open('#/sandbox/default/theatre'), await open('#/sandbox/default/theatre')];
    for (const page of pages) {
      await page.getByRole('link', { name: /A first look/ }).click();
      for (const shown of ['Request as admin', '200', 'What changed']) await next(page, shown);
    }
    const [one, other] = pages.map(page => /sandbox\/(stage-\w+)/.exec(page.url())?.[1]);
    expect(one).not.to.equal(other);
    await pages[0]?.keyboard.press('r');
    await pages[0]?.locator('.asked-part.is-pending').waitFor({ state: 'attached' });
    expect(await stage.fake.sandbox(other ?? '').journal()).to.have.length(1);
    expect(await stage.fake.sandbox('default').journal()).to.have.length(0);
  });

  story('begins with an empty journal, at once, when it is restarted or another scenario is opened', async open => {
    const page = await open('#/sandbox/default/theatre/first-steps');
    const played = async () => {
      for (const shown of ['Request as admin', '200', 'What changed']) await next(page, shown);
      await page.getByRole('link', { name: 'Requests', exact: true }).first().click();
      await row(page, /1.*groups\.add-users/).waitFor();
      await page.goBack();
      await page.locator('.changed-part:not(.is-pending)').waitFor();
    };
    const nothing = async () => {
      await page.getByRole('link', { name: 'Requests', exact: true }).first().click();
      await page.getByText('No requests yet').waitFor();
      expect(await page.locator('.notice').count()).to.equal(0);
    };
    await played();
    await page.keyboard.press('r');
    await page.locator('.changed-part.is-pending').waitFor({ state: 'attached' });
    await nothing();
    await page.goBack();
    await played();
    await page.getByRole('link', { name: '← All' }).click();
    await page.getByRole('link', { name: /licence runs out/i }).click();
    await page.locator('.say').waitFor();
    await nothing();
  });

  story('shows an outline with the notes, goes to a step of it, and plays by itself at a chosen pace', async open => {
    const page = await open('#/sandbox/default/theatre/first-steps/1');
    await page.getByText('The admin adds two users').waitFor();
    await page.keyboard.press('o');
    const outline = page.getByRole('dialog', { name: 'Outline' });
    await outline.getByText(/./).first().waitFor();
    await outline.getByRole('link', { name: /pushes the filter/ }).click();
    await page.waitForURL(/first-steps\/3$/);
    await page.locator('.say', { hasText: 'pushes the filter' }).waitFor();
    await page.getByLabel('Play').selectOption('3');
    await page.locator('.asked-part:not(.is-pending)').waitFor();
    await page.locator('.answered-part:not(.is-pending)').waitFor();
  });

  story('shows the notes in a second window, which moves the stage on, and closes with it', async open => {
    const page = await open('#/sandbox/default/theatre/first-steps/1');
    await page.getByText('The admin adds two users').waitFor();
    const [notes] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('n')]);
    await notes.getByRole('region', { name: 'Now' }).getByText('The admin adds two users').waitFor();
    await notes.getByRole('button', { name: 'Next' }).click();
    await page.locator('.asked-part:not(.is-pending)').waitFor();
    await notes.getByText('shown: the request').waitFor();
    await notes.locator('main').click();
    await notes.keyboard.press('PageDown');
    await page.locator('.answered-part:not(.is-pending)').waitFor();
    await Promise.all([notes.waitForEvent('close'), page.getByRole('link', { name: '← All' }).click()]);
  });
});
