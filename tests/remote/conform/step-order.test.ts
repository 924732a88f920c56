// Which steps of a file wait for which, and how many requests follow one another at least.
import { expect } from 'chai';
import { planOf } from '../../../server/remote/changes/plan.js';
import { StepOrder } from '../../../server/remote/conform/step-order.js';
import { NamesThere } from '../../../server/remote/names/name-map.js';
import { NOTHING, type Shown } from '../../../server/remote/target/host-view.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { smallTeam } from '../../support/other-servers/outside.js';

const story = smallTeam();
const names = new NamesThere(story.origin.world);
const all: Shown = { wiki: true, tracker: true, alike: [] };

const push = (user: string, more: Partial<Step> = {}): Step => ({
  say: `it is pushed to ${user}`,
  as: 'admin',
  call: 'ppf.push',
  body: { users: [user], filters: [10500] },
  expect: { status: 200 },
  proves: ['ppf.push'],
  ...more,
});
const pull = (user: string) => push(user, { call: 'ppf.pull' });
const look = (then: NonNullable<Step['then']>): Step => ({ say: 'a look', proves: ['ppf.push'], then });

async function orderOf(steps: readonly Step[], shown: Shown = NOTHING): Promise<StepOrder> {
  const planned = await planOf([{ ...story, steps }], names, 'RUN008');
  const [one] = isProblems(planned) ? [] : planned;
  if (one === undefined) throw new Error('it cannot be planned');
  return new StepOrder(one, { known: {}, shown });
}

const partsOf = ({ parts }: StepOrder) => parts.map(({ steps, depth }) => [steps, depth]);

describe('the order of the steps of a file', () => {
  it('lets all later steps wait for one that captures something', async () => {
    const order = await orderOf([push('alice', { capture: { ok: '/success' } }), push('carol')]);
    expect(partsOf(order)).to.deep.equal([[[0, 1], 2]]);
  });

  it('lets a step wait for those of which it changes something', async () => {
    const order = await orderOf([push('alice'), push('carol'), pull('alice'), push('carol'), push('alice')]);
    expect(partsOf(order)).to.deep.equal([
      [[1, 3], 2],
      [[0, 2, 4], 3],
    ]);
    expect(order.before(4)).to.deep.equal([0, 2]);
  });

  it('counts what is looked at after a request, where it is shown', async () => {
    const then = { favourites: { alice: { filters: [10500] } } };
    const seen = push('alice', { then });
    expect(partsOf(await orderOf([seen, push('alice')]))).to.deep.equal([[[0, 1], 2]]);
    expect(partsOf(await orderOf([seen, push('alice')], all))).to.deep.equal([[[0, 1], 3]]);
  });

  it('lets a look wait for the steps about what it sees, refused ones too, and later ones about it for the look', async () => {
    const refused = push('alice', { body: { users: ['alice'], filters: 10500 }, expect: { status: 400 } });
    const steps = [
      push('carol'),
      refused,
      look({ favourites: { alice: { filters: [] } } }),
      push('alice'),
      push('carol'),
    ];
    const order = await orderOf(steps, all);
    expect(partsOf(order)).to.deep.equal([
      [[1, 2, 3], 4],
      [[0, 4], 2],
    ]);
    expect([order.before(2), order.before(3)]).to.deep.equal([[1], [1, 2]]);
  });

  it('lets a look at pages or spaces wait for all, and all for it', async () => {
    const order = await orderOf([push('carol'), look({ pages: { 65601: { title: 'Welcome' } } }), push('alice')], all);
    expect(partsOf(order)).to.deep.equal([[[0, 1, 2], 4]]);
  });
});
