// Expiry of logs in Redis, and other versions of the program: unused logs disappear everywhere at once, with all their keys,
// and a version that cannot read them leaves them alone.
import { expect } from 'chai';
import { cut, plainFormat } from '../../../store/suite.js';
import { engines } from '../../../support/redis/redis-servers.js';
import {
  Appender,
  contents,
  created,
  freshName,
  redisForTests,
  refused,
  underLoad,
} from '../../../support/redis/redis-stores.js';

import { until } from '../../../support/worlds/until.js';

const EXPIRIES = "local t = {} for i, key in ipairs(KEYS) do t[i] = redis.call('pexpiretime', key) end return t";

for (const engine of engines())
  describe(`logs in ${engine}`, () => {
    const redis = redisForTests({ engine });

    const keysOf = async (sandbox: string) =>
      (await redis.server.cli('--scan')).split('\n').filter(key => key.includes(`{${sandbox}}`));

    /** Read in one step: a use of the log extends all of them together. */
    const expiriesOf = async (keys: readonly string[]) =>
      (await redis.server.cli('eval', EXPIRIES, String(keys.length), ...keys)).split('\n');

    it('disappear for all stores at once when they are idle for too long, with all their keys and parts', async () => {
      const [one, other] = [await redis.open(), await redis.open()];
      await redis.server.cli('flushall');
      const { sandbox, head } = await created(one, 1500, 'base|a part of its own');
      await new Appender(other, sandbox, head).add([[1]]);
      expect(await keysOf(sandbox)).to.have.lengthOf(3);
      await until(async () => (await one.since(sandbox, undefined, true)) === undefined);
      expect(await other.since(sandbox)).to.equal(undefined);
      expect(await one.append(sandbox, head, [[2]])).to.equal('gone');
      expect(await other.list()).not.to.include(sandbox);
      await until(async () => (await redis.server.cli('dbsize')) === '0'); // the part a little later
      expect((await one.create(sandbox, 'anew'))?.log).not.to.equal(head.log);
    });

    it('stay while any store uses them: by a read or an append', async () => {
      const [one, other] = [await redis.open(), await redis.open()];
      const { sandbox, head } = await created(one, 1000, 'base|shared');
      const appender = new Appender(other, sandbox, head);
      const uses = [() => one.since(sandbox), () => appender.add([[1]])];
      for (let i = 0; i < 12; i += 1) {
        await pause(150);
        await uses[i % uses.length]?.();
      }
      expect((await contents(one, sandbox)).records).to.have.lengthOf(6);
      const ends = await expiriesOf(await keysOf(sandbox));
      expect(new Set(ends).size).to.equal(1); // all keys together
      const part = await redis.server.cli('pexpiretime', 'cwx:{part:p-shared}');
      expect(Number(part)).to.be.greaterThan(Number(ends[0]));
    });

    it('without an expiry stay, with a part of their own', async () => {
      const store = await redis.open();
      const short = await created(store, 200, 'short|common');
      const { sandbox } = await created(store, undefined, 'lasting|common');
      await until(async () => (await store.since(short.sandbox, undefined, true)) === undefined);
      await pause(300);
      expect((await contents(await redis.open(), sandbox)).base).to.equal('lasting|common');
      for (const key of await keysOf(sandbox)) expect(await redis.server.cli('pttl', key)).to.equal('-1');
    });

    it('are left alone by a version with another format', async () => {
      const store = await redis.open();
      const { sandbox, head } = await created(store, 60_000, 'base|in the old format');
      await new Appender(store, sandbox, head).add([[1]]);
      const dumped = async () =>
        Promise.all((await keysOf(sandbox)).sort().map(async key => `${key} ${await redis.server.cli('dump', key)}`));
      const before = await dumped();
      const next = await redis.open({ format: { ...plainFormat, version: 2 } });
      for (const verb of [
        next.create(sandbox, 'base'),
        next.append(sandbox, head, [[2]]),
        next.since(sandbox),
        next.since(sandbox, head, true),
        next.compact(sandbox, head, { from: 1 }),
        next.drop(sandbox),
      ].map(verb => refused(verb, 'format')))
        expect((await verb).message)
          .to.match(/1/)
          .and.to.match(/2/); // both versions
      expect(await dumped()).to.deep.equal(before);
      expect((await contents(store, sandbox)).records).to.deep.equal([[1]]);
    });

    it('survive when Redis loses its scripts', async () => {
      const store = await redis.open();
      const { sandbox, head } = await created(store, 60_000);
      const appender = new Appender(store, sandbox, head);
      for (let i = 0; i < 5; i += 1) {
        await redis.server.cli('script', 'flush');
        await appender.add([[i]]);
        await redis.server.cli('script', 'flush');
        expect((await contents(store, sandbox)).records).to.have.lengthOf(i + 1);
      }
      await redis.server.cli('script', 'flush');
      expect(await store.compact(sandbox, appender.head, cut(2, 'base at 2'))).to.deep.include({ from: 2 });
      await redis.server.cli('script', 'flush');
      expect(await contents(store, sandbox)).to.deep.include({ base: 'base at 2', records: [[2], [3], [4]] });
      await redis.server.cli('script', 'flush');
      expect(await store.drop(sandbox)).to.equal(true);
      await redis.server.cli('script', 'flush');
      expect((await store.create(freshName(), 'base'))?.last).to.equal(0);
    });

    it('survive a script flush while three stores append at once', async () => {
      const log = await created(await redis.open());
      await underLoad(redis.open, [log], async () => {
        for (let flushes = 0; flushes < 50; flushes += 1) await redis.server.cli('script', 'flush');
      });
    });
  });

const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));
