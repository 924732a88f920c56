// Steps that change the world directly: the request sees the change, and a change that cannot be applied is reported.
import { expect } from 'chai';
import { servedFake } from '../../../server/library/target/served-fake.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { Player } from '../../../server/scenario/play/player.js';
import { playedBy, playedIn, playedOn, playedText, Recorder, story } from '../../support/scenarios/played.js';
import { serving } from '../../support/wire/server.js';

const push: Step = { say: 'A push', as: 'admin', call: 'ppf.push', body: { users: ['alice'], filters: [10500] } };
const steps: readonly Step[] = [
  { ...push, expect: { status: 200 } },
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  { say: 'The licence ends', world: { licence: { ppf: 'expired' } }, then: { licence: { ppf: 'expired' } } },
  { ...push, expect: { status: 403 }, proves: ['ppf.licensed-only'] },
  { ...push, world: { licence: { ppf: 'valid' } }, expect: { status: 200 } },
];
const dangling: Step = { say: 'A member of nothing', world: { groups: { customers: ['nobody'] } } };

describe('a step that changes the world', () => {
  it('changes it before its request, and for the steps after it', async () => {
    const played = await playedIn(story(steps));
    expect(played.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed', 'passed']);
    expect(played.map(({ received }) => received?.status)).to.deep.equal([200, undefined, 403, 200]);
  });

  it('does the same over HTTP', async () => {
    const running = await serving();
    const target = await servedFake(running.url, { name: 'changing', isKept: false });
    if (target === undefined) expect.fail('it is a fake');
    const played = await playedBy(new Player(story([...steps, dangling]), target));
    expect(played.map(({ outcome }) => outcome)).to.deep.equal(['passed', 'passed', 'passed', 'passed', 'failed']);
    expect(played.flatMap(playedText)).to.deep.equal([
      'A member of nothing: patch /groups/customers/0 cannot be applied to the world: Unknown user "nobody": expected one of admin, alice, carol, demouser1, demouser2.',
    ]);
    await target.close();
    await running.stop();
  });

  it('fails if the result is not a valid world, and sends nothing', async () => {
    const [played] = await playedIn(story([{ ...push, world: dangling.world ?? {} }]));
    expect(played?.outcome).to.equal('failed');
    expect(played?.sent).to.equal(undefined);
    expect(played && playedText(played)).to.deep.equal([
      'A push: patch /groups/customers/0 cannot be applied to the world: Unknown user "nobody": expected one of admin, alice, carol, demouser1, demouser2.',
    ]);
  });

  it('is skipped if the target does not allow it, and sends nothing', async () => {
    const target = new Recorder([{}]);
    const [played] = await playedOn(target, [{ ...push, world: { licence: { ppf: 'none' } } }]);
    expect(played).to.include({
      outcome: 'skipped',
      why: 'it changes the world, which this target does not support',
    });
    expect(target.asked).to.deep.equal([]);
  });
});
