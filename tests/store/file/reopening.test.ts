// A folder that is opened again has everything that was acknowledged: heads, records, ids and idle times.
import { join } from 'node:path';
import { expect } from 'chai';
import { ClassicLevel } from 'classic-level';
import { fileStore } from '../../../server/store/file/file-store.js';
import { put } from '../../../server/store/file/records.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { appended, compacted, created, cut, kept, plainFormat } from '../suite.js';
import { heldBy, heldIn, type Opening, opened, refusalOf } from './opened.js';

for (const fsync of [false, true]) {
  describe(`a file store that is opened again${fsync ? ', with fsync' : ''}`, () => {
    const opening: Opening = { fsync };
    let folder: Scratch;
    const inDatabase = async <T>(act: (level: ClassicLevel) => Promise<T>): Promise<T> => {
      const level = new ClassicLevel(join(folder.path, 'leveldb'), { compression: false });
      return act(level).finally(() => level.close());
    };
    beforeEach(() => {
      folder = scratch();
    });
    afterEach(() => folder.drop());

    /** The contents of a store after all these changes. */
    const heldAfter = async (
      ...acts: ReadonlyArray<(store: Awaited<ReturnType<typeof opened>>) => Promise<unknown>>
    ) => {
      const store = await opened(folder.path, opening);
      for (const act of acts) await act(store);
      const held = await heldBy(store);
      await store.close();
      return held;
    };

    it('has everything it had', async () => {
      const held = await heldAfter(
        async store => {
          const head = await created(store, 'full', 'one|shared', 60_000);
          await appended(store, 'full', await appended(store, 'full', head, [[1], [2, 3]]), [[4, 'x']]);
        },
        async store => {
          await created(store, 'gone', 'two|shared');
          await store.drop('gone');
          await created(store, 'untouched', 'lines\n"quoted" \u2028 \ud83d\ude00 \u0000');
        },
      );
      expect(Object.keys(held)).to.deep.equal(['full', 'untouched']);
      expect(held.full).to.deep.include({ base: 'one|shared', records: [[1], [2, 3], [4, 'x']], ttl: 60_000 });
      expect(await heldIn(folder.path)).to.deep.equal(held);
    });

    it('has the result of a compaction, and of another one', async () => {
      const held = await heldAfter(async store => {
        let head = await created(store, 'a', 'base|shared', 5);
        for (let i = 1; i <= 600; i += 1) head = await appended(store, 'a', head, [[i], [-i]]);
        await compacted(store, 'a', head, cut(1001, 'at 1001|shared', 900));
      });
      expect(held.a?.head).to.include({ last: 1200, from: 900, base: 1001 });
      expect(held.a?.records).to.have.length(300);
      expect(await heldIn(folder.path)).to.deep.equal(held);
      const again = await heldAfter(async store => {
        const head = (await store.since('a'))?.head ?? expect.fail('it is gone');
        const next = await appended(store, 'a', await appended(store, 'a', head, [[0]]), [Array(2 ** 20).fill(7)]);
        await compacted(store, 'a', next, cut(1202, 'at 1202|shared'));
      });
      expect(again.a).to.deep.include({ base: 'at 1202|shared', records: [], ttl: 5 });
      expect(await heldIn(folder.path)).to.deep.equal(again);
    });

    it('continues after the previously known head, and repeats no id', async () => {
      const ids = new Set<string>();
      const first = await opened(folder.path, opening);
      let head = await created(first, 'a');
      await first.close();
      ids.add(head.id);
      for (let round = 1; round <= 5; round += 1) {
        const store = await opened(folder.path, opening);
        head = await appended(store, 'a', head, [[round]]);
        const other = await created(store, `b${round}`);
        for (const id of [head.id, other.id, other.log]) ids.add(id);
        await store.close();
      }
      expect(ids.size).to.equal(16);
      expect((await heldIn(folder.path)).a).to.deep.equal({ head, base: 'base', records: [[1], [2], [3], [4], [5]] });
    });

    it('stores a part once, as long as a sandbox refers to it', async () => {
      const parts = () => inDatabase(level => level.keys({ gte: 'p!', lt: 'p"' }).all());
      await heldAfter(async store => {
        for (const name of ['a', 'b', 'c']) await created(store, name, `${name}|shared`);
        await created(store, 'd', 'd|own');
      });
      expect(await parts()).to.deep.equal(['p!p-own', 'p!p-shared']);
      const held = await heldAfter(
        store => store.drop('a'),
        store => store.drop('d'),
        store => store.drop('b'),
        store => created(store, 'b', 'again|shared'),
      );
      expect(await parts()).to.deep.equal(['p!p-shared']);
      expect(await heldIn(folder.path)).to.deep.equal(held);
      await heldAfter(
        store => store.drop('b'),
        store => store.drop('c'),
      );
      expect(await parts()).to.deep.equal([]);
    });

    for (const version of [0, 2])
      it(`leaves a sandbox of format ${version} alone, with its part`, async () => {
        const openOther = async () =>
          kept(await fileStore({ folder: folder.path, format: { ...plainFormat, version }, fsync }));
        const first = await openOther();
        await created(first, 'other', 'base|part');
        await first.close();
        const unknown = put('s!other!unknown!7', 'a kind of record that only the other version knows');
        await inDatabase(level => level.batch([unknown]));
        const store = await opened(folder.path, opening);
        await created(store, 'a');
        expect(await store.list()).to.deep.equal(['a']);
        expect(await refusalOf(store.since('other'))).to.deep.equal({
          failure: 'format',
          message: `Sandbox other cannot be read: its format is ${version}, and this version of cwx-fake reads format 1. To reuse the name, delete the sandbox`,
        });
        await store.close();
        expect(await inDatabase(level => level.get(unknown.key))).to.equal('value' in unknown && unknown.value);
        await inDatabase(level => level.del(unknown.key));
        const again = await openOther();
        expect((await again.since('other'))?.base).to.equal('base|part');
        await again.close();
        const last = await opened(folder.path, opening);
        expect(await last.drop('other')).to.equal(true);
        expect((await created(last, 'other', 'new|part')).last).to.equal(0);
        await last.close();
      });

    it('answers nothing after it was closed, and can be closed twice', async () => {
      const store = await opened(folder.path, opening);
      const head = await created(store, 'a');
      await store.close();
      await store.close();
      const verbs = [
        store.ready(),
        store.create('b', 'x'),
        store.append('a', head, [[1]]),
        store.since('a'),
        store.compact('a', head, cut(0, 'x')),
        store.drop('a'),
        store.list(),
      ];
      for (const verb of verbs)
        expect(await refusalOf(verb)).to.deep.equal({ failure: 'away', message: `The store ${store.name} is closed` });
    });

    it('finishes pending work before it is closed', async () => {
      const store = await opened(folder.path, opening);
      const made = store.create('a', 'base');
      await store.close();
      expect((await heldIn(folder.path)).a?.head).to.deep.equal(await made);
    });
  });
}
