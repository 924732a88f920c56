// The memory budget: what counts, what is evicted if it is exceeded, and what is refused then.

import { expect } from 'chai';
import { keeping } from '../../../server/engine/sandbox/snapshots.js';
import type { Change } from '../../../server/engine/sandbox/state.js';
import type { CachedSandbox } from '../../../server/engine/session/cached-sandbox.js';
import { MemoryBudget } from '../../../server/engine/session/memory-budget.js';
import type { Session, SessionSettings } from '../../../server/engine/session/session.js';
import { StoreError } from '../../../server/engine/store.js';
import { failure } from '../../support/worlds/failure.js';
import { adding, sessionWith, shared } from '../../support/worlds/sessions.js';

const MB = 1_000_000;
const now = () => new Date('2026-11-20T00:00:00Z');

/** `total` and `sandbox` in megabytes. */
function stage(total = 1000, sandbox = 1000, settings: Partial<SessionSettings> = {}) {
  const memory = new MemoryBudget({ total: total * MB, sandbox: sandbox * MB });
  return { memory, session: sessionWith({ memory, ...settings }) };
}

async function made(session: Session, name: string): Promise<CachedSandbox> {
  return session.ensure(name, session.origin);
}

const page = (body: string | null, id = 70_000): Change => ({
  type: 'world-patched',
  patch: { pages: { [id]: body === null ? null : { space: 'ds', title: `page ${id}`, body } } },
});

/** Gives a sandbox a page with a text of this many megabytes; each letter is another text. */
async function write(session: Session, sandbox: CachedSandbox, megabytes: number, letter = 'a', id = 70_000) {
  return session.change(sandbox, () => ({ changes: [page(letter.repeat(megabytes * MB), id)], result: undefined }));
}

