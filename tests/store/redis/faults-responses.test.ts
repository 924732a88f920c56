// Replies of Redis that are lost after it did the work, or arrive late or too late: nothing is done twice, or taken for undone.
import { expect } from 'chai';
import { hasRedis } from '../../support/redis/redis-servers.js';
import {
  Appender,
  contents,
  created,
  freshName,
  numbers,
  redisBehindProxy,
  refused,
} from '../../support/redis/redis-stores.js';

import { until } from '../../support/worlds/until.js';
import { cut } from '../suite.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a store whose command ran, and whose reply', () => {
  const redis = redisBehindProxy();
  before(warm);
  afterEach(() => {
    redis.server.resume();
    redis.proxy.release();
    redis.proxy.delay(0);
  });

  /** So that Redis knows each script, and the lost reply is never the one that reports an unknown script. */
  async function warm(): Promise<void> {
    const store = await redis.stores.open(redis.server.url);
    const { sandbox, head } = await created(store, 60_000, 'base|part');
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1]]);
    await store.since(sandbox);
    await store.compact(sandbox, appender.head, cut(1, 'x|part'));
    await store.drop(sandbox);
    await redis.stores.close();
  }

  it('is lost: records are appended once', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store);
    const lost = redis.proxy.loseResponseTo('424242');
    const outcome = await store.append(sandbox, head, [[424242], [2]]);
    await lost;
    const { head: now, records } = await contents(store, sandbox);
    expect(outcome).to.have.property('head').that.deep.equals(now);
    expect(records).to.deep.equal([[424242], [2]]);
  });

  it('is lost, and another store appends before the retry: the batch is known to be appended', async () => {
    const store = await redis.open();
    const other = await redis.stores.open(redis.server.url);
    const { sandbox, head } = await created(store);
    const lost = redis.proxy.loseResponseTo('515151');
    const appending = store.append(sandbox, head, [[515151]]);
    await lost;
    await redis.proxy.refuse();
    const second = new Appender(other, sandbox, head);
    await second.add([[2]]);
    await second.add([['alone']]);
    await redis.proxy.accept();
    const outcome = await appending;
    expect((await contents(other, sandbox)).records).to.deep.equal([[515151], [2], ['alone']]);
    expect(outcome).to.have.nested.property('head.last', 1);
    expect(await store.append(sandbox, (outcome as { head: typeof head }).head, [[3]])).to.have.property('behind');
  });

  it('is lost: a log is created, compacted and dropped once, and the caller gets the result', async () => {
    const store = await redis.open();
    const sandbox = freshName();
    let lost = redis.proxy.loseResponseTo('a base of its own');
    const head = await store.create(sandbox, 'a base of its own');
    await lost;
    if (head === undefined) throw new Error('its own creation is in its way');
    expect((await contents(store, sandbox)).head).to.deep.equal(head);
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1], [2]]);
    lost = redis.proxy.loseResponseTo('compacted base');
    expect(await store.compact(sandbox, appender.head, cut(1, 'compacted base'))).to.deep.equal({
      ...appender.head,
      from: 1,
      base: 1,
    });
    await lost;
    expect(await contents(store, sandbox)).to.deep.include({ base: 'compacted base', records: [[2]] });
    lost = redis.proxy.loseResponseTo(sandbox);
    expect(await store.drop(sandbox)).to.equal(true);
    await lost;
    expect(await store.drop(sandbox)).to.equal(false);
  });

  it('is lost, and Redis stays down: the append fails with away, and is stored once', async () => {
    const store = await redis.open({ timeout: 300 });
    const { sandbox, head } = await created(store);
    const lost = redis.proxy.loseResponseTo('636363');
    const appending = refused(store.append(sandbox, head, [[636363]]), 'away');
    await lost;
    await redis.proxy.refuse();
    await appending;
    await redis.proxy.accept();
    await until(() => store.trouble === undefined);
    expect(await store.append(sandbox, head, [[2]])).to.deep.nested.include({ 'behind.records': [[636363]] });
    const appender = new Appender(store, sandbox, head);
    await appender.add([[3]]);
    expect(await numbers(store, sandbox)).to.deep.equal([636363, 3]);
  });

  it('is late: everything works within the timeout', async () => {
    const store = await redis.open();
    redis.proxy.delay(120);
    const { sandbox, head } = await created(store);
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1]]);
    await Promise.all([appender.add([[2]]), store.since(sandbox), store.since(sandbox)]);
    expect(await contents(store, sandbox)).to.deep.include({ records: [[1], [2]] });
  });

  it('is too late: it fails with away, and is consistent afterwards', async () => {
    const store = await redis.open({ timeout: 300 });
    const { sandbox, head } = await created(store);
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1]]);
    const known = appender.head;
    redis.proxy.hold();
    await Promise.all([
      refused(store.append(sandbox, known, [[2]]), 'away'),
      refused(store.since(sandbox), 'away'),
      refused(store.create(freshName(), 'base'), 'away'),
    ]);
    redis.proxy.release();
    await until(() => store.trouble === undefined);
    await appender.add([[3]]);
    expect(await numbers(store, sandbox)).to.deep.equal([1, 2, 3]);
  });

  it('is too late because Redis was paused: nothing is done twice, whatever it does when it resumes', async () => {
    const patient = await redis.open();
    const store = await redis.open({ timeout: 300 });
    const { sandbox, head } = await created(store);
    const appender = new Appender(store, sandbox, head);
    for (let round = 1; round <= 3; round += 1) {
      redis.server.pause();
      const append = store.append(sandbox, appender.head, [[round]]);
      const waiting = patient.since(sandbox);
      await refused(append, 'away');
      redis.server.resume();
      await waiting;
      await until(() => store.trouble === undefined);
      await appender.add([[10 * round]]);
    }
    const all = await numbers(patient, sandbox);
    expect(all.filter(one => one >= 10)).to.deep.equal([10, 20, 30]);
    expect(new Set(all).size).to.equal(all.length);
  });
});
