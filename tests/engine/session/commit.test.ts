// How changes of one sandbox are appended: in order, again if another process was faster, and never in part.

import { expect } from 'chai';
import { resetting } from '../../../server/engine/sandbox/versions.js';
import type { SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import { StoreError } from '../../../server/engine/store.js';
import {
  adding,
  emptyStore,
  leaving,
  members,
  opened,
  sessionWith,
  shared,
  through,
  twoSessions,
} from '../../support/worlds/sessions.js';

/** A store that counts the changes appended, and blocks while paused. */
function held(store: SandboxStore = emptyStore()) {
  let gate = Promise.resolve();
  let open = () => {};
  const batches: Array<readonly [changes: number, entries: number]> = [];
  const gated = through(store, async act => act());
  const counting: SandboxStore = {
    ...gated,
    isShared: true,
    append: async (sandbox, head, records) => {
      batches.push([records.filter(({ changes }) => changes).length, records.filter(({ entry }) => entry).length]);
      await gate;
      return store.append(sandbox, head, records);
    },
  };
  const hold = () => {
    gate = new Promise(resolve => {
      open = resolve;
    });
  };
  return { store: counting, batches, hold, release: () => open() };
}

const users = ['admin', 'alice', 'carol', 'demouser2'];

describe('changes of one sandbox', () => {
  it('are appended one after the other, in order', async () => {
    const { store, batches, hold, release } = held();
    const session = sessionWith({ store });
    await opened(session, 'a');
    hold();
    const all = ['alice', 'carol', 'carol', 'demouser2'].map(user => session.respond('a', adding(user)));
    release();
    const entries = (await Promise.all(all)).map(performed => performed?.entry);
    expect(entries).to.deep.equal([1, 2, 3, 4]);
    expect(batches).to.deep.equal([
      [1, 1],
      [1, 1],
      [0, 1], // the second time carol is added nothing changes, and it is written down all the same
      [1, 1],
    ]);
    const { journal } = await opened(session, 'a');
    expect(journal.entries().map(({ id, before, version }) => [id, before, version])).to.deep.equal([
      [1, 0, 1],
      [2, 1, 2],
      [3, 2, 2],
      [4, 2, 3],
    ]);
  });

  it('are decided on the result of those before them', async () => {
    const { store, hold, release } = held();
    const session = sessionWith({ store });
    const sandbox = await opened(session, 'a');
    hold();
    const first = session.respond('a', adding('alice'));
    const versions = users.map(user =>
      session.change(sandbox, ({ version, history, state }) => ({
        changes: [{ type: 'group-member-added', group: 'customers', user }],
        result: [version, history.to, history.at(version) === state],
      })),
    );
    const back = session.change(sandbox, () => ({ changes: [{ type: 'rewound', to: 2 }], result: undefined }));
    release();
    await Promise.all([first, back]);
    expect((await Promise.all(versions)).map(changed => (changed === 'gone' ? changed : changed.result))).to.deep.equal(
      [
        [1, 1, true],
        [2, 2, true],
        [3, 3, true],
        [4, 4, true],
      ],
    );
    expect(members(sandbox, 'customers')).to.deep.equal(['admin']);
    expect(sandbox.version).to.equal(6);
  });

  it('have a place beside a reset: entries before it belong to the journal before it', async () => {
    const { store, hold, release } = held();
    const session = sessionWith({ store });
    const sandbox = await opened(session, 'a');
    hold();
    const before = ['alice', 'carol'].map(user => session.respond('a', adding(user)));
    const reset = session.change(sandbox, resetting);
    const after = ['alice', 'carol'].map(user => session.respond('a', adding(user)));
    release();
    const ids = async (all: typeof before) => (await Promise.all(all)).map(performed => performed?.entry);
    expect(await ids(before)).to.deep.equal([1, 2]);
    await reset;
    expect(await ids(after)).to.deep.equal([1, 2]);
    expect(sandbox.journal.counts).to.deep.equal({ run: 3, lastId: 2, cleared: 0 });
    expect(sandbox.journal.entries().map(({ version }) => version)).to.deep.equal([4, 5]);
  });

  it('are refused if others are faster again and again', async () => {
    const store = emptyStore();
    const fast = sessionWith({ store: shared(store) });
    await opened(fast, 'a');
    let turn = 0;
    const overtaken: SandboxStore = {
      ...through(store, async act => act()),
      append: async (...given) => {
        turn += 1;
        await fast.respond('a', turn % 2 === 0 ? adding('alice') : adding('alice', 'customers'));
        await fast.change(await opened(fast, 'a'), resetting);
        return store.append(...given);
      },
    };
    const slower = sessionWith({ store: overtaken });
    const error = await Promise.resolve(slower.respond('a', adding('carol'))).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(StoreError).with.property('failure', 'busy');
    expect(members(await fast.sandboxes.latest('a'))).to.deep.equal(['demouser1']);
  });

  it('leave nothing behind if the store rejects them, and later ones pass', async () => {
    const gone = leaving();
    const session = sessionWith({ store: gone.store });
    const sandbox = await opened(session, 'a');
    gone.isAway = true;
    const failed = await Promise.allSettled(users.map(user => session.respond('a', adding(user))));
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected', 'rejected']);
    expect(sandbox.version).to.equal(0);
    expect(sandbox.journal.lastId).to.equal(0);
    expect(members(sandbox)).to.deep.equal(['demouser1']);
    gone.isAway = false;
    expect((await session.respond('a', adding('alice')))?.entry).to.equal(1);
  });

  it('fail alone if their decision fails', async () => {
    const { store, hold, release } = held();
    const session = sessionWith({ store });
    const sandbox = await opened(session, 'a');
    hold();
    const first = session.respond('a', adding('alice'));
    const bug = session.change(sandbox, () => {
      throw new Error('a bug');
    });
    const last = session.respond('a', adding('carol'));
    const failed = Promise.resolve(bug).catch((error: Error) => error.message);
    release();
    await Promise.all([first, last]);
    expect(await failed).to.equal('a bug');
    expect(members(sandbox)).to.deep.equal(['alice', 'carol', 'demouser1']);
  });
});

describe('a shared log', () => {
  it('is compacted by one, and the other goes back no further either', async () => {
    const { one, other } = twoSessions();
    await one.respond('a', adding('alice'));
    const there = await opened(other, 'a');
    for (let i = 0; i < 1_100; i += 1)
      await one.change(await opened(one, 'a'), () => ({
        changes: [{ type: 'readings-set', readings: { 'unknown-user': i % 2 === 0 ? '400' : '404' } }],
        result: undefined,
      }));
    const here = await opened(one, 'a');
    expect(here.history.from).to.be.above(200);
    expect(there.history.from).to.equal(0);
    const going = await other.change(there, ({ history }) => ({
      changes: history.at(1) === undefined ? [] : [{ type: 'rewound', to: 1 }],
      result: history.from,
    }));
    expect(going).to.deep.include({ result: here.history.from });
    expect(there.version).to.equal(here.version);
  });

  it('discards the same entries everywhere, in the store too', async () => {
    const { store, one, other } = twoSessions({ journal: { entries: 10, bytes: 1024 * 1024 } });
    for (let i = 0; i < 100; i += 1) await (i % 2 === 0 ? one : other).respond('a', adding('alice'));
    for (const session of [one, other]) {
      const sandbox = await session.sandboxes.latest('a');
      expect(sandbox?.journal.entries().map(({ id }) => id)).to.deep.equal([91, 92, 93, 94, 95, 96, 97, 98, 99, 100]);
      expect(sandbox?.journal.evicted).to.equal(90);
    }
    const { records } = (await store.since('a')) ?? expect.fail('it is gone');
    expect(records.length).to.be.within(10, 101);
  });
});
