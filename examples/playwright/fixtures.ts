// A sandbox for each worker, reset before each test, responds to the page's requests.
import { test as base } from '@playwright/test';
import { connectFake, type Sandbox } from 'cwx-fake';

export const test = base.extend<{ sandbox: Sandbox }, { ofWorker: Sandbox }>({
  ofWorker: [async ({}, use) => use((await connectFake()).sandbox()), { scope: 'worker' }],
  sandbox: async ({ ofWorker, page }, use) => {
    await ofWorker.reset();
    await page.route('**/rest/**', async route => {
      const { pathname, search } = new URL(route.request().url());
      await route.fulfill({ response: await route.fetch({ url: `${ofWorker.url}${pathname}${search}` }) });
    });
    await use(ofWorker);
  },
});
