// Stores that compete for one log: each gets its turn, and one that dies with its turn blocks nobody.
import { expect } from 'chai';
import { Backoff } from '../../../../server/store/redis/connection/backoff.js';
import { hasRedis } from '../../../support/redis/redis-servers.js';
import { Appender, created, redisForTests, refused } from '../../../support/redis/redis-stores.js';

describe('turns', () => {
  it('are wanted after three lost races in a row for one sandbox, until one is won', () => {
    const backoff = new Backoff();
    const wanted = () => backoff.wanted('a') > 0;
    expect(wanted()).to.equal(false);
    backoff.lost('a');
    expect(wanted()).to.equal(false);
    backoff.lost('a');
    expect(wanted()).to.equal(true); // the third attempt takes the turn even if it is lost
    expect(backoff.wanted('b')).to.equal(0);
    backoff.won('a');
    expect(wanted()).to.equal(false);
  });
});

(hasRedis() ? describe : describe.skip)('turns at a log in Redis', function () {
  this.timeout(20_000);
  const redis = redisForTests();

  const meta = (sandbox: string) => `cwx:{${sandbox}}:m`;
  /** The state a replica leaves when it dies right after taking its turn. */
  const takeTurn = async (sandbox: string, milliseconds: number) => {
    const [seconds = '', micros = ''] = (await redis.server.cli('time')).split('\n');
    const until = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000) + milliseconds;
    await redis.server.cli('hset', meta(sandbox), 'w', 'dead', 'k', String(until));
  };

  it('are given to each of three that compete without a pause, so that none loses many races in a row', async () => {
    const opened = await Promise.all([0, 1, 2].map(() => redis.open()));
    const [first] = opened;
    if (first === undefined) throw new Error('there is no store');
    const { sandbox, head } = await created(first);
    const most = await Promise.all(
      opened.map(async store => {
        const appender = new Appender(store, sandbox, head);
        let longest = 0;
        for (let i = 0; i < 300; i += 1) {
          const before = appender.behind;
          await appender.add([[i]]);
          longest = Math.max(longest, appender.behind - before);
        }
        return longest;
      }),
    );
    expect((await first.since(sandbox))?.records.length).to.equal(900);
    for (const longest of most) expect(longest).to.be.at.most(30);
  });

  it('expire if the replica that had one is gone', async () => {
    const store = await redis.open();
    const { sandbox, head } = await created(store);
    await takeTurn(sandbox, 20);
    const appended = await store.append(sandbox, head, [[1]]);
    expect(appended).to.have.property('head');
  });

  it('are awaited no longer than an operation may take: busy, and nothing was done', async () => {
    const store = await redis.open({ timeout: 1_000 });
    const { sandbox, head } = await created(store);
    await takeTurn(sandbox, 60_000);
    const error = await refused(store.append(sandbox, head, [[1]]), 'busy');
    expect(error.message).to.include(sandbox).and.include('1000 ms');
    expect(await store.since(sandbox)).to.deep.include({ head, records: [] });
  });

  it('do not block readers', async () => {
    const store = await redis.open({ timeout: 300 });
    const { sandbox, head } = await created(store);
    await takeTurn(sandbox, 60_000);
    expect((await store.since(sandbox))?.head).to.deep.equal(head);
  });
});
