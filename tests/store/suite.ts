// The suite that every store passes, called with a way to make an empty one. The values are plain here: a store knows no domain.
import { expect } from 'chai';
import type { Appended, Batch, Format, Head, Store, Tail } from '../../server/engine/store.js';

type Plain = Store<string, readonly number[], string>;

/** A store whose every answer is asynchronous, so that tests can treat all stores alike. */
export interface Kept extends Omit<Plain, 'append' | 'compact'> {
  append(...given: Parameters<Plain['append']>): Promise<Appended<string, readonly number[], string>>;
  compact(...given: Parameters<Plain['compact']>): Promise<Head | 'behind' | 'gone'>;
  /** Drops the notes of a run up to a number, because there are too many or on request; does nothing for a missing log. */
  forget(sandbox: string, run: number, upTo: number, isCleared: boolean): Promise<void>;
}

export function kept(store: Plain): Kept {
  return {
    name: store.name,
    isShared: store.isShared,
    isImmediate: store.isImmediate,
    get trouble() {
      return store.trouble;
    },
    ready: () => store.ready(),
    now: () => store.now(),
    create: (...given) => store.create(...given),
    append: async (...given) => store.append(...given),
    since: (...given) => store.since(...given),
    compact: async (...given) => store.compact(...given),
    drop: (...given) => store.drop(...given),
    list: () => store.list(),
    watch: (...given) => store.watch(...given),
    close: () => store.close(),
    forget: async (sandbox, run, upTo, isCleared) => {
      const head = (await store.since(sandbox, undefined, true))?.head;
      const forget = isCleared ? { run, upTo: 0, cleared: upTo } : { run, upTo };
      if (head !== undefined) await store.append(sandbox, head, { entries: [], notes: [], forget });
    },
  };
}

/** Where logs are stored for one test. */
export interface Ground {
  /** Opens a store there, ready for use; each call opens another one if stores can share. */
  open(): Promise<Kept>;
  /** Closes the stores, and leaves nothing behind. */
  leave(): Promise<void>;
}

/** The format of the suite's values. A base refers to its second half as a part, large entries and notes to their number. */
export const plainFormat: Format<string, readonly number[], string> = {
  version: 1,
  oldest: 1,
  writeBase: base => {
    const [text = '', part] = base.split('|');
    return part === undefined
      ? { text: JSON.stringify({ text }), parts: new Map() }
      : { text: JSON.stringify({ text, part: `p-${part}` }), parts: new Map([[`p-${part}`, () => `of ${part}`]]) };
  },
  readBase: async (written, partOf) => {
    const { text, part } = JSON.parse(written) as { text: string; part?: string };
    return part === undefined ? text : `${text}|${(await partOf(part)).slice('of '.length)}`;
  },
  writeEntry: (entry, put) => {
    if (entry[0] !== LARGE) return JSON.stringify(entry);
    put(`l-${entry[1]}`, JSON.stringify(entry));
    return JSON.stringify({ part: `l-${entry[1]}` });
  },
  readEntry: (text, part) => {
    const read = JSON.parse(text) as readonly number[] | { part: string };
    return 'part' in read ? (JSON.parse(part(read.part)) as readonly number[]) : read;
  },
  writeNote: (note, put) => {
    const [, number] = /^large (\d+)$/.exec(note) ?? [];
    if (number === undefined) return JSON.stringify(note);
    put(`l-${number}`, JSON.stringify([LARGE, Number(number)]));
    return JSON.stringify({ part: `l-${number}` });
  },
  readNote: (text, part) => {
    const read = JSON.parse(text) as string | { part: string };
    if (typeof read === 'string') return read;
    const [, number] = JSON.parse(part(read.part)) as number[];
    return `large ${number}`;
  },
};

/** The first element of an entry whose number is stored as a part; a note `large` with this number shares the part. */
export const LARGE = -1;

