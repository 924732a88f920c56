// What one job does: it makes its sandbox, runs its tests against it, and drops it.
import assert from 'node:assert/strict';
import { connect } from './sandbox.js';

const job = process.env.JOB;
const sandbox = await connect(process.env.CWX_FAKE_URL, `job-${job}`, { scenario: 'small-team' });
for (let i = 0; i < 20; i += 1) assert.equal((await sandbox.addUsers('customers', ['alice', 'carol'])).status, 200);
assert.deepEqual((await sandbox.world()).groups.customers, ['alice', 'carol']);
assert.deepEqual((await sandbox.journal()).entries.length, 20); // nobody else was here
await sandbox.drop();
console.log(`job ${job} passed`);
