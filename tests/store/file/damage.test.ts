// Damage on the disk is reported at the opening with its sandboxes, never served as data, and leaves the others as they were.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { StoreLog } from '../../../server/store/refused-changes.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { created } from '../suite.js';
import { child, program } from './children.js';
import { fill, NAMES } from './filled.js';
import { heldBy, heldIn, opened, refusalOf } from './opened.js';

describe('a damaged folder of a file store', function () {
  this.timeout(60_000);
  let folder: Scratch;
  let whole: string;
  let held: Awaited<ReturnType<typeof heldIn>>;
  before(async () => {
    folder = scratch();
    whole = join(folder.path, 'whole');
    const store = await opened(whole);
    await fill(store);
    held = await heldBy(store);
    await store.close();
  });
  after(() => folder.drop());

  /** Opens a copy of a folder with a changed file, and returns the reported sandboxes; those that are not reported are as they were. */
  const reportedFor = async (change: (place: string) => void, of = whole) => {
    const place = join(folder.path, 'changed');
    rmSync(place, { recursive: true, force: true });
    cpSync(of, place, { recursive: true });
    change(place);
    const said: string[] = [];
    const log: StoreLog = { info: () => {}, warn: line => said.push(line) };
    const first = await reported(place, said, log);
    expect(await reported(place, said, log), 'when it is opened again').to.deep.equal(first);
    return first;
  };
  const reported = async (place: string, said: string[], log: StoreLog) => {
    said.splice(0);
    const store = await opened(place, { log });
    const found = await heldBy(store);
    const damaged = NAMES.filter(name => !(name in found));
    expect(found).to.deep.equal(Object.fromEntries(Object.entries(held).filter(([name]) => name in found)));
    expect(said.filter(line => line.startsWith('Sandbox job-')).length).to.equal(Math.min(10, damaged.length));
    for (const name of damaged) {
      const refused = await refusalOf(store.since(name));
      expect(refused.failure).to.equal('lost');
      expect(refused.message).to.match(new RegExp(`^Sandbox ${name} is damaged: .*[. ]To reuse the name, delete`));
    }
    await store.close();
    return damaged;
  };
  const flip = (file: string, at: number) => (place: string) => {
    const bytes = readFileSync(join(place, file));
    bytes[at] = (bytes[at] ?? 0) ^ 255; // so that lengths become wrong too
    writeFileSync(join(place, file), bytes);
  };
  const cut = (file: string, length: number) => (place: string) =>
    writeFileSync(join(place, file), readFileSync(join(place, file)).subarray(0, length));
  const fileOf = (of: string, pattern: RegExp) => {
    const name = readdirSync(join(of, 'leveldb')).find(file => pattern.test(file)) ?? expect.fail('there is none');
    return { name: `leveldb/${name}`, size: readFileSync(join(of, 'leveldb', name)).length };
  };
  const spread = (size: number, count: number) =>
    Array.from({ length: count }, (_, i) => Math.floor(((i + Math.random()) * size) / count));

  it('reports the sandboxes of a changed byte in a table, and serves the others', async () => {
    const { name, size } = fileOf(whole, /ldb$/);
    expect(size).to.be.above(20_000);
    const counts = new Set<number>();
    for (const at of spread(size, 25)) counts.add((await reportedFor(flip(name, at))).length);
    expect(Math.max(...counts)).to.be.above(0);
    expect(
      [...counts].filter(count => count > 0 && count < NAMES.length),
      [...counts].join(),
    ).not.to.equal([]);
  });

  it('reports all sandboxes of a table that is cut off or missing', async () => {
    const { name, size } = fileOf(whole, /ldb$/);
    for (const length of [0, 100, size - 1]) expect(await reportedFor(cut(name, length))).to.deep.equal(NAMES);
    expect(await reportedFor(place => rmSync(join(place, name)))).to.deep.equal(NAMES);
    expect(await reportedFor(place => rmSync(join(place, 'leveldb'), { recursive: true }))).to.deep.equal(NAMES);
  });

  it('is read if the list of tables is damaged', async () => {
    const { name, size } = fileOf(whole, /^MANIFEST/);
    for (const at of spread(size, 10))
      expect((await reportedFor(flip(name, at))).length).to.be.oneOf([NAMES.length, 0]);
    expect(await reportedFor(place => rmSync(join(place, 'leveldb', 'CURRENT')))).to.deep.equal([]);
    expect(await reportedFor(cut('leveldb/CURRENT', 3))).to.deep.equal([]);
    expect(await reportedFor(cut('index.json', 30))).to.deep.equal([]);
  });

  it('reports a sandbox that came back after it was dropped', async () => {
    const before = join(folder.path, 'before');
    cpSync(whole, before, { recursive: true });
    const store = await opened(before);
    await created(store, 'more');
    await store.close();
    const said: string[] = [];
    cpSync(join(whole, 'index.json'), join(before, 'index.json')); // of a moment without it
    await (await opened(before, { log: { info: () => {}, warn: line => said.push(line) } })).close();
    expect(said).to.deep.equal([
      'Sandbox more is damaged: it was dropped, but the record of the drop is missing. To reuse the name, delete the sandbox.',
    ]);
  });

  describe('of a process that was killed', () => {
    let killed: string;
    before(async () => {
      killed = join(folder.path, 'killed');
      const programs = scratch();
      const one = child(program('contender', programs.path));
      expect(await one.ask(`fill ${killed}`)).to.equal('filled');
      await one.kill();
      programs.drop();
      const copy = join(folder.path, 'copy');
      cpSync(killed, copy, { recursive: true });
      held = await heldIn(copy);
      expect(Object.keys(held)).to.have.members(NAMES);
    });

    it('reports the sandboxes of a changed byte in the log', async () => {
      const { name, size } = fileOf(killed, /log$/);
      const counts: number[] = [];
      const last = 1_000; // the last changes are about a sandbox that was dropped
      for (const at of spread(size - last, 25)) counts.push((await reportedFor(flip(name, at), killed)).length);
      expect(Math.min(...counts)).to.be.above(0);
      expect(Math.min(...counts)).to.be.below(NAMES.length);
    });

    it('keeps everything before a change that was not completely written', async () => {
      const { name, size } = fileOf(killed, /log$/);
      const place = join(folder.path, 'cut');
      cpSync(killed, place, { recursive: true });
      cut(name, size - 3)(place);
      const { gone, ...rest } = await heldIn(place); // the last change was its drop
      expect(gone?.head.last).to.equal(0);
      expect(rest).to.deep.equal(held);
    });
  });

  it('lets a damaged sandbox be deleted and created again, and refuses everything else', async () => {
    const place = join(folder.path, 'deleted');
    cpSync(whole, place, { recursive: true });
    const { name, size } = fileOf(whole, /ldb$/);
    cut(name, size - 1)(place);
    const store = await opened(place);
    const { head } = held['job-1'] ?? expect.fail('it is not there');
    for (const verb of [
      store.create('job-1', 'x'),
      store.append('job-1', head, [[1]]),
      store.compact('job-1', head, { from: 3 }),
      store.since('job-1'),
    ])
      expect((await refusalOf(verb)).message).to.match(/^Sandbox job-1 is damaged: all of it is missing\./);
    expect(await store.drop('job-1')).to.equal(true);
    expect(await store.drop('job-1')).to.equal(false);
    await created(store, 'job-1', 'again|job-1');
    await store.close();
    const again = await opened(place);
    expect(await again.list()).to.deep.equal(['job-1']);
    expect((await again.since('job-1'))?.base).to.equal('again|job-1');
    await again.close();
  });
});
