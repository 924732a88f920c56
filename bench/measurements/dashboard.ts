// The dashboard in a real browser, on a world of 100,000 pages and a full journal: how soon it paints, how soon it shows a request, how evenly it
// moves while requests come, and what it costs the server.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { browserPath, openBrowser } from '../../tests/proof/ui/browser.js';
import { type Running, start } from '../harness/child.js';
import type { Effort } from '../harness/rounds.js';
import { send } from '../harness/single-request.js';
import { percent, shareOf, spread } from '../harness/statistics.js';
import type { Table } from '../harness/table.js';

const ENTRIES = 1_000;
const A_SECOND = 100;
const PAINTS = 9;
const SHOWN = 40;
const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const REMOVE = '/rest/cwxapiextension/latest/groups/remove-users';
const BODY = '{"group":"customers","users":["alice"]}';
const VIEWS = {
  Requests: '#/sandbox/default/requests',
  'World, pages': '#/sandbox/default/world/pages',
  'World, groups': '#/sandbox/default/world/groups',
};

export async function dashboard(effort: Effort): Promise<readonly Table[]> {
  const path = browserPath();
  const title = 'The dashboard';
  if (path === undefined) return [{ title, note: 'Skipped: there is no Chromium.', columns: ['what'], rows: [] }];
  const browser = await openBrowser(path);
  const server = await start({ script: 'server/cli.js', args: ['serve', 'large', '--port', '0', '--log', 'silent'] });
  try {
    for (let i = 0; i < ENTRIES; i += 1) await ordinary(server.url, i);
    const rows = [
      ['first paint, ms', spread(await paints(browser, server.url))],
      ['a request is shown after, ms', spread(await delays(browser, server.url))],
      ...(await frames(browser, server.url, effort)),
      ...(await costs(browser, server, effort)),
    ];
    const note = `\`serve large\`, a journal of 1,000 entries, Chromium without a screen; ${A_SECOND} requests a second for the last rows. A fresh page without a cache for each paint.`;
    return [{ title, note, columns: ['what', 'least / median / greatest'], rows }];
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function ordinary(url: string, i: number): Promise<void> {
  await send(url, `POST\t${i % 2 === 0 ? ADD : REMOVE}\t${BODY}`);
}

/** In the page: the time of the frame in which a row with this title is there. */
const whenShown = `(title => new Promise(resolve => {
  const look = () => {
    const now = performance.timeOrigin + performance.now();
    if (document.querySelector('[title="' + title + '"]') === null) requestAnimationFrame(look);
    else requestAnimationFrame(() => resolve(now));
  };
  look();
}))`;

/** In the page: the milliseconds between its frames. */
const framesOf = `(milliseconds => new Promise(resolve => {
  const taken = [];
  const began = performance.now();
  let last = began;
  const frame = now => {
    taken.push(now - last);
    last = now;
    if (now - began < milliseconds) requestAnimationFrame(frame);
    else resolve(taken.slice(1));
  };
  requestAnimationFrame(frame);
}))`;

async function opened(browser: Browser, url: string, view: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  await page.goto(`${url}/_fake/ui/${view}`);
  await page.getByRole('row').nth(2).waitFor();
  return page;
}

async function paints(browser: Browser, url: string): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < PAINTS; i += 1) {
    const page = await opened(browser, url, VIEWS.Requests);
    times.push(await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"));
    await page.context().close();
  }
  return times;
}

/** From before a request is sent to the frame after its row is there. */
async function delays(browser: Browser, url: string): Promise<number[]> {
  const page = await opened(browser, url, VIEWS.Requests);
  const times: number[] = [];
  for (let i = 0; i < SHOWN; i += 1) {
    const shown = page.evaluate<number>(`${whenShown}('/shown-${i}')`);
    await sleep(50);
    const began = performance.timeOrigin + performance.now();
    await send(url, `POST\t/shown-${i}\t${BODY}`);
    times.push((await shown) - began);
  }
  await page.context().close();
  return times;
}

async function frames(browser: Browser, url: string, { seconds }: Effort): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [name, view] of Object.entries(VIEWS)) {
    const page = await opened(browser, url, view);
    const loaded = load(url, seconds);
    const times = await page.evaluate<number[]>(`${framesOf}(${seconds * 1000})`);
    await loaded;
    await page.context().close();
    const late = times.filter(time => time > 50).length;
    rows.push([`${name}: from frame to frame, ms`, `${spread(times)}; ${late} of ${times.length} above 50`]);
  }
  return rows;
}

/** What a request costs the server, with and without somebody who looks on, in turn. */
async function costs(browser: Browser, server: Running, { rounds, seconds }: Effort): Promise<string[][]> {
  const alone: number[] = [];
  const seen: number[] = [];
  for (let round = 0; round < rounds * 2; round += 1) {
    alone.push(await cost(server, seconds));
    const page = await opened(browser, server.url, VIEWS.Requests);
    await sleep(1_000);
    seen.push(await cost(server, seconds));
    await page.context().close();
  }
  return [
    ['server, µs of processor time a request', spread(alone)],
    ['the same while a page shows the requests', `${spread(seen)}; ${percent(shareOf(seen, alone))} of it`],
  ];
}

async function cost(server: Running, seconds: number): Promise<number> {
  const before = await server.usage();
  const asked = await load(server.url, seconds);
  return ((await server.usage()).cpu - before.cpu) / asked;
}

/** Asks so often a second; gives how many it asked. */
async function load(url: string, seconds: number): Promise<number> {
  const count = seconds * A_SECOND;
  const began = performance.now();
  const asked: Promise<void>[] = [];
  for (let i = 0; i < count; i += 1) {
    asked.push(ordinary(url, i));
    const next = began + ((i + 1) * 1000) / A_SECOND;
    await sleep(Math.max(0, next - performance.now()));
  }
  await Promise.all(asked);
  return count;
}
