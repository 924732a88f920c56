// A sandbox that is only read keeps a short file, and few files are open at a time.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Descriptors } from '../../../../server/store/file/disk/descriptors.js';
import { realDisk } from '../../../../server/store/file/disk/disk.js';
import { type Scratch, scratch } from '../../../support/files/scratch.js';
import { appended, created, diskWith, heldBy, heldIn, opened, systemError } from '../opened.js';

const MEBIBYTE = 2 ** 20;

describe('the file of a sandbox with many notes', () => {
  let folder: Scratch;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => folder.drop());
  const size = () => statSync(join(folder.path, 'a.jsonl')).size;
  const long = (i: number) => `${i} ${'x'.repeat(20_000)}`;
  const note = (i: number) => `${i} ${'x'.repeat(2_000)}`;

  for (const fsync of [false, true]) {
    it(`stays short while old ones are dropped, even over restarts${fsync ? ', with fsync' : ''}`, async () => {
      let written = 0;
      for (let round = 0; round < 3; round += 1) {
        const store = await opened(folder.path, { fsync });
        if (round === 0) await appended(store, 'a', await created(store, 'a', 'base|part'), [[1]], ['0', '1', '2']);
        const head = (await store.since('a'))?.head;
        if (head === undefined) throw new Error('it is gone');
        for (let i = 1; i <= 100; i += 1) {
          await appended(store, 'a', head, [], [long(i)]);
          written += 20_000;
          if (i % 10 === 0) await store.forget('a', 0, 3 + round * 100 + i - 10, i % 20 === 0);
        }
        const held = await heldBy(store);
        expect(held.a?.notes).to.include({ last: 3 + (round + 1) * 100, forgotten: 3 + (round + 1) * 100 - 10 });
        await store.close();
        expect(await heldIn(folder.path)).to.deep.equal(held);
      }
      expect(written).to.be.greaterThan(5 * MEBIBYTE);
      expect(size()).to.be.lessThan(1.1 * MEBIBYTE);
    });
  }

  it('is not rewritten while its contents are needed', async () => {
    const store = await opened(folder.path);
    const head = await created(store, 'a');
    for (let i = 1; i <= 1_000; i += 1) await appended(store, 'a', head, [], [note(i)]);
    await store.forget('a', 0, 700, false);
    expect(size()).to.be.greaterThan(2_000 * 1_000);
    await store.forget('a', 0, 800, false);
    expect(size()).to.be.lessThan(210 * 2_100);
    await store.close();
  });

  it('stays as it is if it cannot be rewritten, and no append fails', async () => {
    let isRefused = true;
    let tries = 0;
    const rename = (from: string, to: string) => {
      if (isRefused) tries += 1;
      if (isRefused) throw systemError('EACCES');
      realDisk.rename(from, to);
    };
    isRefused = false;
    const store = await opened(folder.path, { disk: diskWith({ rename }) });
    const head = await created(store, 'a');
    isRefused = true;
    for (let i = 1; i <= 1_000; i += 1) await appended(store, 'a', head, [], [note(i)]);
    await store.forget('a', 0, 990, false);
    for (let i = 1; i <= 100; i += 1) await appended(store, 'a', head, [], ['short']);
    expect(tries).to.equal(1); // not again before it has grown
    expect(size()).to.be.greaterThan(2_000 * 1_000);
    isRefused = false;
    for (let i = 1; i <= 700; i += 1) await appended(store, 'a', head, [], [note(i)]);
    await store.forget('a', 0, 1_790, false);
    expect(size()).to.be.lessThan(MEBIBYTE);
    const held = await heldBy(store);
    await store.close();
    expect(await heldIn(folder.path)).to.deep.equal(held);
  });
});

describe('open files', () => {
  const openedFiles = () => {
    const open = new Map<number, string>();
    let last = 0;
    const syncs: Array<() => void> = [];
    const disk = diskWith({
      open: path => {
        last += 1;
        open.set(last, path);
        return last;
      },
      close: file => {
        expect(open.delete(file)).to.equal(true);
      },
      sync: file => {
        expect(open.has(file)).to.equal(true);
        return new Promise(resolve => syncs.push(resolve));
      },
    });
    return { open, syncs, descriptors: new Descriptors(disk, 3) };
  };

  it('are closed when enough others have been used since', () => {
    const { open, descriptors } = openedFiles();
    for (const path of ['a', 'b', 'c', 'a', 'd']) expect(open.get(descriptors.use(path))).to.equal(path);
    expect([...open.values()].sort()).to.deep.equal(['a', 'c', 'd']);
    descriptors.close('c');
    descriptors.close('never opened');
    expect([...open.values()].sort()).to.deep.equal(['a', 'd']);
    descriptors.closeAll();
    expect(open.size).to.equal(0);
  });

  it('stay open while they are synced, and never exceed the limit', async () => {
    const { open, syncs, descriptors } = openedFiles();
    const done = ['a', 'b', 'c', 'd', 'e'].map(path => descriptors.sync(path));
    expect(syncs).to.have.length(3);
    for (const path of ['x', 'y']) descriptors.use(path);
    expect([...open.values()]).to.include.members(['a', 'b', 'c', 'y']);
    while (syncs.length > 0) {
      syncs.shift()?.();
      await new Promise(setImmediate);
    }
    await Promise.all(done);
    expect(open.size).to.be.at.most(4);
  });

  it('are few however many sandboxes are changed', async () => {
    const folder = scratch();
    let open = 0;
    let most = 0;
    const disk = diskWith({
      open: (path, how) => {
        open += 1;
        most = Math.max(most, open);
        return realDisk.open(path, how);
      },
      close: file => {
        open -= 1;
        realDisk.close(file);
      },
    });
    const store = await opened(folder.path, { disk });
    for (let i = 0; i < 400; i += 1) await appended(store, `s${i}`, await created(store, `s${i}`), [[i]]);
    expect(most).to.be.within(256, 258);
    await store.close();
    expect(open).to.equal(0);
    folder.drop();
  });
});
