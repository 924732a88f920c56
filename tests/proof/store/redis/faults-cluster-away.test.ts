// A Cluster whose master is down: for connected stores, for new ones, and for logs on other nodes.
import { expect } from 'chai';
import type { Kept } from '../../../store/suite.js';
import { RedisCluster } from '../../../support/redis/redis-clusters.js';
import { engines, hasRedis } from '../../../support/redis/redis-servers.js';
import { created, refused, Stores } from '../../../support/redis/redis-stores.js';
import { until } from '../../../support/worlds/until.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a store in a Cluster whose master is down', function () {
  this.timeout(60_000);
  const stores = new Stores();
  let cluster: RedisCluster;
  afterEach(async () => {
    await stores.close();
    await cluster?.stop();
  });

  /** A log in a slot of a node. */
  async function createdAt(store: Kept, id: string) {
    for (;;) {
      const log = await created(store);
      if ((await cluster.masterOf(await cluster.slotOf(`{${log.sandbox}}`))).id === id) return log;
    }
  }

  for (const engine of engines())
    it(`is usable as soon as a replica has taken over, even by a store opened before that (${engine})`, async () => {
      cluster = await RedisCluster.start({ engine, hasReplicas: true });
      const [master, replica] = [cluster.masters[0], cluster.replicas[0]];
      if (master === undefined || replica === undefined) throw new Error('there are no replicas');
      await cluster.untilReplica(replica);
      await master.server.kill9();
      const store = stores.make(cluster.url, { timeout: 1000 });
      const ready = store.ready();
      await cluster.untilMaster(replica);
      await cluster.untilWhole();
      await ready;
      expect((await createdAt(store, replica.id)).head.last).to.equal(0);
      expect(store.trouble).to.equal(undefined);
    });

  it('names the node, even to a new store, and logs on other nodes go on', async () => {
    cluster = await RedisCluster.start();
    const [one, other] = cluster.masters;
    if (one === undefined || other === undefined) throw new Error('there are no masters');
    for (const { server } of cluster.masters) await server.cli('config', 'set', 'cluster-require-full-coverage', 'no');
    const store = await stores.open(cluster.url, { timeout: 600 });
    const [away, there] = [await createdAt(store, one.id), await createdAt(store, other.id)];
    await one.server.kill9();
    const place = `127.0.0.1:${one.server.port}`;
    const first = await refused(store.append(away.sandbox, away.head, [[1]]), 'away');
    expect(first.message).to.include(place);
    const late = stores.make(cluster.url, { timeout: 600 });
    await until(async () => (await late.since(there.sandbox).catch(() => undefined)) !== undefined);
    for (const either of [store, late]) {
      expect((await refused(either.since(away.sandbox), 'away')).message).to.include(place);
      expect(either.trouble).to.include(place);
    }
    expect(await store.append(there.sandbox, there.head, [[1]])).to.have.nested.property('head.last', 1);
    await one.server.restart();
    await until(() => store.trouble === undefined && late.trouble === undefined);
  });
});
