// Opens the store named in the settings, and restores the sandboxes a server finds there.
import { join } from 'node:path';
import { expect } from 'chai';
import { ClassicLevel } from 'classic-level';
import { silentLog } from '../../server/engine/log.js';
import { assemble } from '../../server/process/server.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { put } from '../../server/store/file/records.js';
import { useScratch } from '../support/files/scratch.js';

describe('a store that a server opens', () => {
  const folder = useScratch();
  const assembled = async () => {
    const made = await assemble(settingsFrom('small-team', { store: `file:${folder.path}/kept` }), silentLog);
    if (isProblems(made)) throw new Error('it does not load');
    const close = async () => {
      made.end();
      await made.close();
    };
    return { session: made.session, close };
  };

  it('restores sandboxes on the world of the scenario, without building that again', async () => {
    for (const expected of [['default'], ['default', 'mine']]) {
      const { session, close } = await assembled();
      expect(session.sandboxes.list().map(({ name }) => name)).to.have.members(expected);
      for (const { state } of session.sandboxes.list()) {
        expect(state.origin.world).to.equal(session.origin.world);
        expect(state.world).to.equal(session.origin.world);
      }
      await session.ensure('mine', session.origin);
      await close();
    }
  });

  it('is closed if a sandbox in it cannot be restored, so that the next server can open it', async () => {
    await (await assembled()).close();
    const inDatabase = async (act: (level: ClassicLevel, key: string, value: string) => Promise<void>) => {
      const level = new ClassicLevel(join(folder.path, 'kept', 'leveldb'), { compression: false });
      const [[key, value] = ['', '']] = await level.iterator({ gt: 's!' }).all();
      await act(level, key, value);
      await level.close();
      return value;
    };
    const value = await inDatabase((level, key) => level.batch([put(key, 'no JSON')]));
    expect(await assembled().then(() => 'opened', String)).to.match(/^StoreError: .* is not JSON/);
    await inDatabase((level, key) => level.put(key, value));
    const { session, close } = await assembled();
    expect(session.sandboxes.list().map(({ name }) => name)).to.deep.equal(['default']);
    await close();
  });
});
