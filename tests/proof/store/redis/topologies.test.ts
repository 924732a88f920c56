// The store on Valkey, a Cluster and Sentinels: the suite of all stores, and a failover of each.
import { expect } from 'chai';
import { appended, created, hearing, type Kept, storeSuite } from '../../../store/suite.js';
import { engines, hasRedis, RedisServer, startCluster, startSentinel } from '../../../support/redis/redis-servers.js';
import { closeStores, openStore, storeAt } from '../../../support/redis/redis-stores.js';
import { until } from '../../../support/worlds/until.js';

/** Appends until it succeeds again: what fails meanwhile is only that Redis is away. */
async function appendAgain(store: Kept, sandbox: string, record: number): Promise<void> {
  await until(async () => {
    try {
      const tail = await store.since(sandbox);
      return tail !== undefined && 'head' in Object(await store.append(sandbox, tail.head, [[record]]));
    } catch (error) {
      expect(error).to.include({ name: 'StoreError', failure: 'away', retryAfter: 1 });
      return false;
    }
  });
}

const records = async (store: Kept, sandbox: string) => (await store.since(sandbox))?.records.flat();

if (engines().includes('valkey-server'))
  describe('on Valkey', () => {
    let server: RedisServer;
    before(async () => {
      server = await RedisServer.start({ engine: 'valkey-server' });
    });
    beforeEach(() => server.cli('flushall'));
    after(() => server.stop());
    storeSuite('valkey', async () => ({ open: () => openStore(server.url), leave: closeStores }));
  });

if (hasRedis())
  describe('on a Cluster', () => {
    let cluster: Awaited<ReturnType<typeof startCluster>>;
    before(async () => {
      cluster = await startCluster();
    });
    afterEach(closeStores);
    after(() => cluster.stop());
    const open = () => openStore(cluster.url);
    const empty = async () => {
      for (const node of cluster.nodes) await node.cli('flushall').catch(() => {}); // a replica refuses
      return { open, leave: closeStores };
    };

    storeSuite('redis+cluster', empty);

    describe('with six nodes', () => {
      it('goes on by itself when a replica takes over from a master, whether it was connected before or not', async () => {
        const store = await open();
        const head = await appended(store, 'own', await created(store, 'own'), [[1]]);
        const heard = hearing(store, 'own');
        const master = await cluster.masterOf('own');
        await until(async () => (await master.cli('wait', '1', '1000')) !== '0'); // the replica has it
        const idle: Kept[] = []; // most of them have not needed this master yet
        for (let i = 0; i < 3; i += 1) idle.push(await openStore(cluster.url, { timeout: 1000 }));
        await master.kill9();
        const late = storeAt(cluster.url, { timeout: 1000 });
        const appending = [store, ...idle].map(one => appendAgain(one, 'own', 2));
        await Promise.all([...appending, late.ready().then(() => appendAgain(late, 'own', 2))]);
        expect(await records(store, 'own')).to.deep.equal([1, 2, 2, 2, 2, 2]);
        expect((await store.since('own', head))?.records).to.have.length(5);
        const before = heard.times;
        await appendAgain(late, 'own', 3);
        await until(() => heard.times > before);
        await master.restart(); // it is a replica now
        await until(() => store.trouble === undefined);
        await appendAgain(store, 'own', 4);
        expect(await records(late, 'own')).to.deep.equal([1, 2, 2, 2, 2, 2, 3, 4]);
      });

      it('loses nothing while its slot moves from one master to another', async () => {
        const store = await open();
        const [first] = cluster.nodes;
        let name = '';
        for (let i = 0, slot = 100; slot >= 100; i += 1) {
          name = `moving-${i}`;
          slot = Number(await first?.cli('cluster', 'keyslot', `{${name}}`)); // the lowest slots move first
        }
        let head = await created(store, name);
        const [from, to] = [await cluster.masterOf(name), await cluster.masterOf('a')];
        expect(from.port).not.to.equal(to.port);
        const ids = await Promise.all([from, to].map(node => node.cli('cluster', 'myid')));
        const moving = ['--cluster-from', ids[0] ?? '', '--cluster-to', ids[1] ?? '', '--cluster-slots', '100'];
        let isOver = false;
        const moved = from
          .cli('--cluster', 'reshard', `127.0.0.1:${from.port}`, ...moving, '--cluster-yes')
          .finally(() => {
            isOver = true;
          });
        let count = 0;
        while (!isOver) {
          try {
            head = await appended(store, name, head, [[count]]);
            count += 1;
          } catch (error) {
            expect(error).to.include({ name: 'StoreError', failure: 'away' });
            await new Promise(resolve => setTimeout(resolve, 20));
          }
        }
        await moved;
        expect((await cluster.masterOf(name)).port).to.equal(to.port);
        await appendAgain(store, name, count);
        expect(await records(await open(), name)).to.deep.equal(Array.from({ length: count + 1 }, (_, i) => i));
      });
    });
  });

if (hasRedis())
  describe('on a master that a Sentinel watches', () => {
    let group: Awaited<ReturnType<typeof startSentinel>>;
    before(async () => {
      group = await startSentinel('secret');
    });
    afterEach(closeStores);
    after(() => group.stop());
    const open = () => openStore(group.url);

    storeSuite('redis+sentinel', async () => {
      await group.master.cli('flushall');
      return { open, leave: closeStores };
    });

    describe('with a replica', () => {
      it('goes on by itself when the Sentinel promotes the replica, and while the Sentinel is away', async () => {
        const store = await open();
        const head = await appended(store, 'own', await created(store, 'own', 'base|part', 60_000), [[1]]);
        const heard = hearing(store, 'own');
        await until(async () => (await group.master.cli('wait', '1', '1000')) !== '0'); // the replica has it
        await group.master.kill9();
        await appendAgain(store, 'own', 2);
        expect(await store.since('own', head)).to.deep.include({ records: [[2]] });
        await group.master.restart(); // the Sentinel makes it a replica
        await until(() => store.trouble === undefined);
        await group.sentinel.kill9();
        await new Promise(resolve => setTimeout(resolve, 1500)); // the client looks for it each second
        expect(store.trouble).to.equal(undefined);
        const before = heard.times;
        await appendAgain(store, 'own', 3);
        await until(() => heard.times > before);
        await group.sentinel.restart();
        await until(() => store.trouble === undefined);
        expect(await records(await open(), 'own')).to.deep.equal([1, 2, 3]);
      });
    });
  });
