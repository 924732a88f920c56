// Steps that change the sandbox: the clock, readings, the world, faults and a reset, wherever a scenario is played.
import { expect } from 'chai';
import { connectFake, createFake } from '../../../server/index.js';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
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

describe('steps that change the sandbox', () => {
  let server: Running;
  let files: Scratch;
  before(async () => {
    server = await serving();
    files = scratch({ 'scenarios/time.yaml': steps });
  });
  after(async () => {
    await server.stop();
    files.drop();
  });
  const failed = (played: ReadonlyArray<{ say: string; outcome: string }>) =>
    played.filter(({ outcome }) => outcome !== 'passed').map(({ say }) => say);

  for (const at of ['this process', 'a server'])
    it(`pass in a terminal and in a program, in ${at}`, async () => {
      const scenarios = `${files.path}/scenarios`;
      const isServed = at === 'a server';
      const { stdout } = await run(['play', 'time', ...(isServed ? ['--target', server.url] : [])], {
        cwd: files.path,
      });
      expect(stdout.split('\n').at(-2)).to.equal(`✔ 1 scenario, ${COUNT} steps passed, 0 failed, 0 skipped`);
      const other = await serving(undefined, { scenarios });
      const fake = await (isServed ? connectFake(other.url) : createFake({ scenarios }));
      const { passed, steps: played } = await fake.sandbox('a').play('time');
      expect({ failed: failed(played), passed }).to.deep.equal({ failed: [], passed: true });
      await fake.stop();
      await other.stop();
    });

  it('pass over HTTP, as a whole and step by step as in the dashboard', async () => {
    const play = `${server.url}/_fake/v1/sandboxes/theatre/play`;
    const story = { file: 'time.yaml', text: steps };
    await sendJson(`${server.url}/_fake/v1/sandboxes/theatre`, 'PUT', story);
    const whole = await sendJson(play, 'POST', story);
    expect(whole.json).to.have.property('passed', true);
    for (let step = 1; step <= COUNT; step += 1) {
      const { json } = await sendJson(play, 'POST', { ...story, step });
      expect(failed((json as { steps: Array<{ say: string; outcome: string }> }).steps), `step ${step}`).to.deep.equal(
        [],
      );
    }
  });
});
