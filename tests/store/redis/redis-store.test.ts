// The store on one Redis: the suite of all stores, wrong setups, expiry, and a Redis that is away, full or also used by others.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { StoreFailure } from '../../../server/engine/store.js';
import { pageAt } from '../../docs/markdown.js';
import { DURABLE, hasRedis, RedisServer, type ServerOptions } from '../../support/redis/redis-servers.js';
import { closeStores, openStore, refused, storeAt } from '../../support/redis/redis-stores.js';
import { until } from '../../support/worlds/until.js';
import { appended, compacted, created, cut, hearing, plainFormat, storeSuite } from '../suite.js';

/** The permissions a user needs, from the documentation. */
const [, NEEDED = ''] = /`(eval [\w\s]+)`/.exec(pageAt('docs/how-to/keep-sandboxes.md').text) ?? [];

const user = (name: string, commands: string) =>
  `user ${name} on >secret ~cwx:* &cwx:* -@all ${commands
    .split(/\s+/)
    .map(command => `+${command}`)
    .join(' ')}`;

/** Servers that cannot be used, or only by another URL. */
const wrongSetups: ReadonlyArray<
  readonly [title: string, options: ServerOptions, login: string, rest: string, words: RegExp]
> = [
  [
    'a missing password',
    { password: 'right' },
    'redis://',
    '',
    /requires a password: redis:\/\/user:password@host:port/,
  ],
  ['a wrong password', { password: 'right' }, 'redis://:wrong@', '', /WRONGPASS invalid username-password pair/],
  ['a missing database', {}, 'redis://', '/99', /DB index is out of range/],
  [
    'a missing command',
    { lines: [user('less', NEEDED.replace('publish', ''))] },
    'redis://less:secret@',
    '',
    /does not allow this user/,
  ],
  [
    'a replica',
    { lines: ['replicaof 127.0.0.1 1'] },
    'redis://',
    '',
    /is a read-only replica: give the address of its master/,
  ],
  ['a node of a Cluster', { lines: ['cluster-enabled yes'] }, 'redis://', '', /must begin with redis\+cluster:\/\//],
  ['a server that is not a Sentinel', {}, 'redis+sentinel://', '/mymaster', /is not a Sentinel/],
  [
    'a Sentinel without such a master',
    { isSentinel: true },
    'redis+sentinel://',
    '/other',
    /watches no master with that name/,
  ],
  ['an unknown certificate', { isTls: true }, 'rediss://', '', /cannot be reached: .*SELF_SIGNED/],
];

if (hasRedis())
  describe('the store redis', () => {
    let server: RedisServer;
    before(async () => {
      server = await RedisServer.start({ lines: [...DURABLE, user('enough', NEEDED)] });
    });
    beforeEach(() => server.cli('flushall'));
    afterEach(closeStores);
    after(() => server.stop());
    const open = (timeout?: number) => openStore(server.url, timeout === undefined ? {} : { timeout });

    storeSuite('redis', async () => ({ open, leave: closeStores }));

    for (const [title, options, login, rest, words] of wrongSetups)
      it(`says what is wrong with ${title}`, async () => {
        const wrong = await RedisServer.start(options);
        const store = storeAt(`${login}127.0.0.1:${wrong.port}${rest}`);
        try {
          if (options.isTls)
            await until(() => words.test(store.trouble ?? '')); // it might pass
          else expect((await refused(store.ready(), 'refused')).message).to.match(words);
          expect(store.trouble ?? '').not.to.match(/secret|right|wrong/);
        } finally {
          await closeStores();
          await wrong.stop();
        }
      });

    it('needs no more permissions than the documentation lists, and leaves nothing of its check', async () => {
      const store = await openStore(server.url.replace('//', '//enough:secret@'));
      await until(async () => (await server.cli('keys', '*')) === '');
      const heard = hearing(store, 'a');
      const head = await heard.after(() => created(store, 'a', 'base|part', 60_000));
      const next = await appended(store, 'a', head, [[1], [2]]);
      expect(await store.append('a', head, [[3]])).to.have.property('behind');
      await compacted(store, 'a', next, cut(1, 'then|part'));
      expect(await store.since('a')).to.deep.include({ base: 'then|part', records: [[2]] });
      expect(await store.list()).to.deep.equal(['a']);
      expect(await store.drop('a')).to.equal(true);
    });

    it('works over TLS, and with a password', async () => {
      const safe = await RedisServer.start({ isTls: true, password: 'a@b' });
      const url = `rediss://:a%40b@127.0.0.1:${safe.port}?ca=${safe.certificate?.certificate}`;
      await created(await openStore(url), 'a');
      expect(() => storeAt('rediss://h?ca=/none')).to.throw('the file of ca cannot be read: /none');
      await closeStores();
      await safe.stop();
    });

    it('warns of a Redis that may evict parts of sandboxes', async () => {
      const lines: string[] = [];
      await server.cli('config', 'set', 'maxmemory-policy', 'allkeys-lru');
      await openStore(server.url, { log: line => lines.push(line) });
      await server.cli('config', 'set', 'maxmemory-policy', 'noeviction');
      expect(lines.join()).to.match(/maxmemory-policy allkeys-lru.*Set maxmemory-policy to noeviction/);
    });

    it('lists and uses its logs beside keys of others, under its own prefix', async () => {
      const store = await open();
      await created(store, 'a');
      for (const key of ['cwx:{string}:m', 'cwx:{with space}:m', 'cwx:other', 'other:{b}:m'])
        await server.cli('set', key, '1');
      await server.cli('hset', 'cwx:{with space!}:m', 'f', '1');
      expect(await store.list()).to.deep.equal(['a']);
      expect((await refused(store.since('string'), 'format')).message).to.include('unexpected type');
      const other = await openStore(`${server.url}?prefix=other`);
      expect(await other.list()).to.deep.equal([]);
      await created(other, 'a');
    });

    it('leaves a log of another format alone', async () => {
      const head = await created(await open(), 'a');
      const other = await openStore(server.url, { format: { ...plainFormat, version: 2 } });
      const calls = [other.since('a'), other.append('a', head, [[1]]), other.drop('a'), other.create('a', 'x')];
      for (const call of calls)
        expect((await refused(call, 'format')).message).to.include('was written by another version');
      expect(await (await open()).since('a')).to.deep.include({ head, records: [] });
    });

    it('reports a log of which Redis has lost a key', async () => {
      const store = await open();
      for (const [name, key] of [
        ['a', 'b'],
        ['b', 'r'],
        ['c', 'p'],
      ] as const) {
        const head = await appended(store, name, await created(store, name, 'base|part'), [[1]]);
        await server.cli('del', `cwx:{${name}}:${key}`);
        await refused(store.since(name), 'lost');
        if (key !== 'p') await refused(store.append(name, head, [[2]]), 'lost');
        expect(await store.drop(name)).to.equal(true);
      }
    });

    it('drops a log with all its keys when it was idle for its time, and no part that others use', async () => {
      const store = await open();
      const used = await created(store, 'used', 'base|part', 2_000);
      let head = await appended(store, 'idle', await created(store, 'idle', 'base|part', 1_000), [[1]]);
      await created(store, 'kept', 'base');
      const looked = await created(store, 'looked', 'base', 1_000);
      const heard: number[] = [];
      for (let i = 0; i < 24; i += 1) {
        await pause(100);
        if (i === 1) head = await appended(store, 'idle', head, [[2]]);
        heard.push((await store.since('used', used))?.records.length ?? -1);
        await store.since('looked', looked, true);
      }
      expect(heard).to.deep.equal(heard.map(() => 0));
      expect(await store.append('idle', head, [[3]])).to.equal('gone');
      expect(await store.since('looked')).to.equal(undefined);
      expect([...(await store.list())].sort()).to.deep.equal(['kept', 'used']);
      expect(await store.since('used')).to.include({ base: 'base|part', ttl: 2_000 });
      await until(
        async () => (await server.cli('keys', '*')).split('\n').sort().join() === 'cwx:{kept}:b,cwx:{kept}:m',
      );
    });

    for (const [title, goAway, comeBack, words] of [
      ['is killed', () => server.kill9(), () => server.restart(), /cannot be reached|closed the connection/],
      ['hangs', async () => server.pause(), async () => server.resume(), /did not respond/],
    ] as const)
      it(`fails in time while Redis ${title}, loses nothing, and goes on by itself`, async () => {
        const store = await open(500);
        const head = await appended(store, 'a', await created(store, 'a', 'base|part'), [[1]]);
        const heard = hearing(store, 'a');
        await goAway();
        const failed = async (call: () => Promise<unknown>, why: StoreFailure = 'away') => {
          const error = await refused(call(), why);
          expect(error).to.include({ retryAfter: 1 });
          expect(error.message).to.match(words);
        };
        await failed(() => store.append('a', head, [[2]]));
        await failed(() => store.since('a', head));
        await failed(() => store.list());
        await until(() => store.trouble !== undefined);
        const before = heard.times;
        await comeBack();
        await until(() => store.trouble === undefined);
        await until(() => heard.times > before); // it may have missed something
        const tail = await store.since('a');
        expect(tail).to.include({ base: 'base|part' });
        expect(tail?.records.slice(0, 1)).to.deep.equal([[1]]);
        const next = await appended(store, 'a', tail?.head ?? head, [[3]]);
        await hearing(store, 'a').after(() => appended(store, 'a', next, [[4]]));
        expect((await (await open()).since('a'))?.records.slice(-2)).to.deep.equal([[3], [4]]);
      });

    it('can be closed at any time, and then keeps no process alive', async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '-e', CLOSING],
        {
          env: {
            ...process.env,
            URLS: `${server.url} redis://127.0.0.1:1 redis+cluster://127.0.0.1:1 redis+sentinel://127.0.0.1:1/m`,
          },
        },
      );
      expect(stdout.trim().split('\n')).to.deep.equal(['null', 'away', 'away', 'away', 'away']);
    });
  });

const CLOSING = `
const { redisStore } = await import('./server/store/redis/redis-store.ts');
for (const url of process.env.URLS.split(' ')) {
  const store = redisStore({ url, format: { version: 1 } });
  const ready = store.ready().then(() => null, error => error.failure);
  if (url === process.env.URLS.split(' ')[0]) console.log(await ready);
  await store.close();
  console.log(await store.list().catch(error => error.failure));
}
`;

describe('the store redis without @redis/client installed', () => {
  it('says how to install it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      WITHOUT,
    ]);
    expect(stdout.trim()).to.equal(
      'the Redis store needs a package that is not installed: npm install @redis/client@6',
    );
  });
});

/** A program that does not find the package, with the error Node throws for a missing one. */
const WITHOUT = `
import Module from 'node:module';
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => {
  if (name !== '@redis/client') return resolve(name, ...rest);
  throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
};
const { redisStore } = await import('./server/store/redis/redis-store.ts');
try {
  redisStore({ url: 'redis://127.0.0.1:1', format: { version: 1 } });
} catch (error) {
  console.log(error.message);
}
`;
