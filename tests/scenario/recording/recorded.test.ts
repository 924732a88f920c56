// A journal written out as a scenario loads, and passes when it is played.
import { expect } from 'chai';
import { createFake, type Fake, type Sandbox } from '../../../server/index.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { runName } from '../../../server/scenario/play/runs.js';
import { type Recorded, recorded } from '../../../server/scenario/recording/recorded.js';
import { worldOf } from '../../../server/scenario/recording/replay.js';
import { scenarioText } from '../../../server/scenario/recording/scenario-text.js';
import { seal } from '../../../server/scenario/recording/seal.js';
import type { Assembled } from '../../../server/server.js';
import { assembled, playedOut, shippedRuns } from '../../support/scenarios/shipped-runs.js';
import { heldIn, holdOnAny, recordingOf } from './recording.js';

describe('a recorded journal', function () {
  this.timeout(120_000);
  let on: Assembled;
  before(async () => {
    on = await assembled();
  });
  after(() => {
    on.end();
  });

  for (const run of shippedRuns().filter(({ loaded }) => loaded.steps.some(step => step.call ?? step.request))) {
    it(`of ${runName(run)} passes`, async () => {
      const sandbox = await playedOut(run, on);
      const recording = recordingOf(await seal(sandbox, '0.0.0', new Date()));
      expect(await heldIn(on, recording)).to.deep.equal([]);
      expect(recording.leftOut).to.deep.equal([]);
    });
  }

  it('passes after any requests and any changes through the control API', () => holdOnAny(on, 30));

  describe('of', () => {
    let fake: Fake;
    let sandbox: Sandbox;
    before(async () => {
      fake = await createFake();
    });
    beforeEach(() => {
      sandbox = fake.sandbox();
    });
    after(() => fake.stop());
    const join = (user: string, as = 'admin') =>
      sandbox.client(as).groups.addUsers({ body: { group: 'customers', users: [user] } });
    const steps = ({ scenario }: Recorded): readonly Step[] => scenario.steps ?? [];

    it('some entries begins with the world before the first of them', async () => {
      for (const user of ['alice', 'carol', 'demouser1']) await join(user);
      const recording = recordingOf(await sandbox.capsule(), { from: 2, to: 2 });
      expect(recording.scenario.world).to.deep.equal({ groups: { customers: ['alice'] } });
      expect(steps(recording).map(step => [step.body, step.then])).to.deep.equal([
        [{ group: 'customers', users: ['carol'] }, { groups: { customers: ['alice', 'carol'] } }],
      ]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
      const capsule = await sandbox.capsule();
      expect(recorded(capsule, worldOf(capsule) ?? expect.fail('no world'), { from: 4, to: 9 })).to.equal(undefined);
    });

    it('a fault arms it for its step alone', async () => {
      await sandbox.faults.set([
        { operation: 'groups.add-users', when: { every: 2 }, effect: { status: 503, delay: 1 } },
      ]);
      await join('alice');
      await join('carol');
      const recording = recordingOf(await sandbox.capsule());
      const faults = [{ operation: 'groups.add-users', times: 1, effect: { status: 503 } }];
      expect(steps(recording).map(step => [step.faults, step.proves?.length])).to.deep.equal([
        [undefined, 2],
        [faults, undefined],
      ]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('changes through the control API applies them before the next step', async () => {
      await join('bob');
      await sandbox.patch({ users: { bob: { password: 'hunter2' } } });
      await sandbox.readings.set({ 'no-change': '409' });
      await join('bob', 'bob');
      await join('bob', 'bob');
      const recording = recordingOf(await sandbox.capsule());
      const [, second, third] = steps(recording);
      expect(second?.world).to.deep.include({
        users: { bob: { displayName: 'bob', admin: false, password: 'password of bob' } },
      });
      expect([second?.as, second?.readings]).to.deep.equal([
        { user: 'bob', password: 'password of bob' },
        { 'no-change': '409' },
      ]);
      expect([third?.world, third?.expect?.status]).to.deep.equal([undefined, 409]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('requests that no step can send leaves them out, says so, and passes for the rest', async () => {
      await sandbox.faults.set([{ operation: 'groups.add-users', when: { nth: 1 }, effect: { hangUp: true } }]);
      await join('alice').catch(() => undefined);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is written so in a file
      await sandbox.client('admin').groups.addUsers({ body: { group: '${run}', users: [] } });
      await join('carol');
      const recording = recordingOf(await sandbox.capsule());
      expect(steps(recording).map(step => step.expect)).to.deep.equal([
        { connection: 'broken' },
        { status: 200, body: {} },
      ]);
      expect(recording.leftOut.map(({ entry, why }) => [entry, why])).to.deep.equal([
        [2, 'It contains ${, which a scenario would replace.'],
      ]);
      expect(scenarioText(recording)).to.contain(
        '# Left out: entry 2, POST /rest/cwxapiextension/latest/groups/add-users. It contains',
      );
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    for (const header of [
      '',
      'Bearer',
      'Digest x',
      'Basic',
      'Basic *',
      'Basic /zo=',
      'Basic YQ==',
      'Basic Ym9iOng=',
      'Basic Y2Fyb2w6eA==',
      'Bearer x',
    ]) {
      it(`credentials such as ${JSON.stringify(header)} has some that are wrong in the same way`, async () => {
        await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST', headers: { Authorization: header } });
        const recording = recordingOf(await sandbox.capsule());
        expect(recording.leftOut).to.deep.equal([]);
        expect(steps(recording)[0]?.expect?.status).to.equal(401);
        expect(await heldIn(on, recording)).to.deep.equal([]);
      });
    }
  });
});
