// Opens the store named in the settings, and restores the sandboxes a server finds there.
import { mkdirSync, rmdirSync } from 'node:fs';
import { expect } from 'chai';
import { silentLog } from '../../server/engine/log.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { assemble } from '../../server/server.js';
import { settingsFrom } from '../../server/settings.js';
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
    mkdirSync(`${folder.path}/default.jsonl.new`); // blocks the file of the sandbox default
    const refused = await assemble(settings, silentLog).then(() => 'opened', String);
    expect(refused).to.match(/^StoreError: default\.jsonl could not be written: EISDIR/);
    rmdirSync(`${folder.path}/default.jsonl.new`);
    const made = await assemble(settings, silentLog);
    if (isProblems(made)) throw new Error('it does not load');
    expect(made.session.list().map(({ name }) => name)).to.deep.equal(['default']);
    made.end();
    await made.close();
    folder.drop();
  });
});
