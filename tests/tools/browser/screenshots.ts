// `npm run update -- pictures`: pictures of every view for whoever looks at them, and the two of the documentation. Not a test.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startFake } from '../../../server/index.js';
import { browserPath, openBrowser, openPage } from './browser.js';
import { livedInRequests } from './lived-in.js';

const root = join(import.meta.dirname, '../../..');
const out = process.argv[2] ?? join(root, 'dist/screenshots');
const path = browserPath();
if (path === undefined) {
  console.error('There is no Chromium here: install one, or name it in CHROMIUM.');
  process.exit(3);
}
mkdirSync(out, { recursive: true });
mkdirSync(join(root, 'docs/images'), { recursive: true });
const fake = await startFake();
const browser = await openBrowser(path);
try {
  await livedInRequests(fake.url);
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [width, height] of [
      [1280, 720],
      [1920, 1080],
      [390, 844],
    ] as const)
      await pictures(browser, { colorScheme, viewport: { width, height } }, `${width}-${colorScheme}`);
  await pictures(browser, { forcedColors: 'active', viewport: { width: 1280, height: 720 } }, '1280-forced');
  await documentationPictures(browser);
} finally {
  await browser.close();
  await fake.stop();
}

type Options = Parameters<typeof openPage>[2];

async function pictures(browser: Browser, options: Options, suffix: string): Promise<void> {
  const shoot = (page: Page, name: string) => page.screenshot({ path: join(out, `${name}-${suffix}.png`) });
  const { page } = await openPage(browser, `${fake.url}/_fake/ui/#/sandbox/default/world/groups`, options);
  await page.getByRole('row', { name: /team-members/ }).waitFor();
  await shoot(page, 'world');
  await page.goto(`${fake.url}/_fake/ui/`);
  await page.getByRole('heading', { name: 'is served at' }).waitFor();
  await page.waitForTimeout(200);
  await shoot(page, 'overview');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/world/pages/65601`);
  await page.getByRole('textbox', { name: 'Title' }).waitFor();
  await shoot(page, 'record');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/world?from=1&to=7`);
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(200);
  await shoot(page, 'versions');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/requests`);
  await page.getByRole('grid', { name: 'Requests' }).waitFor();
  await shoot(page, 'requests');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/requests/4`);
  await page
    .getByRole('button', { name: /What if/ })
    .first()
    .click();
  await page.getByText('Actual response').waitFor();
  await page.waitForTimeout(200);
  await shoot(page, 'what-if');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/readings`);
  await page.getByRole('group').first().waitFor();
  await page.waitForTimeout(200);
  await shoot(page, 'readings');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/theatre`);
  await page.getByText('A first look').waitFor();
  await shoot(page, 'programme');
  await page.getByText('A first look').first().click();
  await page.locator('.say').waitFor();
  for (const beat of ['said', 'asked', 'answered', 'changed']) {
    await page.waitForTimeout(450);
    await shoot(page, `theatre-${beat}`);
    await page.keyboard.press('ArrowRight');
  }
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/nobody/world`);
  await page.getByText('Unknown sandbox').waitFor();
  await shoot(page, 'missing');
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/quiet/requests`);
  await fake.sandbox('quiet').describe();
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/quiet/requests`);
  await page.getByText('No requests yet').waitFor({ timeout: 5000 });
  await shoot(page, 'empty');
  await page.getByRole('button', { name: /Sandbox/ }).click();
  await page.waitForTimeout(300);
  await shoot(page, 'sandboxes');
  await page.context().close();
}

/** Small, since they are in the repository. */
async function documentationPictures(browser: Browser): Promise<void> {
  const { page } = await openPage(browser, `${fake.url}/_fake/ui/#/sandbox/default/requests/4`, {
    viewport: { width: 1200, height: 700 },
    colorScheme: 'light',
  });
  await page
    .getByRole('button', { name: /What if/ })
    .first()
    .waitFor();
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(root, 'docs/images/dashboard-requests.png') });
  await page.goto(`${fake.url}/_fake/ui/#/sandbox/default/theatre`);
  await page.getByText('A first look').first().click();
  for (const _ of ['asked', 'answered', 'changed']) {
    await page.waitForTimeout(400);
    await page.keyboard.press('ArrowRight');
  }
  await page.waitForTimeout(600);
  await page.screenshot({ path: join(root, 'docs/images/dashboard-theatre.png') });
}
