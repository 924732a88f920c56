import { expect } from '@playwright/test';
import { test } from './fixtures.js';

test.beforeEach(async ({ page }) => {
  await page.route('http://app.test/', route => route.fulfill({ path: 'app.html' })); // in place of your own server
  await page.goto('http://app.test/');
});

test('a user joins the customers', async ({ page, sandbox }) => {
  await page.getByLabel('User').fill('alice');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('Added');
  expect((await sandbox.world()).groups.customers).toEqual(['alice']);
});

test('an unknown user is refused', async ({ page, sandbox }) => {
  await page.getByLabel('User').fill('bob');
  await page.getByRole('button').click();
  await expect(page.getByRole('status')).toHaveText('Refused: 404');
  expect((await sandbox.world()).groups.customers).toEqual([]);
});
