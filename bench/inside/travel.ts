// Measures inside one process what it takes to go through the time of a sandbox on a large world: snapshots, versions, differences.
// Prints its figures as JSON. Knows no HTTP.

import type { Present, SandboxDecision } from '../../server/engine/sandbox/sandbox-decision.js';
import { keeping, restoring } from '../../server/engine/sandbox/snapshots.js';
import { differenceIn, rewinding } from '../../server/engine/sandbox/versions.js';
import { post, sessionOn, userName, worldOf } from './asking.js';
import { type Figure, microseconds } from './clocked.js';

const PAGES = 100_000;
const CHANGES = 500;

const figures: Figure[] = [];
const session = sessionOn(worldOf({ users: 1_000, members: 500, pages: PAGES }));
const sandbox = await session.ensure('default', session.origin);
const change = <T>(decide: (present: Present) => SandboxDecision<T>) => session.change(sandbox, decide);
const timed = async (what: string, batch: number, act: (i: number) => unknown) => {
  figures.push({ what, unit: 'µs', values: await microseconds(20, batch, act) });
};

await timed('keep a snapshot, in the place of another', 500, () =>
  change(keeping('a', true, session.settings.machineTime)),
);
await timed('restore it', 500, () => change(restoring('a')));
await timed('rewind by one version', 500, () => change(rewinding(sandbox.version - 1)));
for (let i = 0; i < CHANGES; i += 1)
  await session.respond('default', post('/groups/add-users', {}, { group: 'big', users: [userName(500 + i)] }));
await timed('fork at an earlier version, and drop it', 500, async i => {
  await session.fork(sandbox, `fork-${i}`, sandbox.history.at(sandbox.version - 1 - (i % 100)));
  await session.drop(`fork-${i}`);
});
await timed(`what differs between two versions, ${CHANGES} changes apart`, 20, () =>
  differenceIn(sandbox, sandbox.version - CHANGES),
);
await session.respond(
  'default',
  post('/spaces/replaceInPage', { spaceKey: 'big', pageTitle: 'Page 1' }, [{ oldText: 'x', newText: 'y' }]),
);
await timed('the same where one page of all has changed', 2, () => differenceIn(sandbox, sandbox.version - 1));
console.log(JSON.stringify(figures));
