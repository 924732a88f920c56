// A large page text is stored once in the folder, however many copies, changes and journal entries have it, and is removed when unused.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { sandboxFormat } from '../../../server/engine/codec/sandbox-codec.js';
import { begin } from '../../../server/engine/sandbox/state.js';
import { realDisk } from '../../../server/store/file/disk/disk.js';
import { fileStore } from '../../../server/store/file/file-store.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { opened as openedSandbox, origin, sessionWith } from '../../support/worlds/sessions.js';

const MEBIBYTE = 2 ** 20;

for (const fsync of [false, true])
  describe(`large texts of pages in a folder${fsync ? ', with fsync' : ''}`, () => {
    let folder: Scratch;
    let written = 0;
    beforeEach(() => {
      folder = scratch();
      written = 0;
    });
    afterEach(() => folder.drop());

    const session = async () => {
      const disk = {
        ...realDisk,
        write: (...given: Parameters<typeof realDisk.write>) => {
          const count = realDisk.write(...given);
          written += count;
          return count;
        },
      };
      const format = sandboxFormat();
      format.writeBase(begin(origin));
      const store = await fileStore({ folder: folder.path, format, fsync, disk });
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
    const parts = () => readdirSync(join(folder.path, 'parts')).filter(file => file.startsWith('part-t-'));
    const bytes = () => parts().reduce((sum, file) => sum + statSync(join(folder.path, 'parts', file)).size, 0);

    it('are written once, even when the log is rewritten', async () => {
      const made = await session();
      const text = 'x'.repeat(MEBIBYTE);
      for (let i = 0; i < 40; i += 1) await patch(made, { [String(70_000 + i)]: page(text, `Copy ${i}`) });
      expect(parts()).to.have.length(1);
      for (let i = 0; i < 20; i += 1) await patch(made, { [String(70_000 + i)]: page(`${text}${i}`, `Copy ${i}`) });
      expect(parts()).to.have.length(21);
      expect(written).to.be.lessThan(22 * MEBIBYTE);
      const before = formOf((await openedSandbox(made, 'a')).state.world);
      await made.settings.store.close();
      const again = await session();
      expect(formOf((await openedSandbox(again, 'a')).state.world)).to.deep.equal(before);
      expect(parts()).to.have.length(21);
      await again.settings.store.close();
    });

    it('are removed while the store is open: those of the past with the past, and all with their sandbox', async () => {
      const made = await session();
      for (let i = 0; i < 100; i += 1) await patch(made, { '70000': page(`${i}`.padEnd(MEBIBYTE, 'y')) });
      expect(bytes(), 'a history of 16 MiB, four times').to.be.within(12 * MEBIBYTE, 70 * MEBIBYTE);
      expect(written).to.be.lessThan(105 * MEBIBYTE);
      await made.drop('a');
      expect(parts()).to.deep.equal([]);
      await made.settings.store.close();
    });

    it('stay as long as another sandbox has them', async () => {
      const made = await session();
      await patch(made, { '70000': page('z'.repeat(MEBIBYTE)) });
      await made.fork(await openedSandbox(made, 'a'), 'b');
      await made.drop('a');
      expect(parts()).to.have.length(1);
      await made.settings.store.close();
      const again = await session();
      expect((await openedSandbox(again, 'b')).state.world.pages.get('70000')?.body).to.have.length(MEBIBYTE);
      await again.drop('b');
      expect(parts()).to.deep.equal([]);
      await again.settings.store.close();
    });
  });
