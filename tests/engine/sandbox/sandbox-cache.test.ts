// What a process remembers of sandboxes that others use too: kept in step, read again, forgotten, and never answered from when it is past.
import { expect } from 'chai';
import type { Observer } from '../../../server/engine/events/observer.js';
import type { NewJournalEntry } from '../../../server/engine/journal/journal-entry.js';
import type { SandboxStore } from '../../../server/engine/sandbox/commits.js';
import type { SessionSettings } from '../../../server/engine/sandbox/session.js';
import type { Change, State } from '../../../server/engine/sandbox/state.js';
import { StoreError } from '../../../server/engine/store.js';
import { memoryStore } from '../../../server/store/memory.js';
import { adding, emptyStore, members, opened, origin, sessionWith, shared, through } from '../../support/sessions.js';

/** Two servers on one store. */
function two(settings: Partial<SessionSettings> = {}) {
  const store = emptyStore();
  return {
    store,
    one: sessionWith({ store: shared(store), ...settings }),
    other: sessionWith({ store: shared(store), ...settings }),
  };
}

/** An observer that writes down what it hears. */
function hearing(heard: string[], isHeard = false): Observer {
  return {
    made: ({ name }) => heard.push(`made ${name}`),
    answered: ({ name }, { id }) => heard.push(`answered ${name} ${id}`),
    changed: ({ name, version }) => heard.push(`changed ${name} ${version}`),
    reset: ({ name }) => heard.push(`reset ${name}`),
    left: ({ name }, why) => heard.push(`left ${name} ${why}`),
    isHeard: () => isHeard,
    troubled: error => heard.push(`troubled ${String(error)}`),
  };
}

describe('a sandbox that its store does not drop', () => {
  it('stays as it is, and nobody is told that it left', async () => {
    const heard: string[] = [];
    const store = memoryStore<State, readonly Change[], NewJournalEntry>();
    const drop = store.drop.bind(store);
    let isRefused = true;
    store.drop = async name => {
      if (isRefused) throw new StoreError('full', 'as a test wants it');
      return drop(name);
    };
    const session = sessionWith({ store, observer: hearing(heard) });
    await session.perform('a', adding('alice'));
    const before = heard.length;
    expect(await session.drop('a').catch(String)).to.equal('StoreError: as a test wants it');
    expect(heard.slice(before)).to.deep.equal([]);
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
    isRefused = false;
    expect(await session.drop('a')).to.equal(true);
    expect(heard.slice(before)).to.deep.equal(['left a dropped']);
    expect(session.find('a')).to.equal(undefined);
  });

  it('is told to have left before the next one of its name is made, even if that is made at once', async () => {
    const heard: string[] = [];
    const session = sessionWith({ observer: hearing(heard) });
    await session.create('a', origin);
    await Promise.all([session.drop('a'), session.create('a', origin)]);
    expect(heard).to.deep.equal(['made a', 'left a dropped', 'made a']);
  });
});

describe('a sandbox that two servers use', () => {
  it('is the same to both, whoever made it and whoever changed it last', async () => {
    const { one, other } = two();
    await one.perform('a', adding('alice'));
    expect(members(await other.latest('a'))).to.deep.equal(['alice', 'demouser1']);
    await other.perform('a', adding('carol'));
    expect(members(one.find('a')), 'what is remembered').to.deep.equal(['alice', 'demouser1']);
    expect(members(await one.latest('a'))).to.deep.equal(['alice', 'carol', 'demouser1']);
    expect(one.list().map(({ name }) => name)).to.deep.equal(['a']);
  });

  it('is made once, and begins as who made it says', async () => {
    const { one, other } = two();
    const made = await Promise.all([one, other].map(session => session.create('a', origin)));
    expect(made.filter(sandbox => sandbox !== undefined)).to.have.length(1);
    const [first, second] = [await opened(one, 'a'), await opened(other, 'a')];
    expect(first.head).to.deep.equal(second.head);
  });

  it('is there for a server that makes none by itself', async () => {
    const { one, other } = two({ createOnUse: false });
    expect(await other.perform('a', adding('alice'))).to.equal(undefined);
    await one.create('a', origin);
    expect((await other.perform('a', adding('alice')))?.answer.status).to.equal(200);
  });

  it('is another one when it has been dropped and made again elsewhere, and nobody is answered from the old one', async () => {
    const heard: string[] = [];
    const { one, other, store } = two();
    const hears = sessionWith({ store: shared(store), observer: hearing(heard) });
    await hears.perform('a', adding('alice'));
    const old = await opened(hears, 'a');
    await other.drop('a');
    await one.create('a', origin);
    const performed = await hears.perform('a', adding('carol'));
    expect([performed?.answer.status, performed?.entry]).to.deep.equal([200, 1]);
    const next = await opened(hears, 'a');
    expect(next).not.to.equal(old);
    expect(members(next)).to.deep.equal(['carol', 'demouser1']);
    expect(heard).to.include('left a dropped');
    await other.drop('a');
    expect(await hears.latest('a')).to.equal(undefined);
  });

  it('keeps how long it may be idle', async () => {
    const { one, other } = two();
    await one.create('a', origin, 12_345);
    expect((await other.latest('a'))?.ttl).to.equal(12_345);
  });
});

