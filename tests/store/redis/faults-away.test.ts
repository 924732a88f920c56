// A Redis that is down: at startup, during use, for a while or for ever. A proxy between it and the store cuts and refuses connections.
import { expect } from 'chai';
import type { Head } from '../../../server/engine/store.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import {
  Appender,
  contents,
  created,
  freshName,
  numbers,
  redisBehindProxy,
  refused,
  underLoad,
} from '../../support/redis/redis-stores.js';

import { freePort } from '../../support/wire/ports.js';
import { until } from '../../support/worlds/until.js';
import { cut, hearing, type Kept } from '../suite.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a store whose Redis is down', () => {
  const redis = redisBehindProxy();

  it('at startup waits for it, and reports it', async () => {
    await redis.proxy.refuse();
    const store = redis.stores.make(redis.url, { timeout: 200 });
    let isReady = false;
    const ready = store.ready().then(() => {
      isReady = true;
    });
    await refused(store.create('early', 'base'), 'away');
    await until(() => store.trouble?.includes('ECONNREFUSED') === true);
    expect(store.trouble).to.include(`127.0.0.1:${redis.proxy.port}`);
    expect(isReady).to.equal(false);
    await redis.proxy.accept();
    await ready;
    expect(store.trouble).to.equal(undefined);
    expect(await store.list()).not.to.include('early');
    expect((await created(store)).head.last).to.equal(0);
  });

  it('for ever reports it for each operation, and ends when it is closed', async () => {
    const store = redis.stores.make(`redis://127.0.0.1:${await freePort()}`, { timeout: 600 });
    const ready = store.ready().then(
      () => 'ready',
      () => 'rejected',
    );
    const failures = await Promise.all(everyVerb(store).map(verb => refused(verb, 'away')));
    for (const { message } of failures) expect(message).to.include('127.0.0.1').and.to.include('ECONNREFUSED');
    await store.close();
    expect(await Promise.race([ready, later('neither')])).not.to.equal('ready');
  });

  it('during use reports it for each operation, does nothing half, and resumes by itself', async () => {
    const store = await redis.open({ timeout: 250 });
    const { sandbox, head } = await created(store);
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1]]);
    const before = await contents(store, sandbox);
    await redis.proxy.refuse();
    const failures = everyVerb(store, sandbox, appender.head).map(verb => refused(verb, 'away'));
    for (const { message } of await Promise.all(failures)) expect(message).to.include(`127.0.0.1:${redis.proxy.port}`);
    expect(store.trouble).to.include(`127.0.0.1:${redis.proxy.port}`);
    await redis.proxy.accept();
    await until(() => store.trouble === undefined);
    expect(await contents(store, sandbox)).to.deep.equal(before);
    await appender.add([[2]]);
    expect(await contents(store, sandbox)).to.deep.include({ records: [[1], [2]] });
  });

  it('for longer than the timeout reports it at once, and no longer when it is back', async () => {
    const store = await redis.open({ timeout: 400 });
    const { sandbox, head } = await created(store);
    await redis.proxy.refuse();
    const took = async (verb: Promise<unknown>) => {
      const begun = performance.now();
      await refused(verb, 'away');
      return performance.now() - begun;
    };
    expect(await took(store.append(sandbox, head, [[1]]))).to.be.within(200, 800);
    await later(undefined, 400);
    for (const verb of everyVerb(store, sandbox, head)) expect(await took(verb)).to.be.lessThan(200);
    await redis.proxy.accept();
    await until(() => store.trouble === undefined);
    expect(await store.append(sandbox, head, [[1]])).to.have.nested.property('head.last', 1);
  });

  it('for a moment has an operation wait for it', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store);
    await redis.proxy.refuse();
    const appending = store.append(sandbox, head, [[1]]);
    const reading = store.since(sandbox);
    setTimeout(() => redis.proxy.accept(), 100);
    expect(await appending).to.have.nested.property('head.last', 1);
    expect(await reading).to.have.nested.property('base', 'base');
    expect(await numbers(store, sandbox)).to.deep.equal([1]);
  });

  it('again and again while three stores append loses nothing, and does nothing twice', async () => {
    const log = await created(await redis.open());
    await underLoad(redis.open, [log], async () => {
      for (let cuts = 0; cuts < 5; cuts += 1) {
        redis.proxy.cut();
        await later(undefined, 40);
      }
    });
  });

  it('by -9 while three stores append loses nothing acknowledged if it writes a file, and does nothing twice', async () => {
    const own = await RedisServer.start({ persistence: 'aof-always' });
    try {
      const open = () => redis.stores.open(own.url);
      const log = await created(await open(), 60_000);
      await underLoad(open, [log], async more => {
        for (let round = 0; round < 4; round += 1) {
          await more();
          await own.restart();
        }
      });
    } finally {
      await own.stop();
    }
  });

  it('and then empty reports it: the logs are gone, watchers are notified, and names can be used again', async () => {
    const own = await RedisServer.start();
    try {
      const store = await redis.stores.open(own.url);
      const { sandbox, head } = await created(store);
      const appender = new Appender(store, sandbox, head);
      await appender.add([[1]]);
      const heard = hearing(store, sandbox);
      await until(() => heard.times > 0);
      await heard.after(() => own.restart());
      heard.unwatch();
      expect(await store.append(sandbox, appender.head, [[2]])).to.equal('gone');
      expect(await store.since(sandbox)).to.equal(undefined);
      expect(await store.compact(sandbox, appender.head, { from: 1 })).to.equal('gone');
      expect(await store.drop(sandbox)).to.equal(false);
      expect(await store.list()).to.deep.equal([]);
      const again = await store.create(sandbox, 'anew');
      expect(again?.log).not.to.equal(head.log);
      expect(await contents(store, sandbox)).to.deep.include({ base: 'anew', records: [] });
    } finally {
      await own.stop();
    }
  });
});

/** Each operation once, on a log that need not exist. */
function everyVerb(store: Kept, sandbox = freshName(), head: Head = { last: 0, id: 'x', log: 'x', from: 0, base: 0 }) {
  return [
    store.create(freshName(), 'base'),
    store.append(sandbox, head, [[7]]),
    store.since(sandbox),
    store.since(sandbox, head, true),
    store.compact(sandbox, head, cut(head.last, 'other base')),
    store.drop(sandbox),
    store.list(),
  ];
}

function later<T>(value: T, milliseconds = 50): Promise<T> {
  return new Promise(resolve => setTimeout(() => resolve(value), milliseconds));
}
