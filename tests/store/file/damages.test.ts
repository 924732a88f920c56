// Damage on the disk, and folders that cannot be used: each is refused at the start in one sentence, or reported with its sandboxes. Those get 503; the
// others are as they were.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ClassicLevel } from 'classic-level';
import { silentLog } from '../../../server/engine/log.js';
import type { Running } from '../../../server/process/start.js';
import { put } from '../../../server/store/file/records.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { sandboxNames, send, serving } from '../../support/wire/server.js';
import { at, make } from './folder-server.js';

/** The states of a folder: after a clean end, after a kill, and each after another start, when LevelDB has moved its log into a table. */
type State = 'closed' | 'killed' | 'closed again' | 'killed again';
type Change = (place: string) => void | Promise<void>;

const fileOf = (place: string, pattern: RegExp) => {
  const files = readdirSync(join(place, 'leveldb')).map(file => join(place, 'leveldb', file));
  return files.find(file => pattern.test(file) && readFileSync(file).length > 0) ?? expect.fail(`no ${pattern}`);
};
/** Changes a byte: the one at an index, which may count from the end, or the first one of the last occurrence of a text. */
const flip =
  (pattern: RegExp, where: number | string): Change =>
  place => {
    const file = fileOf(place, pattern);
    const bytes = readFileSync(file);
    const index = typeof where === 'number' ? (where + bytes.length) % bytes.length : bytes.lastIndexOf(where);
    expect(index).to.be.at.least(0);
    bytes[index] = (bytes[index] ?? 0) ^ 255; // so that lengths become wrong too
    writeFileSync(file, bytes);
  };
const cut =
  (pattern: RegExp, length: number): Change =>
  place => {
    const file = fileOf(place, pattern);
    writeFileSync(file, readFileSync(file).subarray(0, length));
  };
const remove =
  (pattern: RegExp): Change =>
  place =>
    rmSync(fileOf(place, pattern));
const inDatabase =
  (act: (level: ClassicLevel) => Promise<void>): Change =>
  async place => {
    const level = new ClassicLevel(join(place, 'leveldb'), { compression: false });
    await act(level).finally(() => level.close());
  };
const foreign = (place: string) => {
  rmSync(place, { recursive: true });
  mkdirSync(place);
  for (const file of ['.gitignore', 'mine.txt']) writeFileSync(join(place, file), 'mine');
};
/** Where LevelDB's log, of one block, has the lengths of its entries. A wrong one looks like the incomplete entry of a killed process. */
const lengthsIn = (log: Buffer) => {
  const found: number[] = [];
  for (let at = 0; at + 7 <= log.length; at += 7 + log.readUInt16LE(at + 4)) found.push(at + 4, at + 5);
  return found;
};
const ALL = ['default', 'one', 'three', 'two'];
const UNREADABLE =
  /^StoreError: LevelDB cannot read the sandboxes in \S+: .*\. Restore the folder from a backup, or delete it to start without sandboxes$/;

const rows: ReadonlyArray<readonly [title: string, of: State, change: Change, outcome: readonly string[] | RegExp]> = [
  ['a changed byte of a record in the log', 'killed', flip(/log$/, 'last-of-two'), ['two']],
  ['a changed byte of a record in a table', 'killed again', flip(/ldb$/, 'last-of-two'), ['two']],
  ['a changed byte of the scenario that all began with', 'killed again', flip(/ldb$/, '"demouser1"'), ALL],
  ['a changed byte of the index of a table', 'closed', flip(/ldb$/, -83), UNREADABLE],
  ['a changed length at the beginning of the log', 'killed', flip(/log$/, 5), UNREADABLE],
  ['a table that is cut', 'killed again', cut(/ldb$/, -1), UNREADABLE],
  ['a list of tables that is cut', 'closed again', cut(/MANIFEST/, 50), UNREADABLE],
  ['a missing table after a clean end', 'closed', remove(/ldb$/), UNREADABLE],
  ['a missing table', 'killed again', remove(/ldb$/), UNREADABLE],
  ['a missing name of the list', 'killed', remove(/CURRENT/), UNREADABLE],
  [
    'a missing record',
    'killed',
    inDatabase(async level => level.del((await level.keys({ gt: 's!two' }).all())[2] ?? '')),
    ['two'],
  ],
  ['a missing head', 'killed', inDatabase(level => level.del('h!two!')), ['two']],
  [
    'a foreign file in the database',
    'killed',
    place => writeFileSync(join(place, 'leveldb', 'foreign.txt'), 'mine'),
    [],
  ],
  [
    'a folder of something else',
    'killed',
    foreign,
    /^StoreError: The folder \S+ is not empty and was not created by cwx-fake \(it contains mine\.txt\): choose an empty folder$/,
  ],
  [
    'another version',
    'killed',
    inDatabase(level => level.batch([put('h!two!', '{"format":1,"head":{}}')])),
    /^StoreError: The sandboxes in \S+ have format 1, and this version of cwx-fake reads format \d+: use the version that wrote them, or another folder$/,
  ],
];