describe('the memory budget', () => {
  it('counts a text once for the world and once for the change that can be undone, and nothing once the sandbox is dropped', async () => {
    const { memory, session } = stage();
    const empty = memory.used;
    const sandbox = await made(session, 'a');
    await write(session, sandbox, 1);
    expect(memory.used - empty).to.be.within(2 * MB, 2.8 * MB);
    await session.drop('a');
    expect(memory.used).to.equal(empty);
  });

  it('counts the bodies in a journal', async () => {
    const { memory, session } = stage();
    const before = memory.used;
    const request = adding('alice');
    await session.respond('a', { ...request, body: { kind: 'not-json', text: 'x'.repeat(MB), problem: 'no JSON' } });
    expect(memory.used - before).to.be.within(MB, 1.5 * MB);
    const [sandbox] = session.list();
    if (sandbox !== undefined) await session.clearJournal(sandbox);
    expect(memory.used - before).to.be.within(1, 0.1 * MB);
  });

  it('counts once what forks share before it evicts, even if the original is gone', async () => {
    const { memory, session } = stage(20);
    const sandbox = await made(session, 'a');
    await write(session, sandbox, 1);
    for (let i = 0; i < 50; i += 1) await session.fork(sandbox, `fork-${i}`);
    expect(session.list()).to.have.length(51);
    await session.drop('a');
    for (let i = 0; i < 50; i += 1) await session.respond(`fork-${i}`, adding('alice'));
    expect(session.list()).to.have.length(50);
    expect(memory.used).to.be.within(MB, 20 * MB);
    for (let i = 0; i < 50; i += 1) await session.drop(`fork-${i}`);
    expect(memory.used).to.equal(0);
  });

  it('counts what only a fork still has after its parent changed', async () => {
    const { memory, session } = stage(14);
    const sandbox = await made(session, 'a');
    for (const letter of ['a', 'b', 'c']) {
      await write(session, sandbox, 1, letter);
      await session.fork(sandbox, `fork-${letter}`);
    }
    await session.reset(sandbox);
    await session.drop('a');
    expect(session.list()).to.have.length(3);
    expect(memory.used).to.be.within(3 * MB, 8 * MB);
  });

  it('counts again what was replaced before it refuses a change', async () => {
    const { session } = stage(1000, 3);
    const sandbox = await made(session, 'a');
    for (let i = 0; i < 20; i += 1) await write(session, sandbox, 1, String.fromCharCode(97 + i));
    expect(sandbox.version).to.equal(20);
  });

  it('counts what only snapshots still have', async () => {
    const { session } = stage(1000, 3.5);
    const sandbox = await made(session, 'a');
    for (const letter of ['a', 'b']) {
      await write(session, sandbox, 1, letter);
      await session.change(sandbox, keeping(letter, false, now));
    }
    await write(session, sandbox, 1, 'c');
    await session.change(sandbox, keeping('c', false, now));
    expect((await failure(write(session, sandbox, 1, 'd'), StoreError)).failure).to.equal('limit');
    await session.change(sandbox, () => ({ changes: [{ type: 'restored', name: 'a' }], result: undefined }));
    expect((await failure(write(session, sandbox, 1, 'd'), StoreError)).failure).to.equal('limit');
  });

  it('evicts the idlest sandboxes, but never default nor the growing one', async () => {
    const { session } = stage(11.5);
    const first = await made(session, 'default');
    await write(session, first, 1);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await write(session, await made(session, name), 1);
    expect(session.list().map(({ name }) => name)).to.deep.equal(['default', 'c', 'd', 'e']);
  });

  it('discards journal entries next, the older half at a time', async () => {
    const { memory, session } = stage(1);
    const body = { kind: 'not-json', text: 'x'.repeat(100_000), problem: 'no JSON' } as const;
    for (let i = 0; i < 20; i += 1) await session.respond('default', { ...adding('alice'), body });
    const [sandbox] = session.list();
    expect(sandbox?.journal.size).to.be.within(3, 8);
    expect(sandbox?.journal.last?.id).to.equal(20);
    expect(memory.used).to.be.below(MB);
  });

  it("refuses a change that would exceed a sandbox's own limit, without any effect", async () => {
    const { session } = stage(1000, 2);
    const sandbox = await made(session, 'a');
    await write(session, sandbox, 1, 'a', 70_000);
    const { world } = sandbox.state;
    const { failure: why, message } = await failure(write(session, sandbox, 1, 'b', 70_001), StoreError);
    expect(why).to.equal('limit');
    expect(message).to.equal(
      'the sandbox a would need 1.9 MiB, but --max-sandbox allows only 1.9 MiB: reset it, or drop its snapshots',
    );
    expect(sandbox.state.world).to.equal(world);
    expect(sandbox.version).to.equal(1);
  });

  it('lets a sandbox at its limit shrink, and grow again afterwards', async () => {
    const { session } = stage(1000, 2);
    const sandbox = await made(session, 'a');
    await write(session, sandbox, 1, 'a', 70_000);
    await session.change(sandbox, () => ({ changes: [page(null)], result: undefined }));
    await write(session, sandbox, 1, 'b', 70_001);
    expect(sandbox.state.world.pages.get('70001')?.body.length).to.equal(MB);
  });

  it('refuses another snapshot if the kept ones are too large', async () => {
    const { session } = stage(1000, 3);
    const sandbox = await made(session, 'a');
    for (const letter of ['a', 'b']) {
      await write(session, sandbox, 1, letter);
      await session.change(sandbox, keeping(letter, false, now));
    }
    const { failure: why } = await failure(write(session, sandbox, 1, 'c'), StoreError);
    expect(why).to.equal('limit');
    await session.change(sandbox, () => ({ changes: [{ type: 'snapshot-dropped', name: 'a' }], result: undefined }));
    await write(session, sandbox, 1, 'c');
    expect(sandbox.version).to.equal(6);
  });

  it('refuses growth if nothing is left to evict, and names the flag that would help', async () => {
    const { session } = stage(4);
    const sandbox = await made(session, 'default');
    await write(session, sandbox, 2, 'a');
    const { failure: why, message } = await failure(write(session, sandbox, 3, 'b'), StoreError);
    expect(why).to.equal('limit');
    expect(message).to.match(
      /^this server uses (?:4\.9|5) MiB, but --max-memory allows only 3\.8 MiB: reset or drop sandboxes$/,
    );
  });

  it('refuses one of several changes appended together, and keeps the others', async () => {
    const store = shared();
    const { session } = stage(1000, 2, { store });
    const sandbox = await made(session, 'a');
    const asked = [
      write(session, sandbox, 1, 'a', 70_000),
      write(session, sandbox, 3, 'b', 70_001),
      write(session, sandbox, 0, 'c', 70_002),
    ];
    const settled = await Promise.allSettled(asked);
    expect(settled.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect([...sandbox.state.world.pages.keys()])
      .to.include.members(['70000', '70002'])
      .and.not.include('70001');
  });

  it('caches fewer shared sandboxes, and drops none of them', async () => {
    const store = shared();
    const { session } = stage(11.5, 1000, { store });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await write(session, await made(session, name), 1);
    expect(session.list().map(({ name }) => name)).to.deep.equal(['b', 'c', 'd', 'e']);
    expect(await store.list()).to.have.members(['a', 'b', 'c', 'd', 'e']);
  });
});
