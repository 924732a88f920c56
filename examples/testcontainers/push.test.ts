import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { container, fake } from './fake.js';

after(() => container.stop());

test('a filter reaches alice', async () => {
  const sandbox = fake.sandbox();
  const response = await fetch(`${sandbox.url}/rest/cwx-ppf/latest/push`, {
    method: 'POST',
    headers: { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' },
    body: JSON.stringify({ users: ['alice'], filters: [10500] }),
  });
  assert.equal(response.status, 200);
  assert.deepEqual((await sandbox.world()).favourites.alice?.filters, [10500]);
});