/** What is appended: entries, notes, or both. */
export function batch(entries: Batch<readonly number[], string>['entries'], notes: readonly string[] = []) {
  return { entries, notes };
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

    const created = async (sandbox: string, base = 'base', ttl?: number): Promise<Head> => {
      const head = await store.create(sandbox, base, ttl);
      if (head === undefined) throw new Error(`${sandbox} exists`);
      heads.set(sandbox, head);
      return head;
    };
    const appended = async (sandbox: string, after: Head, entries: ReadonlyArray<readonly number[]>) =>
      (await answered(sandbox, after, batch(entries))).head;
    const answered = async (sandbox: string, after: Head, given: Batch<readonly number[], string>) => {
      const outcome = await store.append(sandbox, after, given);
      if (outcome === 'gone' || 'behind' in outcome) throw new Error(JSON.stringify(outcome));
      heads.set(sandbox, outcome.head);
      return outcome;
    };
    /** The result of the last call. */
    const heads = new Map<string, Head>();
    const headOf = async (sandbox: string): Promise<Head> => heads.get(sandbox) ?? expect.fail(`${sandbox} is gone`);
    /** The entries from the beginning of the log on: a store may return more. */
    const rest = ({ head, base, entries }: Tail<string, readonly number[], string>) =>
      entries.slice(base === undefined ? 0 : head.from - base.version);
    const readBack = async (
      sandbox: string,
      { log, version, id }: Head,
    ): Promise<Tail<string, readonly number[], string>> => {
      const tail = await store.since(sandbox, { log, version, id });
      if (tail === undefined) throw new Error(`${sandbox} is gone`);
      return tail;
    };
    const noted = async (sandbox: string, { log, version, id }: Head, run: number, last: number) =>
      (await store.since(sandbox, { log, version, id, notes: { run, last } }))?.notes;

    it('names itself, and is ready for use', async () => {
      await store.ready();
      expect(store.trouble).to.equal(undefined);
      expect(store.name).to.match(/^[a-z]+/);
      expect(Math.abs(store.now() - Date.now())).to.be.lessThan(1000);
    });

    it('creates a log at version 0, once', async () => {
      const head = await created('a');
      expect(head).to.include({ version: 0, from: 0 });
      expect(await store.create('a', 'other')).to.equal(undefined);
      if (!tells) return;
      expect(await store.since('a')).to.deep.equal({
        head,
        base: { version: 0, value: 'base' },
        entries: [],
        notes: { run: 0, last: 0, forgotten: 0, cleared: 0, latest: [] },
      });
    });

    itTells('keeps a base with its parts and its idle time', async () => {
      await created('a', 'one|shared', 60_000);
      await created('b', 'two|shared', 30_000);
      expect(await store.since('a')).to.deep.include({ base: { version: 0, value: 'one|shared' }, ttl: 60_000 });
      expect(await store.since('b')).to.deep.include({ base: { version: 0, value: 'two|shared' }, ttl: 30_000 });
    });

    it('accepts whole milliseconds as idle time, and nothing else', async () => {
      for (const ttl of [0, -1, 0.5, 16100.000000000002, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
        const refused = await store.create('a', 'base', ttl).then(String, error => error.failure);
        expect(refused, `${ttl}`).to.equal('refused');
      }
      await created('a', 'base', 3_155_760_000_000);
      if (tells) expect((await store.since('a'))?.ttl).to.equal(3_155_760_000_000);
    });

    itTells('appends in order, one version for each entry', async () => {
      const start = await created('a');
      const first = await appended('a', start, [[1]]);
      const second = await appended('a', first, [[2, 3], [4]]);
      expect([first.version, second.version]).to.deep.equal([1, 3]);
      expect(await store.since('a')).to.deep.include({
        head: second,
        base: { version: 0, value: 'base' },
        entries: [[1], [2, 3], [4]],
      });
      if (!shares) return;
      expect(await readBack('a', start)).to.deep.include({ head: second, entries: [[1], [2, 3], [4]] });
      expect((await readBack('a', start)).base).to.equal(undefined);
      expect((await readBack('a', first)).entries).to.deep.equal([[2, 3], [4]]);
      expect((await readBack('a', second)).entries).to.deep.equal([]);
    });

    itTells('stores large texts of entries and notes as parts, which entries, notes and bases share', async () => {
      const start = await created('a', 'base|part', 60_000);
      const batched = { entries: [[1], [LARGE, 7], [LARGE, 8], [LARGE, 7]], notes: ['small', 'large 7'] };
      const { head } = await answered('a', start, batched);
      const whole = await store.since('a');
      expect(whole).to.deep.include({ entries: batched.entries, base: { version: 0, value: 'base|part' } });
      expect(whole?.notes.latest).to.deep.equal(batched.notes);
      const next = (await answered('a', head, { entries: [[LARGE, 9]], notes: ['large 9'] })).head;
      const compacted = await store.compact('a', next, 3, 'then|other');
      if (typeof compacted === 'string') throw new Error(compacted);
      const tail = await store.since('a');
      expect(tail && rest(tail)).to.deep.equal([
        [LARGE, 7],
        [LARGE, 9],
      ]);
      expect(tail?.notes.latest).to.deep.equal(['small', 'large 7', 'large 9']);
      if (!shares) return;
      expect((await readBack('a', head)).entries).to.deep.equal([[LARGE, 9]]);
      expect(await store.append('a', start, batch([[LARGE, 1]], ['large 1']))).to.have.property('behind');
    });

    itShares('returns everything to a caller with an unknown head', async () => {
      const start = await created('a');
      const head = await appended('a', start, [[1], [2]]);
      await answered('a', head, batch([], ['note']));
      const whole = { head, base: { version: 0, value: 'base' }, entries: [[1], [2]] };
      for (const seen of [
        { ...head, id: 'never' },
        { ...head, version: 3 },
        { ...head, log: 'never' },
      ]) {
        expect(await readBack('a', seen)).to.deep.include(whole);
        expect((await noted('a', seen, 0, 1))?.latest).to.deep.equal(seen.log === 'never' ? ['note'] : []);
      }
      expect(await store.append('a', { ...head, id: 'never' }, batch([[3]]))).to.deep.nested.include({
        'behind.base': { version: 0, value: 'base' },
        'behind.entries': [[1], [2]],
      });
    });

    itShares('lets one of two appends after one head win, and returns the missed entries to the other', async () => {
      const head = await created('a');
      const { head: won } = await answered('a', head, batch([[1]], ['one']));
      const lost = await store.append('a', head, batch([[2]], ['two']), { run: 0, last: 0 });
      expect(lost).to.deep.equal({
        behind: { head: won, entries: [[1]], notes: { run: 0, last: 1, forgotten: 0, cleared: 0, latest: ['one'] } },
      });
      expect(await store.append('a', head, batch([[2]]))).to.deep.equal({
        behind: { head: won, entries: [[1]], notes: { run: 0, last: 1, forgotten: 0, cleared: 0, latest: [] } },
      });
      expect((await readBack('a', head)).entries).to.deep.equal([[1]]);
    });

    it('numbers notes from 1, without a new version', async () => {
      const head = await created('a');
      expect(await answered('a', head, batch([], ['x']))).to.deep.equal({ head, run: 0, lastNote: 1 });
      expect(await answered('a', head, batch([], ['y', 'z']))).to.deep.equal({ head, run: 0, lastNote: 3 });
      const { head: next, lastNote } = await answered('a', head, batch([[1]], ['w']));
      expect([next.version, lastNote]).to.deep.equal([1, 4]);
      if (!tells) return;
      const counts = { run: 0, last: 4, forgotten: 0, cleared: 0 };
      expect((await store.since('a'))?.notes).to.deep.equal({ ...counts, latest: ['x', 'y', 'z', 'w'] });
      if (!shares) return;
      expect(await noted('a', head, 0, 2)).to.deep.equal({ ...counts, latest: ['z', 'w'] });
      expect((await readBack('a', head)).notes.latest).to.deep.equal([]); // not requested
    });

    itShares('refuses a note after an outdated head', async () => {
      const head = await created('a');
      await appended('a', head, [[1]]);
      expect(await store.append('a', head, batch([], ['late']))).to.have.property('behind');
      expect((await store.since('a'))?.notes.last).to.equal(0);
    });

    itTells('drops notes up to a number, and knows which were cleared', async () => {
      const head = await created('a');
      await answered('a', head, batch([], ['1', '2', '3', '4', '5']));
      await store.forget('a', 0, 2, false);
      expect(await noted('a', head, 0, 0)).to.deep.equal({
        run: 0,
        last: 5,
        forgotten: 2,
        cleared: 0,
        latest: ['3', '4', '5'],
      });
      await store.forget('a', 0, 1, false); // already dropped
      await store.forget('a', 7, 5, false); // another run
      await store.forget('a', 0, 4, true);
      expect(await noted('a', head, 0, 0)).to.deep.equal({ run: 0, last: 5, forgotten: 4, cleared: 2, latest: ['5'] });
      await store.forget('a', 0, 99, true);
      expect(await noted('a', head, 0, 3)).to.deep.equal({ run: 0, last: 5, forgotten: 5, cleared: 3, latest: [] });
      expect((await answered('a', head, batch([], ['6']))).lastNote).to.equal(6);
      expect((await noted('a', head, 0, 5))?.latest).to.deep.equal(['6']);
    });

    it('begins a new run of notes with an entry', async () => {
      const head = await created('a');
      await answered('a', head, batch([], ['old', 'older']));
      const batched = { entries: [[1], [2], [3]], notes: ['new'], newRunAt: 1 };
      const { head: next, run, lastNote } = await answered('a', head, batched);
      expect([next.version, run, lastNote]).to.deep.equal([3, 2, 1]);
      if (!tells) return;
      const all = { run: 2, last: 1, forgotten: 0, cleared: 0, latest: ['new'] };
      expect(await noted('a', head, 0, 2)).to.deep.equal(all);
      expect(await noted('a', head, 2, 0)).to.deep.equal(all);
      if (shares) expect((await noted('a', head, 2, 1))?.latest).to.deep.equal([]);
    });

    it('tells a log that was created again under the same name from the one before', async () => {
      const old = await appended('a', await created('a'), [[1]]);
      await answered('a', old, batch([], ['old']));
      await store.drop('a');
      const head = await created('a', 'new base');
      expect(await store.append('a', old, batch([[2]]))).to.equal('gone');
      expect(await store.compact('a', old, 1, 'x')).to.equal('gone');
      if (!tells) return;
      const whole = { head, base: { version: 0, value: 'new base' }, entries: [] };
      const seen = { ...old, notes: { run: 0, last: 1 } };
      expect(await store.since('a', seen)).to.deep.include(whole);
      expect((await store.since('a', seen))?.notes).to.deep.equal({
        run: 0,
        last: 0,
        forgotten: 0,
        cleared: 0,
        latest: [],
      });
    });

    it('answers gone for a dropped or unknown log', async () => {
      const head = await created('a');
      expect(await store.drop('a')).to.equal(true);
      expect(await store.drop('a')).to.equal(false);
      expect(await store.append('a', head, batch([[1]]))).to.equal('gone');
      expect(await store.compact('a', head, 1, 'x')).to.equal('gone');
      expect(await store.since('a')).to.equal(undefined);
      await store.forget('a', 0, 1, true);
      expect(await store.since('a')).to.equal(undefined);
    });

    it('keeps logs separate, and lists them', async () => {
      await appended('a', await created('a'), [[1]]);
      await created('b');
      await created('A.b_c-1');
      if (tells) expect((await store.since('b'))?.entries).to.deep.equal([]);
      expect([...(await store.list())].sort()).to.deep.equal(['A.b_c-1', 'a', 'b']);
      await store.drop('a');
      expect([...(await store.list())].sort()).to.deep.equal(['A.b_c-1', 'b']);
    });

    it('drops entries up to a version and returns the rest from there', async () => {
      const start = await created('a');
      const first = await appended('a', start, [[1]]);
      const second = await appended('a', first, [[2]]);
      const head = await appended('a', second, [[3]]);
      const compacted = await store.compact('a', head, 2, 'base at 2|part');
      expect(compacted).to.deep.include({ version: 3, from: 2, log: start.log });
      if (typeof compacted === 'string') throw new Error(compacted);
      expect((await appended('a', compacted, [[4]])).version).to.equal(4);
      if (!tells) return;
      const whole = await store.since('a');
      expect(whole?.head).to.include({ version: 4, from: 2 });
      expect(whole?.base?.version).to.be.at.most(2);
      if (whole?.base?.version === 2) expect(whole.base.value).to.equal('base at 2|part');
      for (const tail of [whole, await readBack('a', start), await readBack('a', first)])
        expect(tail && rest(tail).slice(-2)).to.deep.equal([[3], [4]]);
      if (!shares) return;
      expect((await readBack('a', second)).entries).to.deep.equal([[3], [4]]);
      expect((await readBack('a', second)).base).to.equal(undefined);
    });

    itShares(
      'refuses appends after a head from before a compaction, and compactions after an outdated head',
      async () => {
        const start = await created('a');
        const head = await appended('a', start, [[1], [2]]);
        expect(await store.compact('a', start, 0, 'x')).to.equal('behind');
        const compacted = await store.compact('a', head, 1, 'base at 1');
        expect(await store.append('a', head, batch([[3]]))).to.deep.equal({
          behind: {
            head: compacted,
            entries: [],
            notes: { run: 0, last: 0, forgotten: 0, cleared: 0, latest: [] },
          },
        });
      },
    );

    itTells('never compacts twice or beyond the head', async () => {
      const head = await appended('a', await created('a'), [[1]]);
      expect(await store.compact('a', head, 5, 'too far')).to.deep.equal(head);
      const compacted = await store.compact('a', head, 1, 'base at 1');
      if (typeof compacted === 'string') throw new Error(compacted);
      expect(await store.compact('a', compacted, 1, 'again')).to.deep.equal(compacted);
      const tail = await store.since('a');
      expect(tail?.head).to.deep.equal(compacted);
      expect(tail && rest(tail)).to.deep.equal([]);
    });

    it('names each log once, whatever is appended; one that is created again has another name', async () => {
      const head = await created('a');
      const next = await appended('a', head, [[1]]);
      expect(next.log).to.equal(head.log);
      expect(next.id).not.to.equal(head.id);
      await store.drop('a');
      const logs = [head.log, (await created('a')).log, (await created('b')).log];
      expect(new Set(logs).size).to.equal(3);
      for (const log of logs) expect(log).to.match(/^[0-9a-z-]{1,64}$/); // it is part of an event id
    });

    it('notifies watchers of a log that is created under the name, appended to, dropped, and created again', async () => {
      const heard = hearing();
      const unwatch = store.watch('a', heard.listener);
      await heard.after(() => created('a'));
      await heard.after(async () => appended('a', await headOf('a'), [[1]]));
      await heard.after(async () => answered('a', await headOf('a'), batch([], ['note'])));
      await heard.after(() => store.drop('a'));
      await heard.after(() => created('a'));
      unwatch();
      const before = heard.times;
      await created('b');
      await store.drop('a');
      await settled();
      expect(heard.times).to.equal(before);
    });

    it('notifies all watchers, until they stop watching', async () => {
      const [first, second] = [hearing(), hearing()];
      const head = await created('a');
      const unwatch = store.watch('a', first.listener);
      store.watch('a', second.listener);
      const next = await second.after(() => first.after(() => appended('a', head, [[1]])));
      unwatch();
      const before = first.times;
      await second.after(() => appended('a', next, [[2]]));
      await second.after(() => store.drop('a'));
      await settled();
      expect(first.times).to.equal(before);
    });
  });
}

const settled = () => new Promise(resolve => setTimeout(resolve, 20));

/** Counts the notifications, and whether one arrives within a second after a change. */
function hearing() {
  const heard = {
    times: 0,
    listener: () => {
      heard.times += 1;
    },
    after: async <T>(act: () => Promise<T>): Promise<T> => {
      const before = heard.times;
      const result = await act();
      for (let waited = 0; heard.times === before && waited < 50; waited += 1) await settled();
      expect(heard.times).to.be.greaterThan(before);
      return result;
    },
  };
  return heard;
}
