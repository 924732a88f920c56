// The largest shipped scenario, played on a served fake: its world has 45 MB, which goes over the wire with each look.
import { expect } from 'chai';
import { servedFake } from '../../../server/library/target/served-fake.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import { loadNamed } from '../../../server/scenario/load/load.js';
import { Player } from '../../../server/scenario/play/player.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { playedBy, playedText } from '../../support/scenarios/played.js';
import { serving } from '../../support/wire/server.js';

describe('a served fake', () => {
  it('large: each step holds', async function () {
    this.timeout(120_000);
    const server = await serving('empty-wiki', { reading: ['sidebar-duplicate=409'] });
    const loaded = loadNamed('large', defaultFolders(packageRoot()));
    if (isProblems(loaded)) throw new Error(JSON.stringify(loaded.problems));
    const target = await servedFake(server.url, { name: 'shipped', isKept: false });
    if (target === undefined) throw new Error('it is no fake');
    const played = await playedBy(new Player(loaded, target));
    expect(played.flatMap(playedText)).to.deep.equal([]);
    expect(played.map(({ outcome, unchecked }) => [outcome, unchecked])).to.deep.equal(
      loaded.steps.map(() => ['passed', []]),
    );
    await target.close();
    await server.stop();
  });
});
