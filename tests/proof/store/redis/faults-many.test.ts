// Several stores that append to one log at once: each entry is stored once, none waits for ever, and listeners are notified.

import { expect } from 'chai';
import { hearing } from '../../../store/suite.js';
import { hasRedis } from '../../../support/redis/redis-servers.js';
import { Appender, contents, created, numbers, redisForTests } from '../../../support/redis/redis-stores.js';
import { TcpProxy } from '../../../support/wire/tcp-proxy.js';
import { until } from '../../../support/worlds/until.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('stores that append to one log', () => {
  const redis = redisForTests();

  it('three at once, 2,000 times each: each entry and note is stored once, in the order of each, and none starves', async () => {
    const { sandbox, head } = await created(await redis.open());
    const each = 2000;
    const ends: number[] = [];
    await Promise.all(
      [0, 1, 2].map(async which => {
        const appender = new Appender(await redis.open(), sandbox, head);
        for (let i = 0; i < each; i += 1) {
          await appender.add([[which, i]]);
          if (i === each / 2) ends.push(which);
        }
        ends.push(which);
      }),
    );
    const { records } = await contents(await redis.open(), sandbox);
    expect(records).to.have.lengthOf(3 * each);
    for (const which of [0, 1, 2])
      expect(records.filter(([of]) => of === which).map(([, i]) => i)).to.deep.equal(
        Array.from({ length: each }, (_, i) => i),
      );
    expect(ends.slice(0, 3).sort()).to.deep.equal([0, 1, 2]); // when the first is done, the last has half of its own
  });

  it('let in a slow one between two fast ones', async () => {
    const { sandbox, head } = await created(await redis.open());
    let isDone = false;
    let quick = 0;
    const others = [0, 1].map(async which => {
      const appender = new Appender(await redis.open(), sandbox, head);
      for (; !isDone; quick += 1) await appender.add([[which]]);
    });
    const store = await redis.open();
    let [known, lost] = [head, 0];
    for (let i = 0; i < 20; ) {
      await new Promise(resolve => setTimeout(resolve, 3)); // computing another world
      const outcome = await store.append(sandbox, known, [[2]]);
      if (outcome === 'gone') throw new Error('it is gone');
      known = 'behind' in outcome ? outcome.behind.head : outcome.head;
      if ('behind' in outcome) lost += 1;
      else i += 1;
      expect(lost, `lost races after ${i} appends`).to.be.below(200);
    }
    isDone = true;
    await Promise.all(others);
    expect(quick).to.be.greaterThan(20);
    expect((await contents(store, sandbox)).records).to.have.lengthOf(quick + 20);
  });

  it('several times at once by one store, while connections are cut: each record is stored once', async () => {
    const proxy = await TcpProxy.to(redis.server.port);
    try {
      const store = await redis.stores.open(`redis://127.0.0.1:${proxy.port}`);
      const { sandbox, head } = await created(store);
      const all = Array.from({ length: 60 }, (_, i) => i);
      let isDone = false;
      const appending = Promise.all(all.map(n => new Appender(store, sandbox, head).add([[n]]))).finally(() => {
        isDone = true;
      });
      for (let wait = 20; !isDone; wait += 2) {
        await new Promise(resolve => setTimeout(resolve, wait)); // longer each time, so that it ends on a slow machine too
        proxy.cut();
      }
      await appending;
      expect((await numbers(store, sandbox)).sort((a, b) => a - b)).to.deep.equal(all);
    } finally {
      await proxy.close();
    }
  });

  it('notify a store that only listens, even after its connection was cut', async () => {
    const proxy = await TcpProxy.to(redis.server.port);
    try {
      const listening = await redis.stores.open(`redis://127.0.0.1:${proxy.port}`);
      const appending = await redis.open();
      const { sandbox, head } = await created(appending);
      const heard = hearing(listening, sandbox);
      await until(() => heard.times > 0);
      const appender = new Appender(appending, sandbox, head);
      for (const cut of [
        async () => {},
        async () => proxy.cut(),
        () => refuseFor(proxy, 50, () => appender.add([[0]])),
      ]) {
        await heard.after(async () => {
          await cut();
          await appender.add([[1]]);
        });
        await until(() => proxy.connections >= 2); // both are connected again
        await new Promise(resolve => setTimeout(resolve, 100));
        await heard.after(() => appender.add([['note']]));
      }
    } finally {
      await proxy.close();
    }
  });
});

async function refuseFor(proxy: TcpProxy, milliseconds: number, meanwhile: () => Promise<void>): Promise<void> {
  await proxy.refuse();
  await meanwhile();
  await new Promise(resolve => setTimeout(resolve, milliseconds));
  await proxy.accept();
}
