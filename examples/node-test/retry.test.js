// Faults are armed in the sandbox of one test; the journal tells what the client did.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFake } from 'cwx-fake';
import { pull } from './retry.js';

const fake = await createFake();
after(() => fake.stop());

test('it tries again until it is through', async () => {
  const sandbox = fake.sandbox();
  await sandbox.faults.set([{ operation: 'ppf.pull', when: { first: 2 }, effect: { status: 503 } }]);
  assert.equal(await pull(sandbox.fetch, ['carol'], [10600]), 200);
  await sandbox.verify({ operation: 'ppf.pull', times: { exactly: 3 } });
  assert.deepEqual((await sandbox.world()).favourites.carol.filters, []);
});

test('it gives up after three', async () => {
  const sandbox = fake.sandbox();
  await sandbox.faults.set([{ operation: 'ppf.pull', effect: { status: 503 } }]);
  assert.equal(await pull(sandbox.fetch, ['carol'], [10600]), 503);
  assert.deepEqual((await sandbox.world()).favourites.carol.filters, [10600]);
});
