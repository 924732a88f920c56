// The store of one process passes the suite of all stores.
import { memoryStore } from '../../server/store/memory.js';
import { storeSuite } from './suite.js';

storeSuite('memory', async () => {
  const store = memoryStore<string, readonly number[], string>();
  return { open: async () => store, leave: () => store.close() };
});
