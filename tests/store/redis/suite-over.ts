// The store suite over a real engine that is started for it. Each test has key names of its own.
import { redisStore } from '../../../server/store/redis/redis-store.js';
import { type Ground, type Kept, kept, plainFormat, storeSuite } from '../suite.js';

let grounds = 0;

/** Stores over one engine with a unique prefix. */
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

export function suiteOver(name: string, start: () => Promise<{ url: string; stop(): Promise<void> }>): void {
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
