// Measures inside one process what a sandbox keeps in memory of its changes: of a thousand, of each kind of heavy one, and of a million.
// Prints its figures as JSON. Knows no HTTP.
import type { Request } from '../../server/engine/request/request.js';
import type { Session } from '../../server/engine/session/session.js';
import { post, sessionOn, userName, worldOf } from './asking.js';
import type { Figure } from './clocked.js';

const SANDBOXES = 20;
const CHANGES = 1_000;
const MILLION = 1_000_000;

const figures: Figure[] = [];
const members = worldOf({ users: 1_000, members: 500, pages: 100 });
await thousand('3 members join or leave', sessionOn(members), joining);
await thousand(
  'a text of 10 kB is replaced',
  sessionOn(worldOf({ users: 10, members: 5, pages: 10, body: 'x'.repeat(10_000) })),
  replacing,
);
await thousand('500 members are set', sessionOn(members), setting);
await thousand('a filter is pushed to 500 users, or pulled', sessionOn(members), pushing);
await thousand(
  'a space of 1,000 pages is copied, or the world reset',
  sessionOn(worldOf({ users: 10, members: 5, pages: 1_000 })),
  copying,
);
await million();
console.log(JSON.stringify(figures));

function heap(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** What some sandboxes weigh after so many changes, without their journals. */
async function thousand(what: string, of: Session, request: (i: number) => Request | 'reset'): Promise<void> {
  await changed(of, 'warm', request(0));
  for (let i = 0; i < SANDBOXES; i += 1) await of.create(`job-${i}`, of.origin);
  const before = heap();
  for (let i = 0; i < SANDBOXES; i += 1) {
    for (let k = 0; k < CHANGES; k += 1) await changed(of, `job-${i}`, request(k));
    of.find(`job-${i}`)?.journal.clear();
  }
  figures.push({
    what: `a sandbox with ${CHANGES} changes: ${what}`,
    unit: 'kB',
    values: [(heap() - before) / SANDBOXES / 1000],
  });
}

async function million(): Promise<void> {
  const of = sessionOn(members);
  const requests = Array.from({ length: 1_000 }, (_, i) => joining(i));
  for (let done = 0; done <= MILLION; done += 1) {
    if (done === 5_000 || done % 250_000 === 0)
      figures.push({ what: `heap after ${done} changes`, unit: 'MB', values: [heap() / 1e6] });
    await changed(of, 'default', requests[done % requests.length] as Request); // within the list
  }
}

async function changed(of: Session, name: string, request: Request | 'reset'): Promise<void> {
  const sandbox = of.find(name);
  if (request === 'reset' && sandbox !== undefined) return void (await of.reset(sandbox));
  if (request === 'reset') throw new Error(`there is no sandbox ${name}`);
  const performed = await of.respond(name, request);
  if (performed === undefined || performed.facts.length === 0)
    throw new Error(`nothing changed: ${performed?.response.body}`);
}

/** Three come in even turns, and go in odd ones. */
function joining(turn: number): Request {
  const users = [0, 1, 2].map(k => userName(500 + (((turn >> 1) * 3 + k) % 500)));
  return post(`/groups/${turn % 2 === 0 ? 'add' : 'remove'}-users`, {}, { group: 'big', users });
}

function pushing(turn: number): Request {
  const users = Array.from({ length: 500 }, (_, k) => userName(k));
  return post(turn % 2 === 0 ? '/push' : '/pull', {}, { users, filters: [1] }, 'ppf');
}

/** The second of two takes the world back to its beginning. */
function copying(turn: number): Request | 'reset' {
  if (turn % 2 === 1) return 'reset';
  return post('/spaces/copySpace', {
    sourceSpaceKey: 'big',
    targetSpaceKey: 'COPY',
    targetSpaceTitle: 'Copy',
    targetSpaceAdmin: '',
    removeAdminPermissions: 'false',
    keepPagesMetadata: 'false',
  });
}

function setting(turn: number): Request {
  const users = Array.from({ length: 500 }, (_, k) => userName((turn + 1 + k) % 1_000));
  return post('/groups/set-users', {}, { group: 'big', users });
}

function replacing(turn: number): Request {
  const [oldText, newText] = turn % 2 === 0 ? ['x', 'y'] : ['y', 'x'];
  return post('/spaces/replaceInPage', { spaceKey: 'big', pageTitle: 'Page 1' }, [{ oldText, newText }]);
}
