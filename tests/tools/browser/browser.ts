// A Chromium of this machine, driven by playwright: found by its usual names, or where CHROMIUM says. Downloads none.
import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Its path; `undefined` where there is none. With CI=true there has to be one. */
export function browserPath(): string | undefined {
  const { CHROMIUM, PATH = '', CI } = process.env;
  const found = [
    CHROMIUM ?? '',
    ...PATH.split(delimiter).flatMap(folder => names.map(name => join(folder, name))),
  ].find(isProgram);
  if (found === undefined && CI === 'true')
    throw new Error('CI=true, and there is no Chromium: apt-get install chromium');
  return found;
}

function isProgram(path: string): boolean {
  if (path === '') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page that fails its test where it logs an error, or breaks the policy under which it is served. */
export interface WatchedPage {
  readonly page: Page;
  readonly problems: string[];
}

/** Refusals, and a server that was stopped. */
const EXPECTED = /status of 4\d\d|ERR_(?:CONNECTION|EMPTY_RESPONSE|INCOMPLETE_CHUNKED|SOCKET)/;

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(280_000); // shorter than the test's, which does not say what was missing
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) problems.push(message.text());
  });
  page.on('request', request => {
    if (new URL(request.url()).origin !== new URL(url).origin && !request.url().startsWith('blob:'))
      problems.push(`asked another host: ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page that was opened with `bypassCSP`. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)].join(" ")))',
  );
}
