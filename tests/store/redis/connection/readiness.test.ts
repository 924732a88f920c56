// What is checked before a store is used: the right kind of server, the permissions, and the installed client.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { pageAt } from '../../../docs/markdown.js';
import { RedisCluster } from '../../../support/redis/redis-clusters.js';
import { engines, hasRedis, RedisServer } from '../../../support/redis/redis-servers.js';
import { refused, Stores } from '../../../support/redis/redis-stores.js';
import { until } from '../../../support/worlds/until.js';
import { appended, compacted, created, cut, hearing } from '../../suite.js';

(hasRedis() ? describe : describe.skip)('a store in Redis, before it is used', function () {
  this.timeout(20_000);
  const stores = new Stores();
  let server: RedisServer;
  let cluster: RedisCluster;
  before(async () => {
    [server, cluster] = await Promise.all([RedisServer.start(), RedisCluster.start()]);
  });
  afterEach(() => stores.close());
  after(() => Promise.all([server?.stop(), cluster?.stop()]));

  it('refuses a Cluster that is configured as one server', async () => {
    for (const { server: node } of cluster.masters) {
      const store = stores.make(`redis://127.0.0.1:${node.port}`);
      expect((await refused(store.ready(), 'refused')).message).to.include('its URL must begin with redis+cluster://');
    }
  });

  it('refuses one server that is configured as a Cluster', async () => {
    const store = stores.make(`redis+cluster://127.0.0.1:${server.port}`);
    expect((await refused(store.ready(), 'refused')).message).to.include('its URL must begin with redis://');
  });

  it('finds a Cluster by one configured node, and later by any remaining one', async () => {
    const [first, second] = cluster.masters;
    for (const hosts of [`127.0.0.1:${first?.server.port}`, `127.0.0.1:1,127.0.0.1:${second?.server.port}`]) {
      const store = await stores.open(`redis+cluster://${hosts}`);
      const names = Array.from({ length: 20 }, (_, i) => `${hosts.length}-${i}`);
      await Promise.all(names.map(name => store.create(name, 'base')));
      expect(await store.list()).to.include.members(names);
      expect(store.trouble).to.equal(undefined);
    }
  });

  it('leaves nothing of its check', async () => {
    await server.cli('flushall');
    await stores.open(server.url);
    await new Promise(resolve => setTimeout(resolve, 5));
    expect(await server.cli('keys', '*')).to.equal('');
  });

  it('reports a missing database', async () => {
    expect((await refused(stores.make(`${server.url}/99`).ready(), 'refused')).message).to.include('no database');
  });
});

/** The permissions a user needs, from the documentation. */
const [, NEEDED = ''] = /`(eval [\w\s]+)`/.exec(pageAt('docs/how-to/keep-sandboxes.md').text) ?? [];

for (const engine of engines())
  describe(`a store in ${engine} with a restricted user`, function () {
    this.timeout(20_000);
    const stores = new Stores();
    let server: RedisServer;
    const needed = NEEDED.split(/\s+/);
    const user = (name: string, commands: readonly string[]) =>
      `${name} on >secret ~cwx:* &cwx:* -@all ${commands.map(command => `+${command}`).join(' ')}`;
    const missing = ['spublish', 'ssubscribe', 'scan', 'get', 'pexpiretime', 'evalsha', 'hgetall'];
    before(async () => {
      const less = missing.map(one =>
        user(
          `no-${one}`,
          needed.filter(command => command !== one),
        ),
      );
      server = await RedisServer.start({ engine, users: [user('enough', needed), ...less] });
    });
    afterEach(() => stores.close());
    after(() => server?.stop());
    const as = (name: string) => `redis://${name}:secret@127.0.0.1:${server.port}`;

    it('works with no more commands than the documentation lists', async () => {
      const store = await stores.open(as('enough'));
      const heard = hearing(store, 'a');
      const head = await created(store, 'a', 'base|part', 60_000);
      const next = await appended(store, 'a', head, [[1], [2]]);
      expect(await store.append('a', head, [[3]])).to.have.property('behind');
      expect(await compacted(store, 'a', next, cut(1, 'then|part'))).to.include({ from: 1 });
      expect(await store.since('a')).to.deep.include({ base: 'then|part', records: [[2]] });
      expect(await store.list()).to.deep.equal(['a']);
      expect(await store.drop('a')).to.equal(true);
      await until(() => heard.times > 0);
      heard.unwatch();
    });

    for (const one of missing) {
      it(`reports at once that it may not ${one}`, async () => {
        const { message } = await refused(stores.make(as(`no-${one}`)).ready(), 'refused');
        expect(message).to.include('does not allow this user').and.not.include('secret');
      });
    }
  });

describe('a store in Redis without @redis/client installed', () => {
  it('says how to install it', async function () {
    this.timeout(20_000);
    const node = ['--import', 'tsx', '--input-type=module', '-e', WITHOUT];
    const { stdout } = await promisify(execFile)(process.execPath, node);
    expect(stdout.trim()).to.equal(
      'refused: the Redis store needs a package that is not installed: npm install @redis/client@6',
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
  await redisStore({ url: 'redis://127.0.0.1:1', format: { version: 1 } }).close();
  console.log('made');
} catch (error) {
  console.log(error.failure + ': ' + error.message);
}
`;
