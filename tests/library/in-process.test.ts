// A sandbox of a fake in this process as a target, created beside requests. served-fake.test.ts has what both targets do.
import { expect } from 'chai';
import { silentLog } from '../../server/engine/log.js';
import { inProcess } from '../../server/library/target/in-process-target.js';
import { type Assembled, assemble } from '../../server/process/server.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import { Player } from '../../server/scenario/play/player.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';

describe('a sandbox in this process', () => {
  let fake: Assembled;
  beforeEach(async () => {
    const assembled = await assemble(settingsFrom('small-team', { reading: ['unknown-page=400'] }), silentLog);
    if (isProblems(assembled)) throw new Error(JSON.stringify(assembled.problems));
    fake = assembled;
  });
  afterEach(() => fake.end());

  const named = (name: string) => {
    const loaded = loadNamed(name, fake.context.folders);
    if (isProblems(loaded)) throw new Error(`${name} does not load`);
    return loaded;
  };
  it('is created even while requests recreate it', async () => {
    const target = inProcess(fake, 'play');
    const player = new Player(named('unlicensed'), target);
    const others = Array.from({ length: 20 }, () => target.send({ method: 'POST', path: '/x', headers: {} }));
    await Promise.all([player.begin(), ...others]);
    expect(fake.session.sandboxes.find('play')?.state.origin.scenario).to.equal('unlicensed');
  });
});
