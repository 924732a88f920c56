// The suite over a real Redis, a Cluster of three masters, and Valkey where there is one. Each test has key names of its own.
import { redisStore } from '../../../server/store/redis/redis-store.js';
import { RedisCluster } from '../../support/redis-clusters.js';
import { engines, hasRedis, RedisServer } from '../../support/redis-servers.js';
import { type Ground, type Kept, kept, plainFormat, storeSuite } from '../suite.js';

let grounds = 0;

/** Stores over one engine with a prefix that no other test has. */
function groundOn(url: string): Ground {
  grounds += 1;
  const prefix = `suite-${process.pid}-${grounds}`;
  const open = new Set<Kept>();
  return {
    open: async (): Promise<Kept> => {
      const store = kept(redisStore({ url: `${url}?prefix=${prefix}`, format: plainFormat }));
      open.add(store);
      await store.ready();
      return store;
    },
    leave: async () => {
      for (const store of open) await store.close();
    },
  };
}

function suiteOver(name: string, start: () => Promise<{ url: string; stop(): Promise<void> }>): void {
  describe(name, function () {
    this.timeout(20_000);
    let engine: { url: string; stop(): Promise<void> };
    before(async () => {
      engine = await start();
    });
    after(() => engine?.stop());
    storeSuite(name, async () => groundOn(engine.url));
  });
}

for (const engine of engines()) {
  suiteOver(engine, () => RedisServer.start({ engine }));
  suiteOver(`${engine} as a Cluster of three masters`, () => RedisCluster.start({ engine }));
}
if (hasRedis() && process.env.REDIS_URL !== undefined) {
  const url = process.env.REDIS_URL;
  suiteOver('at REDIS_URL', async () => ({ url, stop: async () => {} }));
}
