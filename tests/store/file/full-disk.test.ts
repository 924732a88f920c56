// A real full disk: as a file system of its own where one can be mounted, and as a limit on file sizes everywhere.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

import { type Scratch, scratch } from '../../support/files/scratch.js';
import { until } from '../../support/worlds/until.js';
import { appended, created, cut } from '../suite.js';
import { program } from './children.js';
import { heldBy, heldIn, opened, refusalOf } from './opened.js';

const KIBIBYTE = 1024;
/** Bytes that the small file system has, about. */
const FREE = 4000 * KIBIBYTE;

describe('a file store on a full disk', function () {
  this.timeout(60_000);
  let folder: Scratch;
  before(() => {
    folder = scratch();
  });
  after(() => folder.drop());

  describe('that is a small file system', () => {
    let mounted: string | undefined;
    before(function () {
      const place = join(folder.path, 'mounted');
      mkdirSync(place);
      const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place], { stdio: 'ignore' });
      if (status === 0) mounted = place;
      else {
        process.stderr.write(
          'skipped: no file system can be mounted here: a limit on the size of files stands for a full disk\n',
        );
        this.skip();
      }
    });
    after(() => mounted !== undefined && execFileSync('umount', ['-l', mounted]));

    for (const fsync of [false, true]) {
      it(`refuses what does not fit, loses nothing, and resumes when there is space${fsync ? ', with fsync' : ''}`, async () => {
        const data = join(mounted ?? '', fsync ? 'fsync' : 'plain');
        const ballast = join(mounted ?? '', 'ballast');
        const store = await opened(data, { fsync });
        let head = await created(store, 'a', 'base|part');
        writeFileSync(ballast, Buffer.alloc(FREE - KIBIBYTE * 200));
        const note = 'x'.repeat(10_000);
        const isFull = async () => {
          const appending = store.append('a', head, [[head.last + 1, note]]);
          const outcome = await appending.catch(() => undefined);
          if (outcome === undefined) return true;
          if (outcome === 'gone' || 'behind' in outcome) throw new Error(JSON.stringify(outcome));
          head = outcome.head;
          return false;
        };
        while (!(await isFull()));
        expect(head.last).to.be.greaterThan(5);
        const refused = await refusalOf(store.append('a', head, [[0, note]]));
        expect(refused.failure).to.equal('disk');
        expect(refused.message).to.match(/^The disk of .* is full, so nothing was changed: .*no space left/i);
        expect((await refusalOf(store.create('b', 'x'.repeat(100 * KIBIBYTE)))).failure).to.equal('disk');
        expect((await refusalOf(store.compact('a', head, cut(1, `${note.repeat(10)}|part`)))).failure).to.equal('disk');
        expect(store.trouble).to.equal(refused.message);
        unlinkSync(ballast);
        await until(() => store.trouble === undefined);
        const filled = await heldBy(store);
        expect(filled.a?.records.map(([n]) => n)).to.deep.equal(Array.from({ length: head.last }, (_, i) => i + 1));
        head = await appended(store, 'a', head, [[head.last + 1, note]]);
        await created(store, 'b', 'x'.repeat(100 * KIBIBYTE));
        const held = await heldBy(store);
        await store.close();
        expect(await heldIn(data)).to.deep.equal(held);
        expect(held.a?.records.map(([n]) => n)).to.deep.equal(Array.from({ length: head.last }, (_, i) => i + 1));
        rmSync(data, { recursive: true });
      });
    }
  });

  for (const fsync of ['fsync', 'no fsync']) {
    it(`that limits the size of a file refuses, loses nothing, and resumes, with ${fsync}`, async () => {
      const data = join(folder.path, fsync);
      const programs = scratch();
      const filler = program('filler', programs.path);
      const limited = 'ulimit -f 128; exec "$@"'; // blocks of 512 bytes
      const output = execFileSync('sh', ['-c', limited, 'sh', process.execPath, filler, data, fsync], {
        encoding: 'utf8',
      });
      programs.drop();
      const { filled, refused, small, held } = JSON.parse(output);
      expect(refused.failure).to.equal('disk');
      expect(refused.message).to.match(/^The disk of .* is full, so nothing was changed: .*file too large/i);
      expect(filled).to.be.greaterThan(50);
      expect(small).to.equal('created');
      expect(await heldIn(data)).to.deep.equal(held);
      expect(held.a.records.map(([n]: number[]) => n)).to.deep.equal(
        Array.from({ length: 11 }, (_, i) => filled - 9 + i),
      );
    });
  }
});
