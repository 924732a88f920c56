// How a folder keeps sandboxes: every key and value of the database, and the index, as a file. Folders that were written before must be read. If the
// file differs, increase the version of the format in sandbox-codec.ts; then run with UPDATE_FORMAT=1.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { ClassicLevel } from 'classic-level';
import { expectLines, withoutRandom } from '../../support/files/kept-file.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { appended, compacted, created, cut } from '../suite.js';
import { heldIn, opened, refusalOf } from './opened.js';

const FILE = join(import.meta.dirname, 'written', 'folder.jsonl');

/** A key and its text. */
type Line = readonly [key: string, text: string];

const sealed = ([key, text]: Line) => crc32(text, crc32(key)).toString(16).padStart(8, '0');

describe('the format in which a folder keeps sandboxes', () => {
  let folder: Scratch;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => folder.drop());

  async function inDatabase<T>(place: string, act: (level: ClassicLevel) => Promise<T>): Promise<T> {
    const level = new ClassicLevel(join(place, 'leveldb'), { compression: false });
    try {
      return await act(level);
    } finally {
      await level.close();
    }
  }

  /** A folder with every kind of record, and what its store returns. */
  async function filled() {
    const place = join(folder.path, 'filled');
    let store = await opened(place);
    await created(store, 'damaged');
    await store.close();
    await inDatabase(place, level => level.del(`s!damaged!b!${'0'.repeat(16)}`));
    store = await opened(place);
    const head = await appended(store, 'a', await created(store, 'a', 'base|part', 60_000), [[1], [2, 'ü'], [3], [4]]);
    await compacted(store, 'a', head, cut(2, 'new base|part', 1));
    await created(store, 'b !%~*', 'base');
    await created(store, 'dropped');
    await store.drop('dropped');
    await store.close();
    return place;
  }

  it('has keys and values as in its file, each with its checksum', async () => {
    const place = await filled();
    const records = await inDatabase(place, level => level.iterator().all());
    const [index = '', crc] = readFileSync(join(place, 'index.json'), 'utf8').split('\n');
    const all: Line[] = [...records.map(([key, value]) => [key, value.slice(8)] as const), ['index.json', index]];
    const checksums = [...records.map(([, value]) => value.slice(0, 8)), crc];
    expect(checksums).to.deep.equal(all.map(sealed));
    expectLines(
      FILE,
      all.map(([key, text]) => [key, withoutRandom(text)]),
    );
  });

  it('is read from its file', async () => {
    const place = join(folder.path, 'read');
    const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
    const all = lines.map(line => JSON.parse(line) as Line);
    mkdirSync(place);
    await inDatabase(place, async level => {
      for (const line of all) if (line[0] !== 'index.json') await level.put(line[0], `${sealed(line)}${line[1]}`);
    });
    const index = all.find(([key]) => key === 'index.json') ?? expect.fail('it has no index');
    writeFileSync(join(place, 'index.json'), `${index[1]}\n${sealed(index)}\n`);
    const { a, ...rest } = await heldIn(place);
    expect(a).to.deep.include({ base: 'new base|part', records: [[2, 'ü'], [3], [4]], ttl: 60_000 });
    expect(a?.head).to.include({ last: 4, from: 1, base: 2 });
    expect(Object.keys(rest)).to.deep.equal(['b !%~*']);
    const store = await opened(place);
    const refused = await refusalOf(store.since('damaged'));
    await store.close();
    expect(refused.message).to.include('its state at record 0 is missing');
  });
});
