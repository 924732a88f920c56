// The file store passes the store suite: on the real disk with and without fsync, and on one that writes three bytes at a time.
import type { Disk } from '../../../server/store/file/disk/disk.js';
import { realDisk } from '../../../server/store/file/disk/disk.js';
import { scratch } from '../../support/files/scratch.js';
import { storeSuite } from '../suite.js';
import { diskWith, type Opening, opened } from './opened.js';

const write: Disk['write'] = (file, bytes, from, position) =>
  realDisk.write(file, bytes.subarray(0, Math.min(bytes.length, from + 3)), from, position);
const kinds: Readonly<Record<string, Opening>> = {
  file: {},
  'file with fsync': { fsync: true },
  'file on a disk that writes three bytes at a time': { disk: diskWith({ write }) },
};

for (const [name, opening] of Object.entries(kinds)) {
  const make = async () => {
    const folder = scratch();
    const store = await opened(folder.path, opening);
    return {
      open: async () => store,
      leave: async () => {
        await store.close();
        folder.drop();
      },
    };
  };
  storeSuite(name, make, { shares: false });
}
