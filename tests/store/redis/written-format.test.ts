// How a Redis keeps sandboxes: the type and value of every key, as a file. What was written before must be read. If the file differs, increase LAYOUT
// in redis-store.ts; then run with UPDATE_FORMAT=1.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { expectLines, withoutRandom } from '../../support/files/kept-file.js';
import { hasRedis } from '../../support/redis/redis-servers.js';
import { Appender, redisForTests } from '../../support/redis/redis-stores.js';
import { cut } from '../suite.js';

const FILE = join(import.meta.dirname, 'written', 'keys.jsonl');

/** A key, its type, and its value as arguments of the command that writes it. */
type Line = readonly [key: string, type: 'string' | 'list' | 'hash', value: readonly string[]];

(hasRedis() ? describe : describe.skip)('the format in which a Redis keeps sandboxes', () => {
  const redis = redisForTests();
  beforeEach(() => redis.server.cli('flushall'));

  const lines = async (...command: string[]) => (await redis.server.cli(...command)).split('\n').filter(Boolean);

  async function lineOf(key: string): Promise<Line> {
    const type = await redis.server.cli('type', key);
    if (type === 'string') return [key, type, [await redis.server.cli('get', key)]];
    if (type === 'list') return [key, type, await lines('lrange', key, '0', '-1')];
    if (type !== 'hash') throw new Error(`${key} is a ${type}`);
    const fields = (await lines('hkeys', key)).sort();
    const values = await Promise.all(fields.map(field => redis.server.cli('hget', key, field)));
    return [key, type, fields.flatMap((field, i) => [field, values[i] ?? ''])];
  }

  it('has keys as in its file', async () => {
    const store = await redis.open();
    for (const [sandbox, ttl] of [
      ['a', 60_000],
      ['b', undefined],
    ] as const) {
      const head = await store.create(sandbox, 'base|part', ttl);
      if (head === undefined) throw new Error('it exists');
      const appender = new Appender(store, sandbox, head);
      await appender.add([[1], [2, 'ü'], [3]]);
      await appender.add([[4]]);
      await store.compact(sandbox, appender.head, cut(2, 'new base|part', 1));
    }
    await store.create('dropped', 'base');
    await store.drop('dropped');
    const all = await Promise.all((await lines('keys', '*')).sort().map(lineOf));
    const withoutTimes = (text: string) =>
      withoutRandom(text).replace(/(?<=^|^\d+ )\d{13}(?:\.\d+)?$/, '1760000000000');
    expectLines(
      FILE,
      all.map(([key, type, value]): Line => [key, type, value.map(withoutTimes)]),
    );
  });

  it('is read from its file', async () => {
    const written = readFileSync(FILE, 'utf8').trimEnd().split('\n');
    const command = { string: 'set', list: 'rpush', hash: 'hset' };
    for (const [key, type, value] of written.map(line => JSON.parse(line) as Line))
      await redis.server.cli(command[type], key, ...value);
    const packed = Buffer.concat([Buffer.from('z'), gzipSync('of part')]); // not in the file: its bytes depend on the version of zlib
    await redis.server.cli('set', 'cwx:{b}:p', packed.toString('base64'));
    const store = await redis.open();
    expect([...(await store.list())].sort()).to.deep.equal(['a', 'b']);
    for (const sandbox of ['a', 'b']) {
      const { head, ...rest } = (await store.since(sandbox)) ?? {};
      const ttl = sandbox === 'a' ? { ttl: 60_000 } : {};
      expect(rest).to.deep.equal({ base: 'new base|part', records: [[2, 'ü'], [3], [4]], ...ttl });
      if (head === undefined) throw new Error('it is gone');
      expect(head).to.include({ last: 4, from: 1, base: 2 });
      const appender = new Appender(store, sandbox, head);
      await appender.add([[5]]);
      expect(appender.behind).to.equal(0);
    }
  });
});
