// The sandboxes of a process by name, and its cache of shared ones: kept current, read again, evicted, and never stale.

import { expect } from 'chai';
import type { Checkpoint, SandboxRecord } from '../../../server/engine/sandbox/state.js';
import { resetting } from '../../../server/engine/sandbox/versions.js';
import type { SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import type { Observer } from '../../../server/engine/session/observer.js';
import { StoreError } from '../../../server/engine/store.js';
import { memoryStore } from '../../../server/store/memory.js';
import { failure } from '../../support/worlds/failure.js';
import {
  adding,
  emptyStore,
  leaving,
  members,
  opened,
  origin,
  sessionWith,
  shared,
  through,
  twoSessions,
} from '../../support/worlds/sessions.js';
import { until } from '../../support/worlds/until.js';

/** An observer that records its events. */
function hearing(heard: string[], isHeard = false): Observer {
  return {
    made: ({ name }) => heard.push(`made ${name}`),
    changed: ({ name, version }, entry) =>
      heard.push(...(entry === undefined ? [] : [`answered ${name} ${entry.id}`]), `changed ${name} ${version}`),
    reset: ({ name }) => heard.push(`reset ${name}`),
    left: ({ name }, why) => heard.push(`left ${name} ${why}`),
    isHeard: () => isHeard,
    troubled: error => heard.push(`troubled ${String(error)}`),
  };
}

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

describe('a sandbox that its store fails to drop', () => {
  it('stays as it is, and no observer hears that it left', async () => {
    const heard: string[] = [];
    const store = memoryStore<Checkpoint, SandboxRecord>();
    const drop = store.drop.bind(store);
    let isRefused = true;
    store.drop = async name => {
      if (isRefused) throw new StoreError('full', 'as a test wants it');
      return drop(name);
    };
    const session = sessionWith({ store, observer: hearing(heard) });
    await session.respond('a', adding('alice'));
    const before = heard.length;
    expect(await session.drop('a').catch(String)).to.equal('StoreError: as a test wants it');
    expect(heard.slice(before)).to.deep.equal([]);
    expect(members(session.sandboxes.find('a'))).to.deep.equal(['alice', 'demouser1']);
    isRefused = false;
    expect(await session.drop('a')).to.equal(true);
    expect(heard.slice(before)).to.deep.equal(['left a dropped']);
    expect(session.sandboxes.find('a')).to.equal(undefined);
  });

  it('is reported as gone before the next one of its name is created, even at once', async () => {
    const heard: string[] = [];
    const session = sessionWith({ observer: hearing(heard) });
    await session.create('a', origin);
    await Promise.all([session.drop('a'), session.create('a', origin)]);
    expect(heard).to.deep.equal(['made a', 'left a dropped', 'made a']);
  });
});

describe('a sandbox of two servers', () => {
  it('exists for a server that creates none by itself', async () => {
    const { one, other } = twoSessions({ createOnUse: false });
    expect(await other.respond('a', adding('alice'))).to.equal(undefined);
    await one.create('a', origin);
    expect((await other.respond('a', adding('alice')))?.response.status).to.equal(200);
  });

  it('is replaced after it was dropped and created again elsewhere, and the old one answers no request', async () => {
    const heard: string[] = [];
    const { one, other, store } = twoSessions();
    const hears = sessionWith({ store: shared(store), observer: hearing(heard) });
    await hears.respond('a', adding('alice'));
    const old = await opened(hears, 'a');
    await other.drop('a');
    await one.create('a', origin);
    const performed = await hears.respond('a', adding('carol'));
    expect({ status: performed?.response.status, entry: performed?.entry }).to.deep.equal({ status: 200, entry: 1 });
    const next = await opened(hears, 'a');
    expect(next).not.to.equal(old);
    expect(members(next)).to.deep.equal(['carol', 'demouser1']);
    expect(heard).to.include('left a dropped');
    await other.drop('a');
    expect(await hears.sandboxes.latest('a')).to.equal(undefined);
  });
});

describe('the cache of shared sandboxes', () => {
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

  it('reads once for all requests during a read, and once more for later ones', async () => {
    const store = emptyStore();
    let reads = 0;
    let open = () => {};
    const counting: SandboxStore = {
      ...through(store, async act => act()),
      since: async (...given) => {
        reads += 1;
        await new Promise<void>(resolve => {
          open = resolve;
        });
        return store.since(...given);
      },
    };
    const [one, other] = [sessionWith({ store: counting }), sessionWith({ store: shared(store) })];
    const ending = setInterval(() => open(), 1);
    await opened(one, 'a');
    clearInterval(ending);
    reads = 0;
    const first = one.sandboxes.latest('a');
    await other.respond('a', adding('alice'));
    const later = [one.sandboxes.latest('a'), one.sandboxes.latest('a'), one.sandboxes.latest('a')];
    const ended = setInterval(() => open(), 1);
    await first;
    expect((await Promise.all(later)).map(sandbox => members(sandbox))).to.deep.equal(
      Array(3).fill(['alice', 'demouser1']),
    );
    clearInterval(ended);
    expect(reads).to.equal(2);
  });

  it('evicts idle and surplus sandboxes, and reads them again on use; the sandboxes stay', async () => {
    const heard: string[] = [];
    let now = 0;
    const { one, store } = twoSessions();
    const forgetful = sessionWith({
      store: shared(store),
      observer: hearing(heard),
      maxSandboxes: 2,
      machineTime: () => new Date(now),
    });
    for (const name of ['a', 'b', 'c']) await forgetful.respond(name, adding('alice'));
    expect(forgetful.sandboxes.list().map(({ name }) => name)).to.deep.equal(['b', 'c']);
    expect(members(await one.sandboxes.latest('a'))).to.deep.equal(['alice', 'demouser1']);
    now += 61_000;
    await forgetful.sandboxes.expire();
    expect(forgetful.sandboxes.list()).to.deep.equal([]);
    expect((await forgetful.sandboxes.all()).map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    expect(forgetful.sandboxes.list(), 'those that were only looked at').to.deep.equal([]);
    await forgetful.respond('b', adding('carol'));
    expect(members(await one.sandboxes.latest('b'))).to.deep.equal(['alice', 'carol', 'demouser1']);
    expect(heard.filter(line => line.startsWith('left'))).to.deep.equal([]);
  });

  it('keeps a sandbox with subscribers until the sandbox itself is gone', async () => {
    const heard: string[] = [];
    let now = 0;
    const { one, store } = twoSessions();
    const listened = sessionWith({
      store: shared(store),
      observer: hearing(heard, true),
      machineTime: () => new Date(now),
    });
    await listened.respond('a', adding('alice'));
    now += 61_000;
    await listened.sandboxes.expire();
    expect(listened.sandboxes.list().map(({ name }) => name)).to.deep.equal(['a']);
    await one.drop('a');
    await listened.sandboxes.expire();
    expect(listened.sandboxes.list()).to.deep.equal([]);
    expect(heard.at(-1)).to.equal('left a expired');
  });

  it('follows the changes of others while watching, and switches to a new sandbox of the name', async () => {
    const heard: string[] = [];
    const { one, store } = twoSessions();
    const following = sessionWith({ store: shared(store), observer: hearing(heard) });
    await following.respond('a', adding('alice'));
    const unfollow = following.sandboxes.follow('a');
    const hears = (event: string) => until(() => heard.at(-1) === event);
    await one.change(await opened(one, 'a'), resetting);
    await hears('changed a 2');
    await one.drop('a');
    await hears('left a dropped');
    await one.respond('a', adding('demouser2'));
    await hears('changed a 1');
    expect(heard.slice(3)).to.deep.equal([
      ...['reset a', 'changed a 2', 'left a dropped'],
      ...['changed a 0', 'answered a 1', 'changed a 1'], // the new one
    ]);
    unfollow();
    const before = heard.length;
    const later: string[] = [];
    sessionWith({ store: shared(store), observer: hearing(later) }).sandboxes.follow('a');
    await one.respond('a', adding('alice'));
    await until(() => later.at(-1) === 'changed a 2');
    expect(heard).to.have.length(before);
  });

  it('survives a store that is down', async () => {
    const gone = leaving();
    const session = sessionWith({ store: gone.store });
    await session.respond('a', adding('alice'));
    gone.isAway = true;
    for (const asked of [
      session.sandboxes.latest('a'),
      session.sandboxes.latest('b'),
      session.respond('c', adding('alice')),
      session.sandboxes.all(),
    ]) {
      await failure(Promise.resolve<unknown>(asked), StoreError);
    }
    gone.isAway = false;
    expect(members(await session.sandboxes.latest('a'))).to.deep.equal(['alice', 'demouser1']);
  });
});

describe('a session', () => {
  it('resets a fork to the scenario and not to the moment of the fork', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const fork = await session.fork(await opened(session, 'a'), 'b');
    await session.change(fork ?? expect.fail('the name is in use'), resetting);
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
