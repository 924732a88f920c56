// Processes that use the same Redis or Valkey: killed during appends, with a wrong clock, and exiting by themselves once the store is closed.
import { expect } from 'chai';
import { endChildren, redisChild } from '../../../support/redis/redis-children.js';
import { engines } from '../../../support/redis/redis-servers.js';
import { Appender, created, freshName, numbers, redisForTests } from '../../../support/redis/redis-stores.js';
import { freePort } from '../../../support/wire/ports.js';
import { until } from '../../../support/worlds/until.js';

for (const engine of engines())
  describe(`a process with a store in ${engine}`, () => {
    const redis = redisForTests({ engine, persistence: 'aof-always' });
    after(endChildren);

    it('that is killed by -9 while it appends leaves everything it acknowledged, and nothing twice, ten times', async () => {
      const store = await redis.open();
      const { sandbox, head } = await created(store);
      const own = new Appender(store, sandbox, head);
      const said: number[] = [];
      for (let round = 0; round < 10; round += 1) {
        const child = await redisChild({ url: redis.server.url, does: 'append', sandbox, first: 100_000 * round });
        await child.says(3 + 7 * round);
        const appending = own.add([[-1 - round]]);
        await child.kill9();
        await appending;
        said.push(...child.lines().map(Number));
      }
      const all = await numbers(store, sandbox);
      expect(new Set(all).size).to.equal(all.length);
      expect(said.filter(one => !all.includes(one))).to.deep.equal([]);
      expect(all.length - said.length - 10).to.be.within(0, 10); // at most one for each, acknowledged to nobody
    });

    it('uses the clock of Redis, however wrong its own is', async () => {
      const hour = 3_600_000;
      const store = await redis.open();
      for (const shift of [hour, -hour]) {
        const sandbox = freshName();
        const child = await redisChild({ url: redis.server.url, does: 'now', sandbox, shift });
        expect(await child.ended).to.equal(0);
        const counts = JSON.parse(child.lines()[0] ?? '') as { store: number; own: number };
        expect(Math.abs(counts.own - Date.now() - shift)).to.be.lessThan(hour / 2);
        expect(Math.abs(counts.store - store.now())).to.be.lessThan(60_000);
        const [, left] = [await store.since(sandbox), Number(await redis.server.cli('pttl', `cwx:{${sandbox}}:m`))];
        expect(left).to.be.within(1, 60_000);
      }
    });

    it('exits by itself when the store is closed, and leaves no connection', async () => {
      const child = await redisChild({ url: redis.server.url, does: 'close', sandbox: freshName() });
      expect(await child.ended).to.equal(0);
      expect(child.lines()).to.deep.equal(['closed']);
      await until(
        async () => !(await redis.server.cli('client', 'list')).split('\n').some(line => !line.includes('cmd=client')),
      );
    });

    it('exits by itself when the store is closed while Redis is down', async () => {
      const url = `redis://127.0.0.1:${await freePort()}`;
      const child = await redisChild({ url, does: 'close-unready', sandbox: freshName() });
      expect(await child.ended).to.equal(0);
      expect(child.lines()).to.deep.equal(['closed']);
    });
  });
