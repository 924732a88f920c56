// `npm run update -- pictures`: pictures of every view for whoever looks at them, and the two of the documentation. Not a test.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startFake } from '../../../server/index.js';
import { browserPath, openBrowser, openPage } from './browser.js';
import { livedInRequests } from './lived-in.js';

/** Views, by the names of their pictures: the place, and what shows that it is complete. */
const views: Readonly<Record<string, readonly [place: string, shown: string]>> = {
  world: ['default/world/groups', 'team-members'],
  overview: ['default', 'is served at'],
  record: ['default/world/pages/65601', 'Title'],
  versions: ['default/world?from=1&to=7', 'version 1 to 7'],
  requests: ['default/requests', 'groups.add-users'],
  readings: ['default/readings', 'unknown-user'],
  programme: ['default/theatre', 'A first look'],
  missing: ['nobody/world', 'Unknown sandbox'],
  empty: ['quiet/requests', 'No requests yet'],
};

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
  const { page } = await openPage(browser, `${fake.url}/_fake/ui/`, options);
  const go = (place: string) => page.goto(`${fake.url}/_fake/ui/#/sandbox/${place}`);
  const shoot = async (name: string) => {
    await page.waitForTimeout(300); // for what moves
    await page.screenshot({ path: join(out, `${name}-${suffix}.png`) });
  };
  await fake.sandbox('quiet').describe();
  for (const [name, [place, shown]] of Object.entries(views)) {
    await go(place);
    await page.getByText(shown).filter({ visible: true }).first().waitFor();
    await shoot(name);
  }
  await go('default/requests/4');
  await page
    .getByRole('button', { name: /What if/ })
    .first()
    .click();
  await page.getByText('Actual response').waitFor();
  await shoot('what-if');
  await go('default/theatre/first-steps');
  await page.locator('.say').waitFor();
  for (const beat of ['said', 'asked', 'answered', 'changed']) {
    await shoot(`theatre-${beat}`);
    await page.keyboard.press('ArrowRight');
  }
  await go('quiet/requests');
  await page.getByRole('button', { name: /Sandbox/ }).click();
  await shoot('sandboxes');
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