describe('a server on a damaged folder', () => {
  const folder = useSharedScratch();
  const place = () => join(folder.path, 'changed');
  const held = new Map<string, unknown>();
  const said: string[] = [];
  let server: Running | undefined;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  const start = async (path = place()) => {
    await stop();
    said.splice(0);
    const log = { ...silentLog, warn: (line: string) => said.push(line) };
    server = await serving(undefined, { store: `file:${path}`, reading: ['unknown-group=create'] }, log);
    return server;
  };
  const contentOf = async (one: Running, name: string) => [
    await at(one, `${name}/world`),
    await at(one, `${name}/journal`),
  ];

  before(async () => {
    const live = join(folder.path, 'live');
    const keep = (state: State) => cpSync(live, join(folder.path, state), { recursive: true });
    const first = await start(live);
    for (const name of ['one', 'three', 'two']) for (let i = 1; i <= 6; i += 1) await make(first, name, `g${i}`);
    await make(first, 'two', 'last-of-two');
    for (const name of ALL) held.set(name, await contentOf(first, name));
    keep('killed');
    await stop();
    keep('closed');
    await start(live);
    keep('killed again');
    await stop();
    keep('closed again');
  });
  beforeEach(() => rmSync(place(), { recursive: true, force: true }));
  afterEach(stop);

  /** Starts a server on the folder, and returns the sandboxes that it refuses. All others are as they were. */
  const damagedIn = async () => {
    const started = await start();
    const reported = said.map(
      line => /^Sandbox (\S+) is damaged: .*[^.]\. To reuse .*, delete the sandbox\.$/.exec(line)?.[1] ?? line,
    );
    const names = await sandboxNames(started.url);
    expect([...names, ...reported].sort()).to.deep.equal(ALL);
    for (const name of names) expect(await contentOf(started, name), name).to.deep.equal(held.get(name));
    for (const [i, name] of reported.entries()) {
      const { status, headers, text } = await make(started, name, 'more');
      expect({ status, retryAfter: headers.get('retry-after') }).to.deep.equal({ status: 503, retryAfter: null });
      expect(text).to.contain(said[i]);
    }
    return reported.sort();
  };

  for (const [title, of, change, outcome] of rows)
    it(`${outcome instanceof RegExp ? 'refuses' : `reports ${outcome.join(', ') || 'nothing'} for`} ${title} (${of})`, async () => {
      cpSync(join(folder.path, of), place(), { recursive: true });
      await change(place());
      if (outcome instanceof RegExp) {
        expect(await start().then(() => 'started', String)).to.match(outcome);
        return;
      }
      for (const _ of [1, 2]) expect(await damagedIn()).to.deep.equal(outcome);
      for (const name of outcome) {
        await send(`${server?.url}/_fake/v1/sandboxes/${name}`, { method: 'DELETE' });
        expect((await make(server ?? expect.fail(), name, 'again')).status).to.equal(200);
      }
      await start();
      expect(said).to.deep.equal([]);
    });

  it('never serves anything else, whichever byte of the database is changed', async () => {
    for (const [of, pattern] of [
      ['killed', /log$/],
      ['closed', /ldb$/],
      ['killed again', /ldb$/],
      ['closed again', /ldb$/],
    ] as const) {
      const bytes = readFileSync(fileOf(join(folder.path, of), pattern));
      const left = of === 'killed' ? lengthsIn(bytes) : [];
      for (let i = 0; i < 4; i += 1) {
        await stop();
        rmSync(place(), { recursive: true, force: true });
        cpSync(join(folder.path, of), place(), { recursive: true });
        const index = Math.floor(((i + Math.random()) * bytes.length) / 4);
        if (left.includes(index)) continue;
        await flip(pattern, index)(place());
        await damagedIn().catch(error => {
          if (!UNREADABLE.test(String(error))) throw new Error(`${of}, byte ${index}`, { cause: error });
        });
      }
    }
  });
});
