// A real Cluster changes while it is used: slots move, masters die, and a replica that takes over lacks some of its master's data.
import { expect } from 'chai';
import { cut, hearing, type Kept } from '../../../store/suite.js';
import { RedisCluster } from '../../../support/redis/redis-clusters.js';
import { hasRedis } from '../../../support/redis/redis-servers.js';
import { Appender, contents, created, Stores, underLoad } from '../../../support/redis/redis-stores.js';
import { until } from '../../../support/worlds/until.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a store in a Cluster', function () {
  this.timeout(60_000);
  const stores = new Stores();
  let cluster: RedisCluster;
  before(async () => {
    // patient: where the machine stalls a master for longer, its replica takes over, and what the master acknowledged afterwards is lost
    cluster = await RedisCluster.start({ hasReplicas: true, nodeTimeout: 3000 });
  });
  afterEach(() => stores.close());
  after(() => cluster.stop());

  const open = () => stores.open(cluster.url);
  const slotOf = (sandbox: string) => cluster.slotOf(`{${sandbox}}`);

  /** Cuts the connections on which the master of a slot notifies; whether there were any: after a slot has moved, the store has yet to connect there. */
  const cutConnections = async (slot: number) => {
    const { server } = await cluster.masterOf(slot);
    return Number(await server.cli('client', 'kill', 'type', 'pubsub')) > 0;
  };

  it('loses nothing and reports no error while slots move to and fro', async () => {
    const store = await open();
    const logs = await Promise.all([0, 1, 2, 3].map(() => created(store, 60_000)));
    await underLoad(open, logs, async () => {
      for (let round = 0; round < 2; round += 1)
        for (const { sandbox } of logs) {
          const slot = await slotOf(sandbox);
          const from = await cluster.masterOf(slot);
          const to = cluster.masters.find(({ id }) => id !== from.id);
          if (to !== undefined) await cluster.moveSlot(slot, to);
        }
    });
  });

  it('works while a slot is moving, with some keys here and some there', async () => {
    const store = await open();
    const { sandbox, head } = await created(store, 60_000);
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1]]);
    const slot = await slotOf(sandbox);
    const from = await cluster.masterOf(slot);
    const to = cluster.masters.find(({ id }) => id !== from.id);
    if (to === undefined) throw new Error('there is one master only');
    const refusals = async () => /errorstat_TRYAGAIN:\S+/.exec(await from.server.cli('info', 'errorstats'))?.[0];
    let waiting: Promise<void> | undefined;
    await cluster.moveSlot(slot, to, async () => {
      await appender.add([[2]]); // all keys are still at the old one
      const one = (await from.server.cli('cluster', 'getkeysinslot', String(slot), '1')).trim();
      await from.server.cli('migrate', '127.0.0.1', String(to.server.port), one, '0', '5000');
      const before = await refusals();
      waiting = appender.add([[3]]);
      await until(async () => (await refusals()) !== before);
    });
    await waiting;
    expect(await contents(store, sandbox)).to.deep.include({ records: [[1], [2], [3]] });
    expect((await created(store)).head.last).to.equal(0);
  });

  it('is notified of appends after the slot has moved, and after connections were cut', async () => {
    const [store, other] = [await open(), await open()];
    const { sandbox, head } = await created(store);
    const heard = hearing(store, sandbox);
    await until(() => heard.times > 0);
    /** Resolves when no notification has arrived for a while. */
    const quiet = async () => {
      for (let before = -1; before !== heard.times; ) {
        before = heard.times;
        await new Promise(resolve => setTimeout(resolve, 60));
      }
    };
    const appender = new Appender(other, sandbox, head);
    await heard.after(() => appender.add([[1]]));
    const slot = await slotOf(sandbox);
    for (let round = 0; round < 3; round += 1) {
      const from = await cluster.masterOf(slot);
      const to = cluster.masters.filter(({ id }) => id !== from.id)[round % 2];
      if (to !== undefined) await heard.after(() => cluster.moveSlot(slot, to)); // notified once too often rather than not at all
      await quiet();
      await heard.after(() => appender.add([[2]]));
      await heard.after(() => until(() => cutConnections(slot)));
      await quiet();
      await heard.after(() => appender.add([['note']]));
    }
    const from = await cluster.masterOf(slot);
    for (const to of [cluster.masters.find(({ id }) => id !== from.id) ?? from, from]) await cluster.moveSlot(slot, to);
    await quiet(); // the slots are the same as before, but the subscription has ended
    await heard.after(() => appender.add([[3]]));
    heard.unwatch();
  });

  it('loses nothing when a master hands over to its replica under load', async () => {
    const store = await open();
    const logs = await Promise.all([0, 1, 2].map(() => created(store)));
    await underLoad(open, logs, async () => {
      const [before, replica] = [cluster.masters[0], cluster.replicas[0]];
      if (before === undefined || replica === undefined) throw new Error('there are no replicas');
      await cluster.failover(replica);
      await cluster.failover(before);
    });
  });

  /** The replica of a killed master takes over soon. */
  const expectKills = () => cluster.setNodeTimeout(1000);

  it('continues when a master is killed under load: all agree afterwards, nothing is twice, and only the last batch before may be lost', async () => {
    await expectKills();
    const [master, replica] = [cluster.masters[1], cluster.replicas[1]];
    if (master === undefined || replica === undefined) throw new Error('there are no replicas');
    const store = await open();
    const { sandbox, head } = await createdAt(store, master.id);
    const reported: number[] = [];
    let isDone = false;
    const running = [0, 1, 2].map(async which => {
      const appender = new Appender(await open(), sandbox, head);
      for (let i = which; !isDone; i += 3) {
        await appender.add([[i]]);
        reported.push(i);
      }
    });
    const more = async (count: number) => {
      const before = reported.length;
      await until(() => reported.length > before + count);
      return reported.length;
    };
    await more(50);
    await master.server.kill9();
    const before = reported.length;
    await cluster.untilMaster(replica);
    await more(50);
    isDone = true;
    await Promise.all(running);
    const { records } = await contents(store, sandbox);
    const all = records.map(([first]) => Number(first));
    expect(await contents(await open(), sandbox)).to.deep.equal(await contents(store, sandbox));
    expect(new Set(all).size).to.equal(all.length);
    const lost = reported.flatMap((one, i) => (all.includes(one) ? [] : [i]));
    for (const place of lost) expect(place).to.be.within(before - 30, before + 10); // replies may arrive in another order than they were sent
    await master.server.restart();
    await cluster.failover(master); // as before
  });

  /** A log in a slot of a node. */
  async function createdAt(store: Kept, id: string) {
    for (;;) {
      const log = await created(store);
      if ((await cluster.masterOf(await slotOf(log.sandbox))).id === id) return log;
    }
  }

  it('never takes the data of an outdated replica that took over for the data of its master', async () => {
    await expectKills();
    const store = await open();
    const other = await open();
    const { sandbox, head } = await created(store, undefined, 'base|part');
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1]]);
    const master = await cluster.masterOf(await slotOf(sandbox));
    const replica = cluster.replicas[cluster.masters.indexOf(master)];
    if (replica === undefined) throw new Error('it has no replica');
    await cluster.untilReplica(replica);
    await master.server.untilReplicated(replica.server);
    replica.server.pause();
    await master.server.cli('client', 'kill', 'type', 'replica'); // otherwise what is written now waits for it in its socket
    await appender.add([[2], [3]]);
    const lost = appender.head;
    expect((await contents(other, sandbox)).records).to.deep.equal([[1], [2], [3]]);
    await master.server.kill9();
    replica.server.resume();
    await cluster.untilMaster(replica);
    await cluster.untilWhole();
    // as many entries again, by a store that saw none of the lost ones
    const second = new Appender(await open(), sandbox, head);
    await second.add([[20]]);
    await second.add([[30]]);
    expect(second.head).to.include({ last: lost.last, log: lost.log });
    expect(second.head.id).not.to.equal(lost.id);
    const whole = { head: second.head, base: 'base|part', records: [[1], [20], [30]] };
    expect(await store.append(sandbox, lost, [[4]]))
      .to.have.property('behind')
      .that.deep.includes(whole);
    expect(await store.compact(sandbox, lost, cut(2, 'what was lost'))).to.equal('behind');
    expect(await other.since(sandbox, lost)).to.deep.include(whole);
    await appender.add([[4]]);
    expect(await contents(other, sandbox)).to.deep.include({ records: [[1], [20], [30], [4]] });
    await master.server.restart(); // it comes back as an empty replica
  });
});
