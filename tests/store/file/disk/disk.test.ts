// A disk that fails: refused changes are absent, acknowledged ones stay, and the process may end at any step.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Disk, realDisk } from '../../../../server/store/file/disk/disk.js';
import { type Scratch, scratch } from '../../../support/files/scratch.js';
import { until } from '../../../support/worlds/until.js';
import type { Kept } from '../../suite.js';
import { appended, created, diskWith, heldBy, heldIn, opened, refusalOf, systemError } from '../opened.js';

/** Bytes after which the disk is full, or `undefined`. */
interface Room {
  left: number | undefined;
}

/** Writes what fits, and then fails, as file systems do. */
const limited = (room: Room, code = 'ENOSPC'): Partial<Disk> => ({
  write: (file, bytes, from, position) => {
    const { left = bytes.length } = room;
    const count = Math.min(left, bytes.length - from);
    if (count === 0) throw systemError(code);
    if (room.left !== undefined) room.left -= count;
    return realDisk.write(file, bytes.subarray(0, from + count), from, position);
  },
});

describe('a file store on a disk that fails', () => {
  let folder: Scratch;
  let store: Kept | undefined;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(async () => {
    await store?.close();
    folder.drop();
  });
  const sizeOf = (sandbox: string) => statSync(join(folder.path, `${sandbox}.jsonl`)).size;

  for (const fsync of [false, true]) {
    for (const [code, failure] of [
      ['ENOSPC', 'full'],
      ['EDQUOT', 'full'],
      ['EFBIG', 'full'],
      ['EIO', 'away'],
    ]) {
      it(`refuses a line that ends in ${code}, and resumes when the error is gone${fsync ? ', with fsync' : ''}`, async () => {
        const room: Room = { left: undefined };
        store = await opened(folder.path, { fsync, disk: diskWith(limited(room, code)) });
        const head = await appended(store, 'a', await created(store, 'a'), [[1]], ['x']);
        const before = [await heldBy(store), sizeOf('a')];
        room.left = 20;
        const refused = await refusalOf(store.append('a', head, { entries: [[2]], notes: ['y'] }));
        expect(refused).to.deep.equal({
          failure,
          message: `a.jsonl could not be written: ${code}: as a test wants it`,
        });
        room.left = 0;
        expect((await refusalOf(store.forget('a', 0, 1, true))).failure).to.equal(failure);
        if (failure === 'full') expect((await refusalOf(store.compact('a', head, 1, 'at 1'))).failure).to.equal('full');
        expect((await refusalOf(store.create('b', 'base|part'))).failure).to.equal(failure);
        expect([await heldBy(store), sizeOf('a')]).to.deep.equal(before);
        room.left = undefined;
        await appended(store, 'a', head, [[3]], ['z']);
        await created(store, 'b', 'base|part');
        const held = await heldBy(store);
        expect(held.a?.entries).to.deep.equal([[1], [3]]);
        expect(held.a?.notes.latest).to.deep.equal(['x', 'z']);
        await store.close();
        expect(await heldIn(folder.path)).to.deep.equal(held);
      });
    }
  }

  for (const fsync of [false, true]) {
    it(`reports once that it takes no changes, in trouble and log, and once that it does again${fsync ? ', with fsync' : ''}`, async () => {
      const room: Room = { left: undefined };
      const said: string[] = [];
      const log = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) };
      store = await opened(folder.path, { fsync, disk: diskWith(limited(room)), log });
      const head = await created(store, 'a');
      expect(store.trouble).to.equal(undefined);
      room.left = 0;
      const why = 'a.jsonl could not be written: ENOSPC: as a test wants it';
      for (let i = 0; i < 3; i += 1) await refusalOf(store.append('a', head, { entries: [[1]], notes: [] }));
      expect(store.trouble).to.equal(why);
      await new Promise(resolve => setTimeout(resolve, 700)); // somebody has tried again
      expect(store.trouble).to.equal('ENOSPC: as a test wants it');
      room.left = undefined;
      const held = store;
      await until(() => held.trouble === undefined);
      await appended(store, 'a', head, [[1]]);
      expect(said).to.deep.equal([
        `the store ${store.name} takes no changes: ${why}`,
        `the store ${store.name} takes changes again`,
      ]);
      expect(readdirSync(folder.path).sort()).to.deep.equal(['a.jsonl', 'lock']);
    });
  }

  it('refuses changes when its lock is gone', async () => {
    store = await opened(folder.path);
    const head = await created(store, 'a');
    rmSync(join(folder.path, 'lock'), { recursive: true });
    const held = store;
    await until(() => held.trouble !== undefined);
    const lost = 'the lock of the folder is gone, so that another process may have it: start this program anew';
    expect(store.trouble).to.equal(lost);
    expect(await refusalOf(store.append('a', head, { entries: [[1]], notes: [] }))).to.deep.equal({
      failure: 'away',
      message: lost,
    });
  });

  it('refuses changes to a file that cannot be truncated, until it is opened again', async () => {
    const room: Room = { left: undefined };
    const cut = () => {
      throw systemError('EIO');
    };
    store = await opened(folder.path, { disk: diskWith({ ...limited(room), cut }) });
    const head = await appended(store, 'a', await created(store, 'a'), [[1]]);
    const other = await created(store, 'b');
    room.left = 20;
    const message =
      'a.jsonl could not be written: ENOSPC: as a test wants it; nor could it be cut back: EIO: as a test wants it; it takes no changes until this program is started anew';
    expect(await refusalOf(store.append('a', head, { entries: [[2]], notes: [] }))).to.deep.equal({
      failure: 'away',
      message,
    });
    room.left = undefined;
    expect(await refusalOf(store.append('a', head, { entries: [[2]], notes: [] }))).to.deep.equal({
      failure: 'away',
      message,
    });
    expect((await store.since('a'))?.entries).to.deep.equal([[1]]);
    await appended(store, 'b', other, [[1]]);
    await store.close();
    expect(readFileSync(join(folder.path, 'a.jsonl'), 'utf8')).not.to.match(/\n$/);
    store = await opened(folder.path);
    await appended(store, 'a', head, [[3]]);
    expect((await store.since('a'))?.entries).to.deep.equal([[1], [3]]);
  });

  it('refuses a batch that could not be synced, and decides again on the batches after it', async () => {
    let failing = 0; // the call, counted from now, that fails
    const sync = async (file: number) => {
      failing -= 1;
      if (failing === 0) throw systemError('EIO');
      await realDisk.sync(file);
    };
    store = await opened(folder.path, { fsync: true, disk: diskWith({ sync }) });
    const head = await created(store, 'a');
    failing = 2;
    const held = store;
    const [noted, refused, second] = await Promise.all([
      held.append('a', head, { entries: [], notes: ['alone in the first'] }),
      refusalOf(held.append('a', head, { entries: [[1]], notes: [] })),
      held.append('a', head, { entries: [[2]], notes: [] }), // too late for the one before, if that had not failed
    ]);
    expect(noted).to.deep.equal({ head, run: 0, lastNote: 1 });
    expect(refused).to.deep.equal({
      failure: 'away',
      message: 'a.jsonl could not be written: EIO: as a test wants it',
    });
    expect(second).to.have.nested.property('head.version', 1);
    expect((await held.since('a'))?.entries).to.deep.equal([[2]]);
    const now = await heldBy(held);
    await held.close();
    expect(await heldIn(folder.path)).to.deep.equal(now);
  });

  it('notifies nobody before the change is synced', async () => {
    const syncs: Array<() => void> = [];
    let isHeld = false;
    const sync = async (file: number) => {
      if (isHeld) await new Promise<void>(resolve => syncs.push(resolve));
      await realDisk.sync(file);
    };
    store = await opened(folder.path, { fsync: true, disk: diskWith({ sync }) });
    const head = await created(store, 'a');
    const held = store;
    isHeld = true;
    let calls = 0;
    held.watch('a', () => {
      calls += 1;
    });
    const first = held.append('a', head, { entries: [[1]], notes: ['1'] });
    while (syncs.length === 0) await new Promise(setImmediate);
    expect(await held.since('a')).to.deep.include({ head, entries: [] });
    expect((await held.since('a'))?.notes.last).to.equal(0);
    expect(calls).to.equal(0);
    isHeld = false;
    syncs.shift()?.();
    expect(await first).to.have.nested.property('head.version', 1);
    expect(syncs).to.deep.equal([]);
    expect((await held.since('a'))?.notes.latest).to.deep.equal(['1']);
    expect(calls).to.equal(1);
  });
});

