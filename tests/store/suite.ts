// The suite that every store passes, called with a way to make an empty one. The values are plain here: a store knows no domain.
import { expect } from 'chai';
import type { Cut, Head, LogFormat, Store, Tail } from '../../server/engine/store.js';
import { until } from '../support/worlds/until.js';

/** What is appended. */
export type Plain = ReadonlyArray<number | string>;

export type Kept = Store<string, Plain>;

/** For tests that were written when a store could also answer at once. */
export const kept = (store: Kept): Kept => store;

/** Where logs are stored for one test. */
export interface Ground {
  /** Opens a store there, ready for use; each call opens another one if stores can share. */
  open(): Promise<Kept>;
  /** Closes the stores, and leaves nothing behind. */
  leave(): Promise<void>;
}

/** The format of the suite's values. A base refers to its second half as a part. */
export const plainFormat: LogFormat<string, Plain> = {
  version: 1,
  writeBase: base => {
    const [text = '', part] = base.split('|');
    if (part === undefined) return { text: JSON.stringify({ text }) };
    return { text: JSON.stringify({ text, part: `p-${part}` }), part: { name: `p-${part}`, text: () => `of ${part}` } };
  },
  readBase: async (written, partOf) => {
    const { text, part } = JSON.parse(written) as { text: string; part?: string };
    return part === undefined ? text : `${text}|${(await partOf(part)).slice('of '.length)}`;
  },
  writeRecord: record => JSON.stringify(record),
  readRecord: text => JSON.parse(text) as Plain,
};

/** A new base that includes the records up to `at`, which are all forgotten unless `from` says otherwise. */
export function cut(at: number, value: string, from = at): Cut<string> {
  return { from, base: { at, value } };
}

/** Creates a log and returns its head; throws if it exists. */
export async function created(store: Kept, sandbox: string, base = 'base', ttl?: number): Promise<Head> {
  const head = await store.create(sandbox, base, ttl);
  if (head === undefined) throw new Error(`${sandbox} exists`);
  return head;
}

/** Appends and returns the new head; throws if nothing is appended. */
export async function appended(store: Kept, sandbox: string, after: Head, records: readonly Plain[]): Promise<Head> {
  const outcome = await store.append(sandbox, after, records);
  if (outcome === 'gone' || 'behind' in outcome) throw new Error(JSON.stringify(outcome));
  return outcome.head;
}

/** Compacts and returns the new head; throws if nothing is done. */
export async function compacted(store: Kept, sandbox: string, after: Head, given: Cut<string>): Promise<Head> {
  const outcome = await store.compact(sandbox, after, given);
  if (typeof outcome === 'string') throw new Error(outcome);
  return outcome;
}

/** Counts the notifications of a store about a log. */
export function hearing(store: Kept, sandbox: string) {
  const heard = {
    times: 0,
    unwatch: store.watch(sandbox, () => {
      heard.times += 1;
    }),
    /** Resolves when a notification has arrived since `act` began. */
    after: async <T>(act: () => Promise<T>): Promise<T> => {
      const before = heard.times;
      const result = await act();
      await until(() => heard.times > before);
      return result;
    },
  };
  return heard;
}

/**
 * `tells`: whether appended data can be read back; a store that leaves everything to the live sandboxes has none to return. `shares`: whether others
 * append too, so that it matters what each has seen.
 */
