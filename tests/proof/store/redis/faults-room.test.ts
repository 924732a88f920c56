// A full Redis, one configured to evict keys, and evicted keys: nothing is half done, and nothing is invented.
import { expect } from 'chai';
import { StoreError } from '../../../../server/engine/store.js';
import { cut } from '../../../store/suite.js';
import { hasRedis } from '../../../support/redis/redis-servers.js';
import { Appender, contents, created, freshName, redisForTests, refused } from '../../../support/redis/redis-stores.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a store whose Redis is full', () => {
  const redis = redisForTests({ maxmemory: '100mb', policy: 'noeviction' });
  beforeEach(() => redis.server.cli('config', 'set', 'maxmemory', '100mb'));

  const fill = () => redis.server.cli('config', 'set', 'maxmemory', '1');

  it('refuses additions with full, does nothing half, and resumes when there is memory', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store, 60_000);
    const appender = new Appender(store, sandbox, head);
    await appender.add([[1], [2]]);
    const known = appender.head;
    const before = await contents(store, sandbox);
    await fill();
    const other = freshName();
    for (const verb of [
      () => store.append(sandbox, known, [[3]]),
      () => store.create(other, 'base'),
      () => store.create(other, 'base|a new part', 1000),
      () => store.compact(sandbox, known, cut(1, 'compacted')),
    ])
      expect((await refused(verb(), 'full')).message).to.match(/memory/);
    expect(await contents(store, sandbox)).to.deep.equal(before);
    expect(await store.since(other)).to.equal(undefined);
    expect(await store.list()).not.to.include(other);
    await redis.server.cli('config', 'set', 'maxmemory', '100mb');
    await appender.add([[3]]);
    expect(await contents(store, sandbox)).to.deep.include({ records: [[1], [2], [3]] });
    expect((await store.create(other, 'base|a new part'))?.last).to.equal(0);
    expect((await contents(store, other)).base).to.equal('base|a new part');
  });

  it('can be read, and logs can be dropped', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store, 60_000);
    await new Appender(store, sandbox, head).add([[1]]);
    await fill();
    expect((await contents(store, sandbox)).records).to.deep.equal([[1]]);
    expect(await store.list()).to.include(sandbox);
    expect(await store.drop(sandbox)).to.equal(true);
    expect(await store.since(sandbox)).to.equal(undefined);
  });

  it('fills up during many appends: the acknowledged ones are stored, and no others', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store);
    const used = Number(/used_memory:(\d+)/.exec(await redis.server.cli('info', 'memory'))?.[1]);
    await redis.server.cli('config', 'set', 'maxmemory', String(used + 300_000));
    const [appender, written]: [Appender, number[]] = [new Appender(store, sandbox, head), []];
    const long = 'x'.repeat(2000);
    let stopped: unknown;
    for (let i = 0; i < 1000 && stopped === undefined; i += 1) {
      await appender.add([[i, long]]).then(
        () => written.push(i),
        error => {
          stopped = error;
        },
      );
    }
    expect(stopped).to.be.instanceOf(StoreError).with.property('failure', 'full');
    await redis.server.cli('config', 'set', 'maxmemory', '100mb');
    const { records } = await contents(store, sandbox);
    expect(records.map(([first]) => Number(first))).to.deep.equal(written);
    expect(written.length).to.be.greaterThan(10);
  });
});

withRedis('a store whose Redis evicts keys', () => {
  const redis = redisForTests({ policy: 'allkeys-lru' });

  it('reports once that it is configured to', async () => {
    const said: string[] = [];
    const store = await redis.open({ log: line => said.push(line) });
    await created(store);
    await redis.server.restart();
    await refusedOrDone(() => store.list());
    await created(store);
    const warnings = said.filter(line => line.includes('noeviction'));
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include('allkeys-lru');
  });

  it('reports nothing if it is configured to keep them', async () => {
    await redis.server.cli('config', 'set', 'maxmemory-policy', 'noeviction');
    const said: string[] = [];
    await created(await redis.open({ log: line => said.push(line) }));
    await redis.server.cli('config', 'set', 'maxmemory-policy', 'allkeys-lru');
    expect(said.filter(line => line.includes('noeviction'))).to.deep.equal([]);
  });

  it('answers lost or gone for each missing key, and the rest can be dropped', async () => {
    const seen = new Map<string, string>();
    for (let which = 0; ; which += 1) {
      const [store, fresh] = [await redis.open(), await redis.open()];
      const { sandbox, head } = await created(store, 60_000, 'base|one part');
      const appender = new Appender(store, sandbox, head);
      await appender.add([[1], [2]]);
      const keys = (await redis.server.cli('--scan'))
        .split('\n')
        .filter(key => key.includes(sandbox) || key.includes('part'));
      const key = keys.sort()[which];
      if (key === undefined) break;
      await redis.server.cli('del', key);
      const outcomes = await Promise.all([
        outcomeOf(store.append(sandbox, appender.head, [[3]])),
        outcomeOf(fresh.since(sandbox)),
      ]);
      seen.set(key.replace(sandbox, '…'), outcomes.join(', '));
      await store.drop(sandbox);
      await redis.server.cli('flushall');
      expect((await store.create(sandbox, 'base|one part'))?.last).to.equal(0);
      await redis.stores.close();
      await redis.server.cli('flushall');
    }
    expect(Object.fromEntries(seen)).to.deep.equal({
      'cwx:{…}:b': 'lost, lost',
      'cwx:{…}:r': 'lost, lost',
      'cwx:{…}:m': 'gone, gone',
      'cwx:{part:p-one part}': 'done, lost', // only a store that has not seen the base needs it
    });
  });
});

async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  const outcome = await promise.catch((error: unknown) => error);
  if (outcome instanceof StoreError) return outcome.failure;
  if (outcome instanceof Error) throw outcome;
  if (outcome === undefined || outcome === 'gone') return 'gone';
  return 'behind' in (outcome as object) ? 'behind' : 'done';
}

async function refusedOrDone(verb: () => Promise<unknown>): Promise<void> {
  await verb().catch((error: unknown) => expect(error).to.be.instanceOf(StoreError));
}
