// The dashboard of one fake in one browser, for all tests of a file. Their pages are open side by side, since each mostly waits.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { type Fake, startFake } from '../../../server/index.js';
import { browserPath, openBrowser, openPage, type WatchedPage } from './browser.js';
import { livedInRequests } from './lived-in.js';

export const ADD = '/rest/cwxapiextension/latest/groups/add-users';
export const asAdmin = {
  method: 'POST',
  headers: { Authorization: `Basic ${btoa('admin:admin')}`, 'Content-Type': 'application/json' },
};

export type Open = (path: string, options?: Parameters<typeof openPage>[2], origin?: string) => Promise<Page>;

/** Starts a fake of the story's own, stopped when its pages are closed: what a page still reads does not break. */
export type Serve = (options?: Parameters<typeof startFake>[0]) => Promise<Fake>;

type Tell = (open: Open, serve: Serve) => Promise<void>;

export interface Stage {
  readonly fake: Fake;
  /** A story with the machine to itself; these come first. */
  alone(title: string, tell: Tell): void;
  /** A test whose pages may have no problem. */
  story(title: string, tell: Tell): void;
  ask(sandbox: string, body: unknown, path?: string): Promise<Response>;
  /** A sandbox with requests of each kind. */
  livedIn(name: string): Promise<void>;
}

export const row = (page: Page, name: RegExp) => page.getByRole('row', { name });

export const asJson = (page: Page) => page.getByRole('button', { name: 'Show as JSON' }).click();

/** Where the focus is: its label or text, with the role of fields. */
export const focused = (page: Page) =>
  page.evaluate<string>(
    '(({ activeElement: e }) => e === document.body ? "body" : e.getAttribute("aria-label") ?? e.labels?.[0]?.innerText ?? e.innerText)(document)',
  );

export async function focusOn(page: Page, name: string): Promise<void> {
  for (let tries = 0; tries < 400 && (await focused(page)) !== name; tries += 1) await delay(25);
  expect(await focused(page)).to.equal(name);
}

export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle<unknown>(
    `(() => { const transfer = new DataTransfer(); transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)})); return transfer; })()`,
  );
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

const LANES = 4;
/** A browser on a slow machine, beside other tests, takes minutes. */
const STORY_MS = 300_000;

export function describeInBrowser(title: string, tell: (stage: Stage) => void): void {
  describe(title, function () {
    this.timeout(STORY_MS);
    let browser: Browser;
    let fake: Fake;
    const waiting: Array<() => Promise<void>> = [];

    before(async function () {
      const path = browserPath();
      if (path === undefined) {
        console.log('      skipped: there is no Chromium here');
        this.skip();
      }
      [browser, fake] = await Promise.all([openBrowser(path), startFake()]);
    });
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    };
    let isBegun = false;
    const beginLanes = () => {
      if (!isBegun) for (let i = 0; i < LANES; i += 1) void lane();
      isBegun = true;
    };
    after(async () => {
      await browser?.close();
      await fake?.stop();
    });

    const onPages = async (tellOne: Tell) => {
      const pages: WatchedPage[] = [];
      const fakes: Fake[] = [];
      const serve: Serve = async options => {
        const own = await startFake(options);
        fakes.push(own);
        return own;
      };
      try {
        await tellOne(async (path, options = {}, origin = fake.url) => {
          const watched = await openPage(browser, `${origin}/_fake/ui/${path}`, options);
          pages.push(watched);
          return watched.page;
        }, serve);
        expect(pages.flatMap(({ problems }) => problems)).to.deep.equal([]);
      } finally {
        for (const { page } of pages) await page.context().close();
        for (const own of fakes) await own.stop();
      }
    };
    tell({
      get fake() {
        return fake;
      },
      story(name, tellOne) {
        const reported = new Promise<void>((resolve, reject) => {
          waiting.push(() => onPages(tellOne).then(resolve, reject));
        });
        reported.catch(() => undefined); // its test tells
        it(name, () => {
          beginLanes();
          return reported;
        });
      },
      alone: (name, tellOne) => void it(name, () => onPages(tellOne)),
      ask: (sandbox, body, path = ADD) =>
        fetch(`${fake.url}/~${sandbox}${path}`, { ...asAdmin, body: JSON.stringify(body) }),
      livedIn: async name => {
        await fake.sandbox(name).describe();
        await livedInRequests(`${fake.url}/~${name}`);
      },
    });
  });
}