/** A disk whose process ends before a step, counted from 1; 0: never. It does nothing afterwards. */
function endingAt(step: number): Disk & { steps: number } {
  const before = <T extends readonly unknown[], R>(act: (...given: T) => R) => {
    return (...given: T): R => {
      disk.steps += 1;
      if (step !== 0 && disk.steps >= step) throw systemError('EIO');
      return act(...given);
    };
  };
  const disk = {
    steps: 0,
    open: before(realDisk.open),
    close: realDisk.close,
    write: before(realDisk.write),
    cut: before(realDisk.cut),
    sync: before(async (file: number) => realDisk.sync(file)),
    syncFolder: before(async (path: string) => realDisk.syncFolder(path)),
    makeFolder: before(realDisk.makeFolder),
    rename: before(realDisk.rename),
    remove: before(realDisk.remove),
  };
  return disk;
}

const changes: Readonly<Record<string, (store: Kept) => Promise<unknown>>> = {
  create: store => store.create('b', 'other|new'),
  compact: async store => {
    const head = (await store.since('a'))?.head;
    return head && store.compact('a', head, head.version - 1, 'later|later');
  },
  append: async store => {
    const head = (await store.since('a'))?.head;
    return head && store.append('a', head, { entries: [[4], [5]], notes: ['new'], newRunAt: 1 });
  },
  forget: store => store.forget('a', 0, 1, true),
  drop: store => store.drop('a'),
};

