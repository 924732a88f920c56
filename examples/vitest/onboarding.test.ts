// The document does not say how an unknown user is answered, so the client is tried under each reading.
import { createFake } from 'cwx-fake';
import { afterAll, expect, test } from 'vitest';
import { Onboarding } from './onboarding.js';

const fake = await createFake();
afterAll(() => fake.stop());

test('a colleague joins', async () => {
  const sandbox = fake.sandbox();
  expect(await new Onboarding(sandbox.fetch).join('customers', 'alice')).toBe(true);
  expect((await sandbox.world()).groups.customers).toEqual(['alice']);
});

test.each(['404', '400'] as const)('a stranger is refused with %s', async reading => {
  const sandbox = fake.sandbox(`stranger-${reading}`, { readings: { 'unknown-user': reading } });
  expect(await new Onboarding(sandbox.fetch).join('customers', 'bob')).toBe(false);
});
