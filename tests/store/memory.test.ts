// The stores of one process pass the suite of all stores.
import { memoryStore } from '../../server/store/memory.js';
import { logStore } from '../support/redis/log-store.js';
import { kept, storeSuite } from './suite.js';

storeSuite(
  'memory',
  async () => {
    const store = kept(memoryStore());
    return { open: async () => store, leave: () => store.close() };
  },
  { tells: false },
);

storeSuite('of logs that the sessions of a test share', async () => {
  const store = kept(logStore());
  return { open: async () => store, leave: () => store.close() };
});