describe('a process with a file store that ends', () => {
  for (const [name, change] of Object.entries(changes)) {
    for (const fsync of [false, true]) {
      it(`at any step of ${name} leaves the state before or after it${fsync ? ', with fsync' : ''}`, async () => {
        const long = name === 'compact' ? 2 ** 18 : 1; // so that a new file is worthwhile
        const after = await outcomeOf(change, fsync, 0, long);
        expect(after.steps).to.be.greaterThan(0);
        const seen = new Set<string>();
        for (let step = 1; step <= after.steps; step += 1) {
          const { before, held } = await outcomeOf(change, fsync, step, long);
          const isBefore = JSON.stringify(without(held)) === JSON.stringify(without(before));
          if (!isBefore)
            expect(without(held), `ended before step ${step} of ${after.steps}`).to.deep.equal(without(after.held));
          seen.add(isBefore ? 'before' : 'after');
        }
        expect(seen).to.include('before');
      });
    }
  }

  /** The contents of a folder after a process ended at a step, and before it. */
  async function outcomeOf(change: (store: Kept) => Promise<unknown>, fsync: boolean, step: number, long: number) {
    const folder = scratch();
    try {
      const store = await opened(folder.path, { fsync });
      let head = await created(store, 'a', 'base|part', 7);
      for (const n of [1, 2, 3]) head = await appended(store, 'a', head, [Array(long).fill(n), [n], [n]], [`${n}`]);
      const before = await heldBy(store);
      await store.close();
      const disk = endingAt(0);
      const ending = await opened(folder.path, { fsync, disk });
      const opening = disk.steps;
      await ending.close();
      const last = endingAt(step === 0 ? 0 : opening + step);
      const ended = await opened(folder.path, { fsync, disk: last });
      await change(ended).catch(() => 'ended');
      await ended.close();
      return { before, held: await heldIn(folder.path), steps: last.steps - opening };
    } finally {
      folder.drop();
    }
  }

  /** Without ids, which differ from one process to the next. */
  function without(held: Awaited<ReturnType<typeof heldIn>>) {
    return Object.entries(held).map(([name, tail]) => [
      name,
      tail && { ...tail, head: { ...tail.head, id: '', log: '' } },
    ]);
  }
});
