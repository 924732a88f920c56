// A reader of a shared sandbox sees everything others did before: with several readers at once, and after the log was compacted.

import { expect } from 'chai';
import type { SandboxStore } from '../../server/engine/session/cached-sandbox.js';
import { adding, emptyStore, members, opened, sessionWith, shared, twoSessions } from '../support/worlds/sessions.js';

/** A store that reads at once, but reports in the order and at the time the test chooses. */
function observed(store: SandboxStore) {
  const waiting: Array<() => void> = [];
  const held: SandboxStore = {
    ...shared(store),
    since: async (...given) => {
      const tail = await store.since(...given);
      await new Promise<void>(resolve => waiting.push(resolve));
      return tail;
    },
  };
  return { held, waiting };
}

/** Lets all pending work finish. */
const idle = () => new Promise(resolve => setImmediate(resolve));

describe('a sandbox shared with others', () => {
  it('is current for its first reader here after another process changed it first', async () => {
    const store = emptyStore();
    const other = sessionWith({ store: shared(store) });
    await opened(other, 'a');
    const { held, waiting } = observed(store);
    const session = sessionWith({ store: held });
    const early = session.latest('a');
    await idle();
    await other.respond('a', adding('alice'));
    const late = session.latest('a');
    await idle();
    expect(waiting).to.have.length(2);
    waiting.shift()?.();
    await early;
    const response = late.then(members);
    for (let isOver = false; !isOver; await idle()) {
      waiting.shift()?.();
      isOver = await Promise.race([response.then(() => true), idle().then(() => false)]);
    }
    expect(await response).to.deep.equal(['alice', 'demouser1']);
  });

  it('has its whole journal after its log was compacted beyond the known version', async () => {
    const { store, one: session, other } = twoSessions();
    await opened(other, 'a');
    await opened(session, 'a');
    await other.respond('a', adding('alice'));
    await other.respond('a', adding('carol'));
    const { head, state, journal } = await opened(other, 'a');
    const base = { at: 2, value: { version: 2, state, ...journal.counts } };
    expect(await store.compact('a', head, { from: 0, base })).to.have.property('base', 2);
    const sandbox = await session.latest('a');
    expect(sandbox?.version).to.equal(2);
    expect(members(sandbox)).to.deep.equal(['alice', 'carol', 'demouser1']);
    expect(sandbox?.journal.entries().map(({ id }) => id)).to.deep.equal([1, 2]);
  });
});
