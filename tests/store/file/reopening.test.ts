// A folder that is opened again has everything that was acknowledged: heads, entries, notes, ids and idle times.
import { expect } from 'chai';
import { fileStore } from '../../../server/store/file/file-store.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { kept, plainFormat } from '../suite.js';
import { appended, created, heldBy, heldIn, type Opening, opened, refusalOf } from './opened.js';

for (const fsync of [false, true]) {
  describe(`a file store that is opened again${fsync ? ', with fsync' : ''}`, () => {
    const opening: Opening = { fsync };
    let folder: Scratch;
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
          const next = await appended(store, 'full', head, [[1], [2, 3]], ['x', 'y', 'z']);
          await store.forget('full', 0, 1, true);
          await store.forget('full', 0, 2, false);
          await appended(store, 'full', next, [[4]], ['w']);
        },
        async store => {
          const head = await created(store, 'begun anew', 'two|shared');
          await appended(store, 'begun anew', head, [[1], [2], [3]], ['first of the run'], 1);
        },
        async store => {
          await created(store, 'gone');
          await store.drop('gone');
          await created(store, 'untouched', 'lines\n"quoted" \u2028 \ud83d\ude00 \u0000');
        },
      );
      expect(Object.keys(held)).to.deep.equal(['begun anew', 'full', 'untouched']);
      expect(held.full?.notes).to.deep.equal({ run: 0, last: 4, forgotten: 2, cleared: 1, latest: ['z', 'w'] });
      expect(held.full?.ttl).to.equal(60_000);
      expect(held['begun anew']?.notes.run).to.equal(2);
      expect(await heldIn(folder.path)).to.deep.equal(held);
    });

    it('has the result of a compaction, and of another one', async () => {
      const held = await heldAfter(async store => {
        let head = await created(store, 'a', 'base', 5);
        for (let i = 1; i <= 600; i += 1) head = await appended(store, 'a', head, [[i], [-i]], [`${i}`]);
        await store.forget('a', 0, 590, false);
        await store.compact('a', head, 1001, 'at 1001|shared');
      });
      expect(held.a?.head.version).to.equal(1200);
      expect(held.a?.base).to.deep.equal({ version: 1001, value: 'at 1001|shared' });
      expect(held.a?.entries).to.have.length(199);
      expect(held.a?.notes).to.include({ last: 600, forgotten: 590 });
      expect(await heldIn(folder.path)).to.deep.equal(held);
      const again = await heldAfter(async store => {
        const head = (await store.since('a'))?.head;
        if (head === undefined) throw new Error('it is gone');
        let next = await appended(store, 'a', head, [[0]], ['again'], 0);
        next = await appended(store, 'a', next, [Array(2 ** 20).fill(7)]);
        await store.compact('a', next, 1202, 'at 1202');
      });
      expect(again.a).to.deep.include({ base: { version: 1202, value: 'at 1202' }, entries: [], ttl: 5 });
      expect(again.a?.notes).to.deep.equal({ run: 1201, last: 1, forgotten: 0, cleared: 0, latest: ['again'] });
      expect(await heldIn(folder.path)).to.deep.equal(again);
    });

    it('continues after the previously known head, and repeats no id', async () => {
      const ids = new Set<string>();
      let head = await (async () => {
        const store = await opened(folder.path, opening);
        const made = await created(store, 'a');
        await store.close();
        return made;
      })();
      ids.add(head.id);
      for (let round = 1; round <= 5; round += 1) {
        const store = await opened(folder.path, opening);
        head = await appended(store, 'a', head, [[round]], [`${round}`]);
        const other = await created(store, `b${round}`);
        for (const id of [head.id, other.id, other.log]) ids.add(id);
        await store.close();
      }
      expect(ids.size).to.equal(16);
      const held = await heldIn(folder.path);
      expect(held.a).to.deep.include({ head, entries: [[1], [2], [3], [4], [5]] });
      expect(held.a?.notes).to.include({ last: 5 });
    });

    it('leaves a sandbox alone that a later version of the program has written', async () => {
      const later = { ...plainFormat, version: 2 };
      const openLater = async () => kept(await fileStore({ folder: folder.path, format: later, fsync }));
      const first = await openLater();
      await created(first, 'later');
      await first.close();
      const store = await opened(folder.path, opening);
      await created(store, 'a');
      expect(await store.list()).to.deep.equal(['a']);
      expect(await refusalOf(store.since('later'))).to.deep.equal({
        failure: 'format',
        message:
          'Sandbox later cannot be read: another version of cwx-fake has written it. To use the name again, delete the sandbox',
      });
      await store.close();
      const again = await openLater();
      expect((await again.since('later'))?.base?.value).to.equal('base');
      await again.close();
    });

    it('answers nothing after it was closed, and can be closed twice', async () => {
      const store = await opened(folder.path, opening);
      const head = await created(store, 'a');
      await store.close();
      await store.close();
      const verbs = [
        store.ready(),
        store.create('b', 'x'),
        store.append('a', head, { entries: [[1]], notes: [] }),
        store.since('a'),
        store.compact('a', head, 0, 'x'),
        store.forget('a', 0, 1, true),
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