export function storeSuite(
  name: string,
  make: () => Promise<Ground>,
  { tells = true, shares = tells }: { tells?: boolean; shares?: boolean } = {},
): void {
  const itTells = (title: string, test: () => Promise<void>): void => {
    if (tells) it(title, test);
  };
  const itShares = (title: string, test: () => Promise<void>): void => {
    if (shares) it(title, test);
  };
  describe(`the store ${name}`, () => {
    let ground: Ground;
    let store: Kept;
    beforeEach(async () => {
      ground = await make();
      store = await ground.open();
    });
    afterEach(() => ground.leave());

    const readBack = async (sandbox: string, seen?: Head): Promise<Tail<string, Plain>> =>
      (await store.since(sandbox, seen)) ?? expect.fail(`${sandbox} is gone`);

    it('names itself, and is ready for use', async () => {
      await store.ready();
      expect(store.trouble).to.equal(undefined);
      expect(store.name).to.match(/^[a-z]+/);
      expect(Math.abs(store.now() - Date.now())).to.be.lessThan(1000);
    });

    it('creates a log without records, once', async () => {
      const head = await created(store, 'a');
      expect(head).to.include({ last: 0, from: 0, base: 0 });
      expect(await store.create('a', 'other')).to.equal(undefined);
      if (tells) expect(await readBack('a')).to.deep.equal({ head, base: 'base', records: [] });
    });

    itTells('keeps a base with its part and its idle time, of logs that expire and of one that does not', async () => {
      await created(store, 'a', 'one|shared', 60_000);
      await created(store, 'b', 'two|shared', 30_000);
      const head = await created(store, 'c', 'three|shared');
      expect(await readBack('a')).to.deep.include({ base: 'one|shared', ttl: 60_000 });
      expect(await readBack('b')).to.deep.include({ base: 'two|shared', ttl: 30_000 });
      expect(await readBack('c')).to.deep.equal({ head, base: 'three|shared', records: [] });
      await store.drop('c');
      await store.drop('a');
      expect(await readBack('b')).to.deep.include({ base: 'two|shared' });
      await created(store, 'c', 'four|other');
      expect(await readBack('c')).to.deep.include({ base: 'four|other' });
    });

    it('appends in order', async () => {
      const start = await created(store, 'a');
      const first = await appended(store, 'a', start, [[1]]);
      const second = await appended(store, 'a', first, [
        [2, 3],
        [4, 'x\n"\u2028\ud83d\ude00'],
      ]);
      expect(first.last).to.equal(1);
      expect(second.last).to.equal(3);
      const records = [[1], [2, 3], [4, 'x\n"\u2028\ud83d\ude00']];
      if (tells) expect(await readBack('a')).to.deep.equal({ head: second, base: 'base', records });
      if (!shares) return;
      expect(await readBack('a', start)).to.deep.equal({ head: second, records });
      expect(await readBack('a', first)).to.deep.equal({ head: second, records: records.slice(1) });
      expect(await readBack('a', second)).to.deep.equal({ head: second, records: [] });
    });

    itTells('appends thousands of records at once, and long ones', async () => {
      const many = Array.from({ length: 2_500 }, (_, i) => [i]);
      const head = await appended(store, 'a', await created(store, 'a'), [...many, ['x'.repeat(2 ** 20)]]);
      expect(head.last).to.equal(2_501);
      expect((await readBack('a')).records).to.deep.equal([...many, ['x'.repeat(2 ** 20)]]);
    });

    itShares('returns everything to a caller with an unknown head', async () => {
      const head = await appended(store, 'a', await created(store, 'a'), [[1], [2]]);
      const whole = { head, base: 'base', records: [[1], [2]] };
      for (const seen of [
        { ...head, id: 'never' },
        { ...head, last: 3 },
        { ...head, log: 'never' },
      ])
        expect(await readBack('a', seen)).to.deep.equal(whole);
      expect(await store.append('a', { ...head, id: 'never' }, [[3]])).to.deep.equal({ behind: whole });
    });

    itShares('lets one of two appends after one head win, and returns the missed records to the other', async () => {
      const head = await created(store, 'a');
      const won = await appended(store, 'a', head, [[1]]);
      expect(await store.append('a', head, [[2]])).to.deep.equal({ behind: { head: won, records: [[1]] } });
      expect((await readBack('a', head)).records).to.deep.equal([[1]]);
    });

    it('tells a log that was created again under the same name from the one before', async () => {
      const old = await appended(store, 'a', await created(store, 'a'), [[1]]);
      await store.drop('a');
      const head = await created(store, 'a', 'new base');
      expect(await store.append('a', old, [[2]])).to.equal('gone');
      expect(await store.compact('a', old, cut(1, 'x'))).to.equal('gone');
      if (tells) expect(await readBack('a', old)).to.deep.equal({ head, base: 'new base', records: [] });
    });

    it('answers gone for a dropped or unknown log', async () => {
      const head = await created(store, 'a');
      expect(await store.drop('a')).to.equal(true);
      expect(await store.drop('a')).to.equal(false);
      expect(await store.append('a', head, [[1]])).to.equal('gone');
      expect(await store.compact('a', head, cut(1, 'x'))).to.equal('gone');
      expect(await store.since('a')).to.equal(undefined);
    });

    it('keeps logs separate, and lists them', async () => {
      await appended(store, 'a', await created(store, 'a'), [[1]]);
      await created(store, 'b');
      await created(store, 'A.b_c-1');
      if (tells) expect((await readBack('b')).records).to.deep.equal([]);
      expect([...(await store.list())].sort()).to.deep.equal(['A.b_c-1', 'a', 'b']);
      await store.drop('a');
      expect([...(await store.list())].sort()).to.deep.equal(['A.b_c-1', 'b']);
    });

    it('begins at a later record, with a new base and the records after it', async () => {
      const start = await created(store, 'a', 'base|part', 60_000);
      const first = await appended(store, 'a', start, [[1]]);
      const second = await appended(store, 'a', first, [[2]]);
      const head = await compacted(store, 'a', await appended(store, 'a', second, [[3]]), cut(2, 'base at 2|part'));
      expect(head).to.include({ last: 3, from: 2, base: 2, log: start.log });
      const next = await appended(store, 'a', head, [[4]]);
      expect(next.last).to.equal(4);
      const whole = { head: next, base: 'base at 2|part', records: [[3], [4]], ttl: 60_000 };
      if (tells) expect(await readBack('a')).to.deep.equal(whole);
      if (!shares) return;
      for (const seen of [start, first]) expect(await readBack('a', seen)).to.deep.equal(whole);
      expect(await readBack('a', second)).to.deep.equal({ head: next, records: [[3], [4]], ttl: 60_000 });
    });

    it('keeps records before its base, and forgets some after it', async () => {
      const full = await appended(store, 'a', await created(store, 'a'), [[1], [2], [3], [4]]);
      const early = await compacted(store, 'a', full, cut(3, 'base at 3', 1));
      expect(early).to.include({ from: 1, base: 3 });
      if (tells)
        expect(await readBack('a')).to.deep.equal({ head: early, base: 'base at 3', records: [[2], [3], [4]] });
      const late = await compacted(store, 'a', early, { from: 4 });
      expect(late).to.include({ from: 4, base: 3 });
      if (tells) expect(await readBack('a')).to.deep.equal({ head: late, base: 'base at 3', records: [] });
      const next = await appended(store, 'a', late, [[5]]);
      if (tells) expect((await readBack('a')).records).to.deep.equal([[5]]);
      if (shares) expect(await readBack('a', late)).to.deep.equal({ head: next, records: [[5]] });
    });

    itShares('refuses appends after a head before a compaction, and compactions after an outdated head', async () => {
      const start = await created(store, 'a');
      const head = await appended(store, 'a', start, [[1], [2]]);
      expect(await store.compact('a', start, cut(0, 'x'))).to.equal('behind');
      const next = await compacted(store, 'a', head, cut(1, 'base at 1'));
      expect(await store.compact('a', head, cut(1, 'base at 1'))).to.equal('behind');
      expect(await store.append('a', head, [[3]])).to.deep.equal({ behind: { head: next, records: [] } });
    });

    it('names each log once, whatever is appended; one that is created again has another name', async () => {
      const head = await created(store, 'a');
      const next = await appended(store, 'a', head, [[1]]);
      expect(next.log).to.equal(head.log);
      expect(next.id).not.to.equal(head.id);
      await store.drop('a');
      const logs = [head.log, (await created(store, 'a')).log, (await created(store, 'b')).log];
      expect(new Set(logs).size).to.equal(3);
      for (const log of logs) expect(log).to.match(/^[0-9a-z-]{1,64}$/); // it is part of an event id
    });

    itShares(
      'notifies watchers of a log that is created under the name, appended to, dropped, and created again',
      async () => {
        const heard = hearing(store, 'a');
        const head = await heard.after(() => created(store, 'a'));
        await heard.after(() => appended(store, 'a', head, [[1]]));
        await heard.after(() => store.drop('a'));
        await heard.after(() => created(store, 'a'));
        heard.unwatch();
        const before = heard.times;
        await created(store, 'b');
        await hearing(store, 'a').after(() => store.drop('a'));
        expect(heard.times).to.equal(before);
      },
    );

    itShares('notifies all watchers, until they stop watching', async () => {
      const head = await created(store, 'a');
      const [first, second] = [hearing(store, 'a'), hearing(store, 'a')];
      const next = await second.after(() => first.after(() => appended(store, 'a', head, [[1]])));
      first.unwatch();
      const before = first.times;
      await second.after(() => appended(store, 'a', next, [[2]]));
      await second.after(() => store.drop('a'));
      expect(first.times).to.equal(before);
    });
  });
}
