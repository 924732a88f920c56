// The limits of memory and of records: what counts, what is evicted beyond them, and what is refused then.
import { expect } from 'chai';
import { keeping } from '../../../server/engine/sandbox/snapshots.js';
import type { Change } from '../../../server/engine/sandbox/state.js';
import { resetting } from '../../../server/engine/sandbox/versions.js';
import type { CachedSandbox } from '../../../server/engine/session/cached-sandbox.js';
import type { Session, SessionSettings } from '../../../server/engine/session/session.js';
import { StoreError } from '../../../server/engine/store.js';
import { failure } from '../../support/worlds/failure.js';
import { adding, origin, sessionWith, shared } from '../../support/worlds/sessions.js';

const MB = 1_000_000;
const now = () => new Date('2026-11-20T00:00:00Z');
/** What counts besides the texts of a few sandboxes: their records and versions. */
const LITTLE = 0.1 * MB;

/** `maxMemory` in megabytes. */
function limited(maxMemory = 1000, settings: Partial<SessionSettings> = {}): Session {
  return sessionWith({ maxMemory: maxMemory * MB, ...settings });
}

const made = (session: Session, name: string) => session.ensure(name, session.origin);

const page = (body: string | null, id = 70_000): Change => ({
  type: 'world-patched',
  patch: { pages: { [id]: body === null ? null : { space: 'ds', title: `page ${id}`, body } } },
});

/** Gives a sandbox a page with a text of this many megabytes; each letter is another text. */
const write = (session: Session, sandbox: CachedSandbox, megabytes: number, letter = 'a', id = 70_000) =>
  session.change(sandbox, () => ({ changes: [page(letter.repeat(megabytes * MB), id)], result: undefined }));

const change = (session: Session, sandbox: CachedSandbox, ...changes: Change[]) =>
  session.change(sandbox, () => ({ changes, result: undefined }));

describe('the memory of sandboxes', () => {
  const kinds: Readonly<Record<string, readonly [megabytes: number, act: (session: Session) => Promise<unknown>]>> = {
    'a text': [1, async session => write(session, await made(session, 'a'), 1)],
    'texts that were replaced, while the versions are kept': [
      3,
      async session => {
        const sandbox = await made(session, 'a');
        for (const letter of ['a', 'b', 'c']) await write(session, sandbox, 1, letter);
      },
    ],
    'a body in the journal': [
      1,
      session =>
        session.respond('a', { ...adding('alice'), body: { kind: 'not-json', text: 'x'.repeat(MB), problem: '' } }),
    ],
    'a fork whose original is gone': [
      1,
      async session => {
        const sandbox = await made(session, 'a');
        await write(session, sandbox, 1);
        await session.fork(sandbox, 'fork');
        await session.drop('a');
      },
    ],
  };
  for (const [what, [megabytes, act]] of Object.entries(kinds))
    it(`counts ${what}: ${megabytes} MB, and nothing once all are dropped`, async () => {
      const session = limited();
      await act(session);
      expect(session.sandboxes.memory.used).to.be.within(megabytes * MB, (megabytes + 0.1) * MB + LITTLE);
      for (const { name } of session.sandboxes.list()) await session.drop(name);
      expect(session.sandboxes.memory.used).to.equal(0);
    });

  it('counts once what sandboxes share: their scenario, and what a fork has', async () => {
    const session = limited();
    await made(session, 'a');
    const one = session.sandboxes.memory.used;
    for (let i = 0; i < 10; i += 1) await made(session, `b${i}`);
    const each = (session.sandboxes.memory.used - one) / 10;
    expect(one - each, 'the scenario').to.be.above(each);
    await write(session, await made(session, 'a'), 1);
    for (let i = 0; i < 50; i += 1) await session.fork(await made(session, 'a'), `fork-${i}`);
    expect(session.sandboxes.memory.used, 'what forks share').to.be.below(3 * MB);
  });

  it('evicts the sandboxes that have been idle longest, but never default nor the growing one', async () => {
    const session = limited(4.5);
    await write(session, await made(session, 'default'), 1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await write(session, await made(session, name), 1);
    expect(session.sandboxes.list().map(({ name }) => name)).to.deep.equal(['default', 'c', 'd', 'e']);
  });

  it('caches fewer shared sandboxes, and drops none of them', async () => {
    const store = shared();
    const session = limited(4.5, { store });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await write(session, await made(session, name), 1);
    expect(session.sandboxes.list().map(({ name }) => name)).to.deep.equal(['b', 'c', 'd', 'e']);
    expect(await store.list()).to.have.members(['a', 'b', 'c', 'd', 'e']);
  });

  it('refuses only growth if nothing is left to evict, and names the flag', async () => {
    const session = limited(4);
    const sandbox = await made(session, 'default');
    for (const id of [70_000, 70_001, 70_002, 70_003]) await write(session, sandbox, 1, 'a', id); // above the limit now
    for (const grow of [
      () => write(session, sandbox, 1, 'a', 70_004),
      () => session.change(sandbox, keeping('x', false, now)),
    ]) {
      const { failure: why, message } = await failure(grow(), StoreError);
      expect(why).to.equal('limit');
      expect(message).to.match(
        /^the sandboxes of this server use 3\.\d MiB, but --max-memory allows 3\.8 MiB: reset or drop some$/,
      );
    }
    expect((await session.respond('default', adding('alice')))?.response.status).to.equal(200);
    await change(session, sandbox, page(null));
    expect(sandbox.version).to.equal(6);
    await session.change(sandbox, resetting);
    expect([...sandbox.state.world.pages.keys()]).to.have.members([...origin.world.pages.keys()]);
  });
});

describe('the records of a sandbox', () => {
  const users = (from: number, count: number): Change => ({
    type: 'world-patched',
    patch: { users: Object.fromEntries(Array.from({ length: count }, (_, i) => [`user-${from + i}`, {}])) },
  });

  it('are limited beyond those of its scenario; shrinking is allowed', async () => {
    const session = limited(1000, { maxRecords: 10 });
    const sandbox = await made(session, 'a');
    await change(session, sandbox, users(0, 10));
    const { failure: why, message } = await failure(change(session, sandbox, users(10, 1)), StoreError);
    expect(why).to.equal('limit');
    expect(message).to.equal(
      'the sandbox a would have 11 records more than its scenario, but --max-sandbox allows 10: delete some, or reset it',
    );
    expect(sandbox.version).to.equal(1);
    await change(session, sandbox, { type: 'world-patched', patch: { users: { 'user-0': null } } });
    await change(session, sandbox, users(10, 1));
    expect(sandbox.version).to.equal(3);
  });
});
