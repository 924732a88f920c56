// A sandbox of its own, so that no other worker sees the change.
import { connectFake } from 'cwx-fake';
import { expect, test } from 'vitest';
import { addUser } from './add-user.js';

const fake = await connectFake();

test('a user joins a group', async () => {
  const sandbox = fake.sandbox();
  expect(await addUser(sandbox.url, 'customers', 'alice')).toBe(true);
  expect((await sandbox.world()).groups.customers).toEqual(['alice']);
});
