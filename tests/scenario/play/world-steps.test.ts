// Changes of the world that cannot be applied. changing-steps.test.ts has those that can.
import { expect } from 'chai';
import { servedFake } from '../../../server/library/target/served-fake.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { Player } from '../../../server/scenario/play/player.js';
import { playedBy, playedIn, playedOn, playedText, Recorder, story } from '../../support/scenarios/played.js';
import { serving } from '../../support/wire/server.js';

const push: Step = { say: 'A push', as: 'admin', call: 'ppf.push', body: { users: ['alice'], filters: [10500] } };
describe('a step that changes the world', () => {
  it('fails if the result is not a valid world, and sends nothing, in this process and over HTTP', async () => {
    const running = await serving();
    const target = await servedFake(running.url, { name: 'changing', isKept: false });
    if (target === undefined) expect.fail('it is a fake');
    const dangling = story([{ ...push, world: { groups: { customers: ['nobody'] } } }]);
    for (const played of [await playedIn(dangling), await playedBy(new Player(dangling, target))]) {
      expect(played.map(({ outcome, sent }) => ({ outcome, sent }))).to.deep.equal([
        { outcome: 'failed', sent: undefined },
      ]);
      expect(played.flatMap(playedText)).to.deep.equal([
        'A push: patch /groups/customers/0 cannot be applied to the world: Unknown user "nobody": expected admin, alice, carol, demouser1 or demouser2.',
      ]);
    }
    await target.close();
    await running.stop();
  });

  it('is skipped if the target does not allow it, and sends nothing', async () => {
    const target = new Recorder([{}]);
    const [played] = await playedOn(target, [{ ...push, world: { licence: { ppf: 'none' } } }]);
    expect(played).to.include({ outcome: 'skipped', why: 'it changes the world, which this target does not support' });
    expect(target.asked).to.deep.equal([]);
  });
});