describe('what a server remembers of sandboxes that others may use', () => {
  it('is read once for all that ask while it is read, and once more for those that ask later', async () => {
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
    const first = one.latest('a');
    await other.perform('a', adding('alice'));
    const later = [one.latest('a'), one.latest('a'), one.latest('a')];
    const ended = setInterval(() => open(), 1);
    await first;
    expect((await Promise.all(later)).map(sandbox => members(sandbox))).to.deep.equal(
      Array(3).fill(['alice', 'demouser1']),
    );
    clearInterval(ended);
    expect(reads).to.equal(2);
  });

  it('is forgotten when it is idle or too much, and is there again when it is wanted; the sandboxes stay', async () => {
    const heard: string[] = [];
    let now = 0;
    const { one, store } = two();
    const forgetful = sessionWith({
      store: shared(store),
      observer: hearing(heard),
      maxSandboxes: 2,
      machineTime: () => new Date(now),
    });
    for (const name of ['a', 'b', 'c']) await forgetful.perform(name, adding('alice'));
    expect(forgetful.list().map(({ name }) => name)).to.deep.equal(['b', 'c']);
    expect(members(await one.latest('a'))).to.deep.equal(['alice', 'demouser1']);
    now += 61_000;
    await forgetful.expire();
    expect(forgetful.list()).to.deep.equal([]);
    expect((await forgetful.all()).map(({ name }) => name)).to.deep.equal(['a', 'b', 'c']);
    expect(forgetful.list(), 'those that were only looked at').to.deep.equal([]);
    await forgetful.perform('b', adding('carol'));
    expect(members(await one.latest('b'))).to.deep.equal(['alice', 'carol', 'demouser1']);
    expect(heard.filter(line => line.startsWith('left'))).to.deep.equal([]);
  });

  it('is no more than may be remembered, also of sandboxes that others have made', async () => {
    const { one, store } = two();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await one.perform(name, adding('alice'));
    const small = sessionWith({ store: shared(store), maxSandboxes: 2 });
    for (const name of names) expect(members(await small.latest(name))).to.deep.equal(['alice', 'demouser1']);
    expect(small.list().map(({ name }) => name)).to.deep.equal(['d', 'e']);
    for (const name of names) await small.perform(name, adding('carol'));
    expect(small.list().map(({ name }) => name)).to.deep.equal(['d', 'e']);
    expect(members(await one.latest('a'))).to.deep.equal(['alice', 'carol', 'demouser1']);
  });

  it('is kept as long as somebody listens, until the sandbox itself is gone', async () => {
    const heard: string[] = [];
    let now = 0;
    const { one, store } = two();
    const listened = sessionWith({
      store: shared(store),
      observer: hearing(heard, true),
      machineTime: () => new Date(now),
    });
    await listened.perform('a', adding('alice'));
    now += 61_000;
    await listened.expire();
    expect(listened.list().map(({ name }) => name)).to.deep.equal(['a']);
    await one.drop('a');
    await listened.expire();
    expect(listened.list()).to.deep.equal([]);
    expect(heard.at(-1)).to.equal('left a expired');
  });

  it('follows what others do as long as it is told to, and comes to a new one of the name', async () => {
    const heard: string[] = [];
    const { one, store } = two();
    const following = sessionWith({ store: shared(store), observer: hearing(heard) });
    await following.perform('a', adding('alice'));
    const unfollow = following.follow('a');
    const settled = () => new Promise(resolve => setTimeout(resolve, 10));
    await one.perform('a', adding('carol'));
    await settled();
    await one.reset(await opened(one, 'a'));
    await settled();
    await one.drop('a');
    await settled();
    await one.perform('a', adding('demouser2'));
    await settled();
    expect(heard).to.deep.equal([
      'made a',
      'changed a 1',
      'answered a 1',
      'changed a 2',
      'answered a 2',
      'reset a',
      'changed a 3',
      'left a dropped',
      'changed a 0', // the new one
      'changed a 1',
      'answered a 1',
    ]);
    unfollow();
    await one.perform('a', adding('alice'));
    await settled();
    expect(heard).to.have.length(11);
  });

  it('outlasts a store that is away', async () => {
    const store = emptyStore();
    let isAway = false;
    const session = sessionWith({
      store: through(store, async act => {
        if (isAway) throw new StoreError('away', 'the store is away');
        return act();
      }),
    });
    await session.perform('a', adding('alice'));
    isAway = true;
    for (const asked of [
      session.latest('a'),
      session.latest('b'),
      session.perform('c', adding('alice')),
      session.all(),
    ]) {
      const error = await Promise.resolve<unknown>(asked).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(StoreError);
    }
    isAway = false;
    expect(members(await session.latest('a'))).to.deep.equal(['alice', 'demouser1']);
  });
});
