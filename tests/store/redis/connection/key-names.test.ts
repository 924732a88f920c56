// The keys of a store in Redis: their names and slots, shared parts, records of writers, and foreign keys it leaves alone.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { slotOf } from '../../../../server/store/redis/connection/key-names.js';
import { redisStore } from '../../../../server/store/redis/redis-store.js';
import { hasRedis } from '../../../support/redis/redis-servers.js';
import { Appender, created, freshName, redisForTests, refused } from '../../../support/redis/redis-stores.js';
import { until } from '../../../support/worlds/until.js';
import { plainFormat } from '../../suite.js';

describe('the slot of a key', () => {
  it('is the one that Redis computes', () => {
    expect(slotOf('123456789')).to.equal(0x31c3); // the check value of CRC16/XMODEM
    expect(slotOf('foo')).to.equal(12182);
    expect(slotOf('bar')).to.equal(5061);
    expect(slotOf('')).to.equal(0);
  });
});

(hasRedis() ? describe : describe.skip)('what a store keeps in Redis', function () {
  this.timeout(20_000);
  const redis = redisForTests();
  beforeEach(() => redis.server.cli('flushall'));

  it('has a part that outlives the logs that share it, renewed by their use', async () => {
    const store = await redis.open();
    const life = async () => Number(await redis.server.cli('pttl', 'cwx:{part:p-long}'));
    await store.create('a', 'base|long', 1_000);
    expect(await life()).to.be.within(1_500, 2_000);
    await until(async () => (await life()) < 1_500);
    await store.since('a');
    await until(async () => (await life()) > 1_500);
    await store.create('b', 'base|long', 600_000);
    expect(await life()).to.be.within(1_190_000, 1_200_000);
    await store.create('c', 'base|long', 1_000);
    expect(await life()).to.be.within(1_190_000, 1_200_000);
  });

  it('is separate for each prefix and each database', async () => {
    const all = ['?prefix=one', '?prefix=two', '/1?prefix=one'].map(end =>
      redis.stores.open(`${redis.server.url}${end}`),
    );
    const [one, two, other] = await Promise.all(all);
    await one?.create('a', 'base');
    expect((await redis.server.cli('keys', '*')).split('\n').sort()).to.deep.equal(['one:{a}:b', 'one:{a}:m']);
    expect(await one?.list()).to.deep.equal(['a']);
    expect(await two?.list()).to.deep.equal([]);
    expect(await other?.since('a')).to.equal(undefined);
  });

  it('lists more than a thousand sandboxes, and nothing else', async () => {
    const store = await redis.open();
    await redis.server.cli('set', 'somebody', 'else');
    const names = Array.from({ length: 1200 }, (_, i) => `s${i}`);
    await Promise.all(names.map(name => store.create(name, 'base|shared', 60_000)));
    expect([...(await store.list())].sort()).to.deep.equal(names.sort());
  });

  it('has a part once for all bases, compressed if worthwhile, and readable by other stores', async () => {
    const long = 'abc '.repeat(5000);
    const base = `one|${long}`;
    const format = {
      ...plainFormat,
      writeBase: () => ({
        text: JSON.stringify({ text: 'one', part: 'p-long' }),
        part: { name: 'p-long', text: () => `of ${long}` },
      }),
    };
    const [store, other] = [await redis.open({ format }), await redis.open({ format })];
    await store.create('a', base, 60_000);
    await other.create('b', base, 60_000);
    expect((await other.since('a'))?.base).to.equal(base);
    expect(Number(await redis.server.cli('strlen', 'cwx:{part:p-long}'))).to.be.below(1000);
  });

  it('is not written again if the part exists', async () => {
    let written = 0;
    const count = () => {
      written += 1;
      return 'of shared';
    };
    const format = {
      ...plainFormat,
      writeBase: (text: string) => ({
        text: JSON.stringify({ text, part: 'p-shared' }),
        part: { name: 'p-shared', text: count },
      }),
    };
    const store = await redis.open({ format });
    for (const name of ['a', 'b', 'c']) await store.create(name, 'base', 60_000);
    expect(written).to.equal(1);
    expect((await store.since('c'))?.base).to.equal('base|shared');
  });

  it('is lost if a part is missing or damaged, and names the part', async () => {
    const store = await redis.open();
    await store.create('a', 'base|shared', 60_000);
    const packed = gzipSync(randomBytes(100)).subarray(0, 60);
    await redis.server.cli('set', 'cwx:{part:p-shared}', `z${packed.toString('latin1').replaceAll('\0', ' ')}`);
    expect((await refused(store.since('a'), 'lost')).message).to.include('p-shared');
    await redis.server.cli('del', 'cwx:{part:p-shared}');
    expect((await refused(store.since('a'), 'lost')).message).to.include('p-shared');
  });

  it('refuses unreadable values, and foreign keys under its names', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store);
    await new Appender(store, sandbox, head).add([[1]]);
    await redis.server.cli('lset', `cwx:{${sandbox}}:r`, '0', 'x {');
    expect((await refused(store.since(sandbox), 'lost')).message).to.include(sandbox);
    const taken = freshName();
    await redis.server.cli('set', `cwx:{${taken}}:m`, 'mine');
    await refused(store.since(taken), 'format');
    await refused(store.create(taken, 'base'), 'format');
    expect(await redis.server.cli('get', `cwx:{${taken}}:m`)).to.equal('mine');
  });

  it('keeps only the latest of the writers that are long gone', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store);
    const meta = `cwx:{${sandbox}}:m`;
    const gone = Array.from({ length: 120 }, (_, i) => [`a:gone-${i}`, '1 1600000000000']).flat();
    const late = `${Date.now()}`;
    await redis.server.cli('hset', meta, ...gone, 'a:late', `1 ${late}`);
    await new Appender(store, sandbox, head).add([[1]]);
    const writers = (await redis.server.cli('hkeys', meta)).split('\n').filter(name => name.startsWith('a:'));
    expect(writers).to.have.length(2).and.include('a:late');
  });
});

describe('a store in Redis', () => {
  it('refuses a wrong URL, and shows no password', async () => {
    const make = () => redisStore({ url: 'redis://me:hush@h/one', format: plainFormat });
    expect(make).to.throw(
      'the URL of the store is invalid: /one is not a database number: expected a whole number, such as /0',
    );
  });

  it('names the unreachable node of a Cluster', async () => {
    const store = redisStore({ url: 'redis+cluster://127.0.0.1:1', format: plainFormat, timeout: 500 });
    const expected = /^Redis at 127\.0\.0\.1:1 cannot be reached: ECONNREFUSED$/;
    expect((await refused(store.since('a'), 'away')).message).to.match(expected);
    expect((await refused(store.list(), 'away')).message).to.match(expected);
    expect(store.trouble).to.match(expected);
    await store.close();
  });

  it('has a name without credentials', async () => {
    const store = redisStore({ url: 'redis://me:hush@127.0.0.1:1', format: plainFormat });
    expect(store.name).to.equal('redis://127.0.0.1:1');
    expect(store.trouble).to.equal('Redis at 127.0.0.1:1 is not connected yet');
    await store.close();
    expect(store.trouble).to.equal('the store is closed');
    expect((await refused(store.since('a'), 'away')).message).to.match(/closed/);
    await refused(store.ready(), 'away');
  });
});
