// A sandbox with a history: some of everything a sandbox has, so that any change or leak is visible.
import type { Fake, Sandbox } from '../../server/index.js';

export const CLOCK = '2026-01-05T09:00:00Z';

export const faults = [{ operation: 'ppf.pull', effect: { status: 503 } }] as const;

/** A new sandbox of this name; six versions, four requests, and a snapshot `before` of its first version. */
export async function livedIn(fake: Fake, name: string): Promise<Sandbox> {
  const sandbox = fake.sandbox(name, { clock: CLOCK });
  const { groups, ppf } = sandbox.client('admin');
  await groups.addUsers({ body: { group: 'customers', users: ['alice'] } }); // entry 1, version 1
  await sandbox.snapshot('before'); // version 2
  await ppf.push({ body: { users: ['bob', 'alice'], filters: [10500] } }); // entry 2, version 3
  await sandbox.readings.set({ 'unknown-group': '400' }); // version 4
  await sandbox.faults.set(faults); // version 5
  await ppf.pull({ body: { users: ['alice'], filters: [10500] } }); // entry 3, version 6
  await groups.addUsers({ body: { group: 'nobodies', users: ['alice'] } }); // entry 4
  return sandbox;
}
