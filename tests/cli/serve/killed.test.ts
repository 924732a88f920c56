// A server killed during a reload: the next one starts normally.
import { expect } from 'chai';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import { useScratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { endAll, type Launched, launch } from '../../support/processes/command-line.js';
import { send } from '../../support/wire/server.js';

const FIRST = { title: 'A story', fixture: 'small-team', world: { spaces: { ds: { name: 'First' } } } };

describe('a killed server', () => {
  before(built);
  const folder = useScratch({ 'scenarios/story.yaml': JSON.stringify(FIRST), 'fixtures/.keep': '' });
  after(endAll);

  it('leaves a whole scenario to the next one if it dies during a reload', async () => {
    const name = async ({ url }: Launched) =>
      ((await send(`${url}/_fake/v1/sandboxes/default/world`)).json as WorldForm).spaces.ds?.name;
    for (let round = 0; round < 4; round++) {
      const server = await launch(['story', '--watch'], { cwd: folder.path });
      expect(await name(server)).to.equal(round === 0 ? 'First' : `Round ${round - 1}`);
      folder.replace(
        'scenarios/story.yaml',
        JSON.stringify({ ...FIRST, world: { spaces: { ds: { name: `Round ${round}` } } } }),
      );
      await new Promise(resolve => setTimeout(resolve, 60 + Math.random() * 80)); // about when it loads
      expect((await server.signal('SIGKILL')).code).to.equal(null);
    }
  });
});
