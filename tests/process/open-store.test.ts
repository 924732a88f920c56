// Opens the store named in the settings, and restores the sandboxes a server finds there.
import { mkdirSync, readdirSync, rmdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { silentLog } from '../../server/engine/log.js';
import { assemble } from '../../server/process/server.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { scratch } from '../support/files/scratch.js';

describe('a store that a server opens', () => {
  it('restores sandboxes on the world of the scenario, without building that again', async () => {
    const folder = scratch();
    for (const expected of [['default'], ['default', 'mine']]) {
      const made = await assemble(settingsFrom('small-team', { store: `file:${folder.path}/kept` }), silentLog);
      if (isProblems(made)) throw new Error('it does not load');
      const { session } = made;
      expect(session.list().map(({ name }) => name)).to.have.members(expected);
      for (const { state } of session.list()) {
        expect(state.origin.world).to.equal(session.origin.world);
        expect(state.world).to.equal(session.origin.world);
      }
      await session.ensure('mine', session.origin);
      made.end();
      await made.close();
    }
    folder.drop();
  });

  it('is closed if no sandbox can be created in it, so that the next server can open it', async () => {
    const folder = scratch();
    const settings = settingsFrom('small-team', { store: `file:${folder.path}` });
    mkdirSync(join(folder.path, 'index.json.new'), { recursive: true }); // blocks a file of the store
    writeFileSync(join(folder.path, 'index.json'), '');
    const refused = await assemble(settings, silentLog).then(() => 'opened', String);
    expect(refused).to.match(/^StoreError: .*EISDIR/);
    rmdirSync(join(folder.path, 'index.json.new'));
    const made = await assemble(settings, silentLog);
    if (isProblems(made)) throw new Error('it does not load');
    expect(made.session.list().map(({ name }) => name)).to.deep.equal(['default']);
    made.end();
    await made.close();
    folder.drop();
  });

  it('serves the others if `default` is damaged, until it is deleted', async () => {
    const folder = scratch();
    const settings = settingsFrom('small-team', { store: `file:${folder.path}` });
    const first = await assemble(settings, silentLog);
    if (isProblems(first)) throw new Error('it does not load');
    first.end();
    await first.close();
    for (const file of readdirSync(join(folder.path, 'leveldb')))
      if (file.endsWith('.ldb')) truncateSync(join(folder.path, 'leveldb', file), 10);
    const said: string[] = [];
    const made = await assemble(settings, { ...silentLog, warn: message => said.push(message) });
    if (isProblems(made)) throw new Error('it does not load');
    const { session } = made;
    expect(said).to.deep.equal([
      'Sandbox default is damaged: all of it is missing. To reuse the name, delete the sandbox.',
    ]);
    await session.ensure('mine', session.origin);
    expect(await session.open('default').then(() => 'opened', String)).to.match(
      /^StoreError: Sandbox default is damaged/,
    );
    await session.drop('default');
    expect((await session.open('default'))?.version).to.equal(0);
    made.end();
    await made.close();
    folder.drop();
  });
});
