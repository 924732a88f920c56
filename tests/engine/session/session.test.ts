// Sandboxes by name: created on first use, isolated, forked, reset, dropped, expired; and concurrent changes.
import { expect } from 'chai';
import { smallTeam } from '../../support/worlds/ask.js';
import {
  adding,
  emptyStore,
  members,
  opened,
  origin,
  sessionWith,
  shared,
  slow,
  through,
  toggling,
} from '../../support/worlds/sessions.js';

describe('a session', () => {
  it('creates a sandbox of its scenario when it is first named', async () => {
    const session = sessionWith();
    expect(session.find('a')).to.equal(undefined);
    await session.respond('a', adding('alice'));
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
  });

  it('creates none if they must be created explicitly', async () => {
    const session = sessionWith({ createOnUse: false });
    expect(await session.respond('a', adding('alice'))).to.equal(undefined);
    expect(session.list()).to.deep.equal([]);
  });

  it('isolates sandboxes', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    await session.respond('b', adding('carol'));
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
    expect(members(session.find('b'))).to.deep.equal(['carol', 'demouser1']);
    expect(session.find('a')?.journal.size).to.equal(1);
  });

  it('forks the current state of a sandbox, after which the two are independent', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const fork = await session.fork(await opened(session, 'a'), 'b');
    await session.respond('a', adding('carol'));
    await session.respond('b', adding('demouser2'));
    expect(members(session.find('a'))).to.deep.equal(['alice', 'carol', 'demouser1']);
    expect(members(fork)).to.deep.equal(['alice', 'demouser1', 'demouser2']);
    expect(await session.fork(await opened(session, 'a'), 'b')).to.equal(undefined);
  });

  it('resets world, readings, ids and journal in one step', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const sandbox = await opened(session, 'a');
    await session.change(sandbox, () => ({
      changes: [{ type: 'readings-set', readings: { 'unknown-user': '400' } }],
      result: undefined,
    }));
    expect(sandbox.readings['unknown-user']).to.equal('400');
    await session.reset(sandbox);
    expect(sandbox.state.world).to.equal(smallTeam);
    expect(sandbox.readings['unknown-user']).to.equal('404');
    expect(sandbox.journal.size).to.equal(0);
    await session.respond('a', adding('alice'));
    expect(sandbox.journal.entries()[0]?.id).to.equal(1);
  });

  it('resets a fork to the scenario and not to the moment of the fork', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const fork = await session.fork(await opened(session, 'a'), 'b');
    if (fork) await session.reset(fork);
    expect(members(fork)).to.deep.equal(['demouser1']);
  });

  it('applies readings of the sandbox over those of the scenario over those of the server', async () => {
    const session = sessionWith({
      readings: { 'unknown-user': 'skip', 'unknown-page': '400', 'unknown-space': '400' },
      origin: { ...origin, readings: { 'unknown-user': '400', 'unknown-page': '404' } },
    });
    const sandbox = await opened(session, 'a');
    await session.change(sandbox, () => ({
      changes: [{ type: 'readings-set', readings: { 'unknown-user': '404' } }],
      result: undefined,
    }));
    const { readings } = sandbox;
    expect([readings['unknown-user'], readings['unknown-page'], readings['unknown-space']]).to.deep.equal([
      '404',
      '404',
      '400',
    ]);
  });

  it('evicts the longest idle sandbox if there are too many, and never default', async () => {
    const session = sessionWith({ maxSandboxes: 3 });
    for (const name of ['default', 'a', 'b']) await session.open(name);
    session.find('a');
    await session.open('c');
    expect(session.list().map(({ name }) => name)).to.deep.equal(['default', 'a', 'c']);
  });

  it('expires idle sandboxes by their own time to live, and never default', async () => {
    let now = 0;
    const session = sessionWith({ machineTime: () => new Date(now), sandboxTtl: 1000 });
    for (const name of ['default', 'a']) await session.open(name);
    await session.create('long', origin, 5000);
    now = 2000;
    await session.open('fresh');
    await session.expire();
    expect(session.list().map(({ name }) => name)).to.deep.equal(['default', 'long', 'fresh']);
    await session.respond('a', adding('alice'));
    expect(session.find('a')?.version).to.equal(1);
  });

  it('starts new sandboxes and default from a replaced scenario, and leaves the others', async () => {
    const session = sessionWith();
    await session.respond('default', adding('alice'));
    await session.respond('a', adding('alice'));
    await session.replaceOrigin({ ...origin, scenario: 'other' });
    expect(session.find('default')?.state.origin.scenario).to.equal('other');
    expect(members(session.find('default'))).to.deep.equal(['demouser1']);
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
  });
});

describe('concurrent changes', () => {
  it('all take effect, once each, and the journal names each version', async () => {
    const session = sessionWith({ store: slow(), journal: { entries: 1000, bytes: 10_000_000 } });
    const users = ['admin', 'alice', 'carol', 'demouser2'];
    await Promise.all(
      users.flatMap(user => ['team-members', 'customers'].map(group => session.respond('a', adding(user, group)))),
    );
    const sandbox = await opened(session, 'a');
    expect(members(sandbox)).to.deep.equal(['admin', 'alice', 'carol', 'demouser1', 'demouser2']);
    expect(members(sandbox, 'customers')).to.deep.equal(users);
    expect(sandbox.version).to.equal(8);
    const versions = sandbox.journal.entries().map(({ version }) => version);
    expect([...versions].sort()).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('have one winner if many create the same sandbox', async () => {
    const session = sessionWith({ store: slow() });
    await Promise.all(Array.from({ length: 20 }, () => session.respond('a', adding('alice'))));
    expect(session.list()).to.have.length(1);
    const sandbox = await session.latest('a'); // may have learnt of it from another response of the store
    expect(sandbox?.journal.size).to.equal(20);
    expect(sandbox?.version).to.equal(1);
  });

  it('go to the next sandbox of the name if theirs was dropped meanwhile', async () => {
    const store = emptyStore();
    let dropped: Promise<boolean> | undefined;
    const session = sessionWith({
      store: through(store, async act => {
        await dropped;
        return act();
      }),
    });
    await session.open('a');
    const drop = session.drop('a');
    dropped = drop;
    const result = await session.respond('a', adding('alice'));
    expect([await drop, result?.response.status, result?.entry]).to.deep.equal([true, 200, 1]);
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
  });

  it('are refused as gone if another process dropped their sandbox', async () => {
    const store = emptyStore();
    const [one, other] = [sessionWith({ store: shared(store) }), sessionWith({ store: shared(store) })];
    const held = await opened(one, 'a');
    await other.drop('a');
    expect(await one.change(held, () => ({ changes: [{ type: 'sandbox-reset' }], result: undefined }))).to.equal(
      'gone',
    );
    expect(one.find('a')).to.equal(undefined);
  });

  it('keep the log short: its size does not grow with the number of changes', async () => {
    const store = emptyStore();
    const session = sessionWith({ store });
    for (let i = 0; i < 3000; i += 1) await session.respond('a', toggling(i));
    const tail = await store.since('a');
    expect(tail?.head.last).to.equal(3000);
    expect(tail?.records.length).to.be.within(400, 1100);
    expect(tail?.head.from).to.equal(3000 - (tail?.records.length ?? 0));
  });
});
