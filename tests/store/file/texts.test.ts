// A large page text is stored once in the folder, however many copies, changes and journal entries have it, and is removed when unused.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ClassicLevel } from 'classic-level';
import { formOf } from '../../../server/domain/form/form.js';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import { begin } from '../../../server/engine/sandbox/state.js';
import { fileStore } from '../../../server/store/file/file-store.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { opened as openedSandbox, origin, sessionWith } from '../../support/worlds/sessions.js';

const MEBIBYTE = 2 ** 20;

for (const fsync of [false, true])
  describe(`large texts of pages in a folder${fsync ? ', with fsync' : ''}`, () => {
    let folder: Scratch;
    beforeEach(() => {
      folder = scratch();
    });
    afterEach(() => folder.drop());

    const session = async () => {
      const format = sandboxFormat();
      format.writeBase(begin(origin));
      const store = await fileStore({ folder: folder.path, format, fsync });
      const made = sessionWith({ store, journal: { entries: 100, bytes: 4 * MEBIBYTE } });
      await made.takeOver();
      return made;
    };
    type Session = Awaited<ReturnType<typeof session>>;
    const patch = async (made: Session, pages: Readonly<Record<string, object>>) => {
      const sandbox = await openedSandbox(made, 'a');
      const change = { type: 'world-patched', patch: { pages } } as const;
      await made.change(sandbox, () => ({ changes: [change], result: undefined }));
    };
    const page = (body: string, title = 'T') => ({ space: 'ds', title, body });
    /** The lengths of the parts of a closed store. */
    const parts = async () => {
      const level = new ClassicLevel<string, string>(join(folder.path, 'leveldb'), { compression: false });
      const values = await level.values({ gte: 'p!t-', lt: 'p!u' }).all();
      await level.close();
      return values.map(({ length }) => length);
    };
    const sizeOf = () => {
      const files = readdirSync(join(folder.path, 'leveldb'));
      return files.reduce((sum, file) => sum + statSync(join(folder.path, 'leveldb', file)).size, 0);
    };

    it('are written once, even when the log is compacted', async () => {
      const made = await session();
      const text = 'x'.repeat(MEBIBYTE);
      for (let i = 0; i < 40; i += 1) await patch(made, { [String(70_000 + i)]: page(text, `Copy ${i}`) });
      for (let i = 0; i < 20; i += 1) await patch(made, { [String(70_000 + i)]: page(`${text}${i}`, `Copy ${i}`) });
      const before = formOf((await openedSandbox(made, 'a')).state.world);
      await made.settings.store.close();
      expect(await parts()).to.have.length(21);
      expect(sizeOf()).to.be.lessThan(50 * MEBIBYTE);
      const again = await session();
      expect(formOf((await openedSandbox(again, 'a')).state.world)).to.deep.equal(before);
      await again.settings.store.close();
      expect(await parts()).to.have.length(21);
    });

    it('are removed: those of the past with the past, and all with their sandbox', async () => {
      const made = await session();
      for (let i = 0; i < 100; i += 1) await patch(made, { '70000': page(`${i}`.padEnd(MEBIBYTE, 'y')) });
      await made.settings.store.close();
      const bytes = (await parts()).reduce((sum, length) => sum + length, 0);
      expect(bytes, 'a history of 16 MiB').to.be.within(4 * MEBIBYTE, 20 * MEBIBYTE);
      const again = await session();
      await again.drop('a');
      await again.settings.store.close();
      expect(await parts()).to.deep.equal([]);
    });

    it('stay as long as another sandbox has them', async () => {
      const made = await session();
      await patch(made, { '70000': page('z'.repeat(MEBIBYTE)) });
      await made.fork(await openedSandbox(made, 'a'), 'b');
      await made.drop('a');
      await made.settings.store.close();
      expect(await parts()).to.have.length(1);
      const again = await session();
      expect((await openedSandbox(again, 'b')).state.world.pages.get('70000')?.body).to.have.length(MEBIBYTE);
      await again.drop('b');
      await again.settings.store.close();
      expect(await parts()).to.deep.equal([]);
    });
  });
