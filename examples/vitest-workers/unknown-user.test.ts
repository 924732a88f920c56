// Runs in another worker, against the same fake.
import { connectFake } from 'cwx-fake';
import { expect, test } from 'vitest';
import { addUser } from './add-user.js';

const fake = await connectFake();

test('an unknown user is refused', async () => {
  const sandbox = fake.sandbox();
  expect(await addUser(sandbox.url, 'customers', 'bob')).toBe(false);
  expect((await sandbox.world()).groups.customers).toEqual([]);
  expect((await sandbox.journal()).map(({ response }) => response.status)).toEqual([404]);
});
