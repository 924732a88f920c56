// The file store passes the store suite, with and without fsync.
import { scratch } from '../../support/files/scratch.js';
import { storeSuite } from '../suite.js';
import { opened } from './opened.js';

for (const fsync of [false, true]) {
  const make = async () => {
    const folder = scratch();
    const store = await opened(folder.path, { fsync });
    return {
      open: async () => store,
      leave: async () => {
        await store.close();
        folder.drop();
      },
    };
  };
  storeSuite(fsync ? 'file with fsync' : 'file', make, { shares: false });
}
