import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sandbox, server } from './fake.js';
import { addUser, spaceNames } from './wiki.js';

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => sandbox.reset());
afterAll(() => server.close());

test('a user joins a group', async () => {
  expect(await addUser('customers', 'alice')).toBe(true);
  expect((await sandbox.world()).groups.customers).toEqual(['alice']);
});

test('links lead back to the fake', async () => {
  const { spaces } = await sandbox.world();
  expect(await spaceNames()).toEqual(Object.values(spaces).map(({ name }) => name));
});
