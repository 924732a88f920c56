// Sandboxes by name: a reset fork, the eviction of idle ones, and concurrent changes.
import { expect } from 'chai';
import {
  adding,
  emptyStore,
  members,
  opened,
  sessionWith,
  through,
  twoSessions,
} from '../../support/worlds/sessions.js';

describe('a session', () => {
  it('resets a fork to the scenario and not to the moment of the fork', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const fork = await session.fork(await opened(session, 'a'), 'b');
    await session.reset(fork ?? expect.fail('the name is in use'));
    expect(members(fork)).to.deep.equal(['demouser1']);
  });

  it('evicts the longest idle sandbox if there are too many, and never default', async () => {
    const session = sessionWith({ maxSandboxes: 3 });
    for (const name of ['default', 'a', 'b']) await session.open(name);
    session.sandboxes.find('a');
    await session.open('c');
    expect(session.sandboxes.list().map(({ name }) => name)).to.deep.equal(['default', 'a', 'c']);
  });
});

describe('concurrent changes', () => {
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
    expect(await drop).to.equal(true);
    expect(result).to.nested.include({ 'response.status': 200, entry: 1 });
    expect(members(session.sandboxes.find('a'))).to.deep.equal(['alice', 'demouser1']);
  });

  it('are refused as gone if another process dropped their sandbox', async () => {
    const { one, other } = twoSessions();
    const held = await opened(one, 'a');
    await other.drop('a');
    expect(await one.change(held, () => ({ changes: [{ type: 'sandbox-reset' }], result: undefined }))).to.equal(
      'gone',
    );
    expect(one.sandboxes.find('a')).to.equal(undefined);
  });
});
