// Steps that change the sandbox: the clock, readings, the world, faults and a reset, wherever a scenario is played; and changes that cannot be applied.
import { expect } from 'chai';
import { connectFake, createFake } from '../../../server/index.js';
import { servedFake } from '../../../server/library/target/served-fake.js';
import type { Running } from '../../../server/process/start.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { playedBy, playedIn, playedOn, Recorder, story } from '../../support/scenarios/played.js';
import { sendJson, serving } from '../../support/wire/server.js';

const steps = `title: Time and change
fixture: small-team
clock: 2026-01-05T09:00:00Z
faults:
  - { operation: ppf.push, until: 2026-01-06T00:00:00Z, effect: { status: 503 } }
steps:
  - say: The add-on is down until midnight
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [10500] }
    expect: { status: 503 }
  - say: A step may advance the clock and send a request
    clock: +P1D
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [10500] }
    expect: { status: 200 }
  - say: Unknown users are bad requests from now on
    readings: { unknown-user: 400 }
  - say: The reading is in force in a later step
    as: admin
    call: groups.add-users
    body: { group: customers, users: [bob] }
    expect: { status: 400 }
  - say: Bob joins
    world: { users: { bob: {} } }
    then: { users: { bob: { displayName: bob } } }
  - say: The response to the next request is lost
    faults: [{ operation: groups.add-users, times: 1, effect: { hangUp: true } }]
    as: admin
    call: groups.add-users
    body: { group: customers, users: [bob] }
    expect: { connection: broken }
  - say: An hour later, at an instant
    clock: 2026-02-01T10:00:00Z
    as: admin
    call: spaces.replace-in-page
    query: { spaceKey: ds, pageTitle: Welcome }
    body: [{ oldText: "<p>", newText: "<p>!" }]
    then: { pages: { "65601": { updated: 2026-02-01T10:00:00Z } } }
  - say: Everything is as in the beginning
    reset: true
    then: { users: { bob: { $absent: true } }, favourites: { alice: { filters: [] } } }
  - say: The fault and the time too
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [10500] }
    expect: { status: 503 }
  - say: And the readings
    as: admin
    call: groups.add-users
    body: { group: customers, users: [bob] }
    expect: { status: 404 }
`;
const COUNT = steps.split('- say:').length - 1;
const push: Step = { say: 'A push', as: 'admin', call: 'ppf.push', body: { users: ['alice'], filters: [10500] } };

describe('steps that change the sandbox', () => {
  let server: Running;
  let files: Scratch;
  before(async () => {
    files = scratch({ 'scenarios/time.yaml': steps });
    server = await serving(undefined, { scenarios: `${files.path}/scenarios` });
  });
  after(async () => {
    await server.stop();
    files.drop();
  });
  const failed = (played: ReadonlyArray<{ say: string; outcome: string }>) =>
    played.filter(({ outcome }) => outcome !== 'passed').map(({ say }) => say);

  it('pass in a program, on a fake of its own and on a server', async () => {
    for (const fake of [await createFake({ scenarios: `${files.path}/scenarios` }), await connectFake(server.url)]) {
      const { passed, steps: played } = await fake.sandbox('a').play('time');
      expect({ failed: failed(played), passed, count: played.length }).to.deep.equal({
        failed: [],
        passed: true,
        count: COUNT,
      });
      await fake.stop();
    }
  });

  it('pass over HTTP step by step, as in the dashboard', async () => {
    const story = { file: 'time.yaml', text: steps };
    await sendJson(`${server.url}/_fake/v1/sandboxes/theatre`, 'PUT', story);
    for (let step = 1; step <= COUNT; step += 1) {
      const { json } = await sendJson(`${server.url}/_fake/v1/sandboxes/theatre/play`, 'POST', { ...story, step });
      const { steps: played } = json as { steps: Array<{ say: string; outcome: string }> };
      expect(failed(played), `step ${step}`).to.deep.equal([]);
    }
  });

  it('fail if the result is not a valid world, and send nothing, in this process and over HTTP', async () => {
    const target = await servedFake(server.url, { name: 'changing', isKept: false });
    if (target === undefined) expect.fail('it is a fake');
    const dangling = story([{ ...push, world: { groups: { customers: ['nobody'] } } }]);
    for (const [played] of [await playedIn(dangling), await playedBy(new Player(dangling, target))]) {
      expect({ outcome: played?.outcome, sent: played?.sent }).to.deep.equal({ outcome: 'failed', sent: undefined });
      expect(played?.differences.map(({ pointer }) => pointer)).to.deep.equal(['/groups/customers/0']);
    }
    await target.close();
  });

  it('are skipped if the target does not allow it, and send nothing', async () => {
    const target = new Recorder([{}]);
    const [played] = await playedOn(target, [{ ...push, world: { licence: { ppf: 'none' } } }]);
    expect(played).to.include({ outcome: 'skipped', why: 'it changes the world, which this target does not support' });
    expect(target.asked).to.deep.equal([]);
  });
});
