// Measures inside one process what isolation costs on a large world: forks, resets, ten thousand sandboxes; and the two heaviest operations.
// Prints its figures as JSON. Knows no HTTP.
import type { Session } from '../../server/engine/session/session.js';
import { post, sessionOn, userName, worldOf } from './asking.js';
import { type Figure, microseconds } from './clocked.js';

const PAGES = 100_000;
const SANDBOXES = 10_000;
const MEBIBYTE = 2 ** 20;

const figures: Figure[] = [];
const session = sessionOn(worldOf({ users: 1_000, members: 500, pages: PAGES }));
await isolation(session);
await bytesOfEach(session);
await operations(sessionOn(worldOf({ users: 1_000, members: 500, pages: PAGES })));
const page = { users: 10, members: 5, pages: 1 };
const lines = `${'.'.repeat(1_018)} xxxxx`.repeat(MEBIBYTE / 1_024);
await largePage(
  sessionOn(worldOf({ ...page, body: lines })),
  'replaceInPage of 1,024 words on a page of 1 MiB',
  'xxxxx',
);
const solid = 'x'.repeat(MEBIBYTE);
await largePage(sessionOn(worldOf({ ...page, body: solid })), 'replaceInPage of each character of such a page', 'x');
console.log(JSON.stringify(figures));

function note(what: string, unit: string, values: readonly number[]): void {
  figures.push({ what, unit, values });
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function base(of: Session) {
  const sandbox = await of.open('default');
  if (sandbox === undefined) throw new Error('there is no default sandbox');
  return sandbox;
}

async function isolation(of: Session): Promise<void> {
  const from = await base(of);
  const forks = await microseconds(20, 500, async i => {
    await of.fork(from, `fork-${i}`);
    await of.drop(`fork-${i}`);
  });
  note(`fork and drop a sandbox, world of ${PAGES} pages`, 'µs', forks);
  const resets = await microseconds(20, 500, () => of.reset(from));
  note(`reset a sandbox, world of ${PAGES} pages`, 'µs', resets);
  const join = (i: number) => post('/groups/add-users', {}, { group: 'big', users: [userName(500 + (i % 500))] });
  const changed = await microseconds(20, 200, async i => {
    await of.respond('default', join(i));
    await of.reset(from);
  });
  note('change it and reset it', 'µs', changed);
}

async function bytesOfEach(of: Session): Promise<void> {
  const from = await base(of);
  const before = heap();
  for (let i = 0; i < SANDBOXES; i += 1) await of.fork(from, `job-${i}`);
  note(`each of ${SANDBOXES} idle sandboxes`, 'bytes', [(heap() - before) / SANDBOXES]);
  const idle = heap();
  for (let i = 0; i < SANDBOXES; i += 1) {
    const users = [0, 1, 2].map(k => userName(500 + ((i + k) % 500)));
    await of.respond(`job-${i}`, post('/groups/add-users', {}, { group: 'big', users }));
  }
  note('and what one request that changes three things adds', 'bytes', [(heap() - idle) / SANDBOXES]);
}

async function operations(of: Session): Promise<void> {
  const from = await base(of);
  const copies: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    await of.fork(from, `copy-${i}`);
    const query = { sourceSpaceKey: 'big', targetSpaceKey: `COPY${i}`, targetSpaceTitle: 'Copy', targetSpaceAdmin: '' };
    const request = post('/spaces/copySpace', {
      ...query,
      removeAdminPermissions: 'false',
      keepPagesMetadata: 'false',
    });
    const began = performance.now();
    const answered = await of.respond(`copy-${i}`, request);
    copies.push(performance.now() - began);
    if (answered?.response.status !== 200) throw new Error(`copySpace answered ${answered?.response.body}`);
    await of.drop(`copy-${i}`);
  }
  note(`copySpace of a space with ${PAGES} pages`, 'ms', copies.slice(2));
}

/** Once with a word here and there, as clients do it, and once with the most that can be found. */
async function largePage(of: Session, what: string, word: string): Promise<void> {
  const other = word.replaceAll('x', 'y');
  const responses = new Set<number | undefined>();
  const taken = await microseconds(8, 10, async i => {
    const [oldText, newText] = i % 2 === 0 ? [word, other] : [other, word];
    const request = post('/spaces/replaceInPage', { spaceKey: 'big', pageTitle: 'Page 1' }, [{ oldText, newText }]);
    responses.add((await of.respond('default', request))?.response.status);
  });
  if (!responses.has(200) || responses.size > 1) throw new Error(`replaceInPage answered ${[...responses]}`);
  note(
    what,
    'ms',
    taken.map(micro => micro / 1000),
  );
}
