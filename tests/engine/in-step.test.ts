// A reader of a shared sandbox sees everything others did before, with several readers at once.

import { expect } from 'chai';
import type { SandboxStore } from '../../server/engine/session/cached-sandbox.js';
import { adding, emptyStore, members, opened, sessionWith, shared } from '../support/worlds/sessions.js';

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
    const early = session.sandboxes.latest('a');
    await idle();
    await other.respond('a', adding('alice'));
    const late = session.sandboxes.latest('a');
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
});
