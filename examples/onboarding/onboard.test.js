// A sandbox stands for the wiki and for the tracker: what the program changed in one is seen in both, by each user as they may.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startFake } from 'cwx-fake';
import { onboard, seenBy } from './onboard.js';

const team = { group: 'team-members', users: ['alice', 'carol'], pageId: '65601', filter: 10500, dashboard: 11000 };
let fake;
before(async () => {
  fake = await startFake();
});
after(() => fake.stop());

test('a team is onboarded, and reads everything back', async () => {
  const { url } = fake.sandbox();
  assert.deepEqual(await onboard(url, { name: 'admin', password: 'admin' }, team), ['alice', 'carol', 'demouser1']);
  const member = await seenBy(url, { name: 'alice', password: 'x' }, team);
  assert.deepEqual(member, { page: 'Welcome', filters: ['Open bugs'], dashboards: ['Team board'] });
  const other = await seenBy(url, { name: 'demouser2', password: 'x' }, team);
  assert.deepEqual(other, { page: 'No content found with id: ContentId{id=65601}', filters: [], dashboards: [] });
});

test('nobody but an admin onboards', async () => {
  const outsider = { name: 'demouser2', password: 'x' };
  await assert.rejects(onboard(fake.sandbox().url, outsider, team), /\/rest\/cwx-ppf\/latest\/push answered 403/);
});
