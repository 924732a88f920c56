// The one suite that every store passes, called with a way to make an empty one. Entries and bases are plain values here: a store knows no domain.
import { expect } from 'chai';
import type { Head, Store } from '../../server/engine/store.js';

export function storeSuite(name: string, make: () => Store<string, readonly number[]>): void {
  describe(`the store ${name}`, () => {
    let store: Store<string, readonly number[]>;
    beforeEach(() => {
      store = make();
    });

    const created = async (sandbox: string): Promise<Head> => {
      const head = await store.create(sandbox, 'base');
      if (head === undefined) throw new Error(`${sandbox} exists`);
      return head;
    };
    const appended = async (sandbox: string, after: Head, entry: readonly number[]): Promise<Head> => {
      const outcome = await store.append(sandbox, after, entry);
      if (typeof outcome === 'string') throw new Error(outcome);
      return outcome.head;
    };

    it('creates a log at version 0, once', async () => {
      expect((await created('a')).version).to.equal(0);
      expect(await store.create('a', 'other')).to.equal(undefined);
      expect(await store.since('a', 0)).to.deep.include({ base: 'base', from: 0, entries: [] });
    });

    it('appends in order, one version an entry', async () => {
      const first = await appended('a', await created('a'), [1]);
      const second = await appended('a', first, [2, 3]);
      expect([first.version, second.version]).to.deep.equal([1, 2]);
      expect(await store.since('a', 0)).to.deep.equal({ base: 'base', from: 0, entries: [[1], [2, 3]], head: second });
      expect((await store.since('a', 1))?.entries).to.deep.equal([[2, 3]]);
      expect((await store.since('a', 2))?.entries).to.deep.equal([]);
    });

    it('lets one of two appends after the same head win, and changes nothing for the other', async () => {
      const head = await created('a');
      await appended('a', head, [1]);
      expect(await store.append('a', head, [2])).to.equal('conflict');
      expect((await store.since('a', 0))?.entries).to.deep.equal([[1]]);
    });

    it('knows a log that was made again under the same name from the one before', async () => {
      const old = await appended('a', await created('a'), [1]);
      await store.drop('a');
      await created('a');
      expect(await store.append('a', old, [2])).to.equal('gone');
      expect((await store.since('a', 0))?.entries).to.deep.equal([]);
    });

    it('answers gone for what was dropped or never was', async () => {
      const head = await created('a');
      expect(await store.drop('a')).to.equal(true);
      expect(await store.drop('a')).to.equal(false);
      expect(await store.append('a', head, [1])).to.equal('gone');
      expect(await store.since('a', 0)).to.equal(undefined);
    });

    it('keeps logs apart', async () => {
      await appended('a', await created('a'), [1]);
      await created('b');
      expect((await store.since('b', 0))?.entries).to.deep.equal([]);
    });

    it('forgets entries up to a version and tells the rest from there', async () => {
      let head = await created('a');
      for (const entry of [[1], [2], [3]]) head = await appended('a', head, entry);
      await store.compact('a', 2, 'base at 2');
      expect(await store.since('a', 0)).to.deep.equal({ base: 'base at 2', from: 2, entries: [[3]], head });
      expect((await appended('a', head, [4])).version).to.equal(4);
    });

    it('compacts neither twice nor beyond the head', async () => {
      const head = await appended('a', await created('a'), [1]);
      await store.compact('a', 5, 'too far');
      await store.compact('a', 1, 'base at 1');
      await store.compact('a', 1, 'again');
      expect(await store.since('a', 0)).to.deep.equal({ base: 'base at 1', from: 1, entries: [], head });
    });

    it('tells who watches of a log that is made under the name, and made again', async () => {
      let heard = 0;
      const unwatch = store.watch('a', () => {
        heard += 1;
      });
      await appended('a', await created('a'), [1]);
      await store.drop('a');
      await created('a');
      await created('b');
      expect(heard).to.equal(4);
      unwatch();
      await store.drop('a');
      await created('a');
      expect(heard).to.equal(4);
    });

    it('names each log, whatever is appended to it; one that is made again has another name', async () => {
      const head = await created('a');
      expect((await appended('a', head, [1])).log).to.equal(head.log);
      expect((await store.since('a', 0))?.head.log).to.equal(head.log);
      await store.drop('a');
      const logs = [head.log, (await created('a')).log, (await created('b')).log];
      expect(new Set(logs).size).to.equal(3);
      for (const log of logs) expect(log).to.match(/^[0-9a-z-]{1,64}$/); // it stands in the id of an event
    });

    it('tells who watches of appends and of the drop, until they stop watching', async () => {
      const heard: string[] = [];
      const head = await created('a');
      const unwatch = store.watch('a', () => heard.push('first'));
      store.watch('a', () => heard.push('second'));
      const next = await appended('a', head, [1]);
      unwatch();
      await appended('a', next, [2]);
      await store.drop('a');
      expect(heard).to.deep.equal(['first', 'second', 'second', 'second']);
    });
  });
}
