// The dashboard with 100,000 users and pages: true numbers, the last row, few records asked for, and no view that blocks the page.
import { expect } from 'chai';
import { describeInBrowser, row } from './stories.js';

/** A view that works on all records blocks for many seconds, however fast the machine is. */
const MAX_TASK_MS = 2_000;

const WATCH = `window.longTasks = []; new PerformanceObserver(list => { for (const { duration } of list.getEntries()) window.longTasks.push(duration); }).observe({ type: 'longtask', buffered: true });`;

describeInBrowser('the dashboard of a large company', stage => {
  stage.alone('shows every view and plays without blocking, and reads only what it shows', async (open, serve) => {
    const large = await serve({ scenario: 'large' });
    const page = await open('#/sandbox/default/requests', {}, large.url);
    await page.context().addInitScript(WATCH);
    await page.reload();
    const go = (place: string) => page.goto(`${large.url}/_fake/ui/#/sandbox/${place}`);
    const longest = () => page.evaluate<number>('Math.max(0, ...window.longTasks.splice(0))');
    const blocked: string[] = [];
    const seen = async (what: string) => {
      const duration = await longest();
      if (duration > MAX_TASK_MS) blocked.push(`${what}: ${Math.round(duration)} ms`);
    };
    await page.getByText('No requests yet').waitFor();
    await longest();

    await go('default/world/groups/all-users');
    await row(page, /all-users.*100,000/).waitFor();
    await page.getByText(/all-users has [\d,]+ characters/).waitFor();
    await seen('a group of 100,000');
    await go('default/world/pages');
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.waitForURL(/pages\/1100000$/);
    await page.locator('[role=row][aria-selected=true]').getByText('1100000', { exact: true }).waitFor();
    await seen('the last page');
    for (const [place, text] of [
      ['default/world/users', 'user1'],
      ['default/world/favourites', 'user1'],
      ['default/readings', 'unknown-user'],
    ] as const) {
      await go(place);
      await page.getByText(text, { exact: true }).first().waitFor();
      await seen(place);
    }

    const askedFor: number[] = [];
    page.on('request', request => {
      const keys = new URL(request.url()).searchParams.get('keys');
      if (keys !== null) askedFor.push((JSON.parse(keys) as unknown[]).length);
    });
    await go('stage/theatre/large');
    const press = async (text: string) => {
      await page.keyboard.press('ArrowRight');
      await page.locator('main').getByText(text).first().waitFor();
      await seen(text);
    };
    await page.getByText('hundred thousand users').waitFor();
    for (const text of ['push', '200']) await press(text);
    await press('and 99,960 more records');
    expect(Math.max(...askedFor)).to.equal(40);
    await page.getByRole('link', { name: 'Requests', exact: true }).last().click();
    await page.getByRole('row', { name: /ppf\.push/ }).click();
    await page.locator('.detail').getByText('more records').waitFor();
    await seen('the entry');
    expect(blocked).to.deep.equal([]);
  });
});
