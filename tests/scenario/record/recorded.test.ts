// What happened becomes a test: a journal written out as a scenario that loads, and holds when it is played.
import { expect } from 'chai';
import fc from 'fast-check';
import type { Assembled } from '../../../server/assemble.js';
import { createFake, type Fake, type Sandbox } from '../../../server/index.js';
import type { Capsule } from '../../../server/scenario/capsule/capsule-format.js';
import { firstDifference } from '../../../server/scenario/capsule/compare.js';
import { replay, worldOf } from '../../../server/scenario/capsule/replay.js';
import { seal } from '../../../server/scenario/capsule/seal.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/folders.js';
import { checkFile, loadScenario } from '../../../server/scenario/load.js';
import { Player } from '../../../server/scenario/play/player.js';
import { runName } from '../../../server/scenario/play/runs.js';
import { isProblems, showProblem } from '../../../server/scenario/problem.js';
import { type Recorded, recorded } from '../../../server/scenario/record/recorded.js';
import { scenarioText } from '../../../server/scenario/record/scenario-text.js';
import type { Step } from '../../../server/scenario/step-format.js';
import { inProcess } from '../../../server/targets/in-process.js';
import { courses, go } from '../../support/courses.js';
import { playedBy, playedText } from '../../support/played.js';
import { type Scratch, scratch } from '../../support/scratch.js';
import { assembled, playedOut, shippedRuns } from '../../support/shipped-runs.js';

const folders = defaultFolders(packageRoot());
const everything = { from: 1, to: Number.MAX_SAFE_INTEGER };

function recordingOf(capsule: Capsule, range = everything): Recorded {
  const world = worldOf(capsule) ?? expect.fail('there is no such world');
  return recorded(capsule, world, range) ?? expect.fail('there is no such entry');
}

describe('a recorded journal', function () {
  this.timeout(120_000);
  let on: Assembled;
  let files: Scratch;
  before(async () => {
    on = await assembled();
    files = scratch({});
  });
  after(() => {
    on.end();
    files.drop();
  });

  /** Writes it, loads it, plays it, and says what did not hold. */
  async function heldIn(recording: Recorded): Promise<readonly string[]> {
    files.write('recorded.yaml', scenarioText(recording));
    const file = `${files.path}/recorded.yaml`;
    const problems = checkFile(file, folders).map(showProblem);
    const loaded = loadScenario(file, folders);
    if (isProblems(loaded) || problems.length > 0) return problems;
    const target = inProcess(on, 'recorded');
    const played = await playedBy(new Player(loaded, target));
    await target.close();
    expect(played).to.have.lengthOf(recording.scenario.steps?.length ?? 0);
    return played.flatMap(step => (step.outcome === 'held' ? [] : [step.step.say, ...playedText(step)]));
  }

  for (const run of shippedRuns().filter(({ loaded }) => loaded.steps.some(step => step.call ?? step.request))) {
    it(`of ${runName(run)} holds`, async () => {
      const sandbox = await playedOut(run, on);
      const recording = recordingOf(seal(sandbox, '0.0.0', new Date()));
      expect(await heldIn(recording)).to.deep.equal([]);
      expect(recording.leftOut).to.deep.equal([]);
    });
  }

  it('holds whatever was asked, and whatever was changed from behind', async () => {
    const fake = await createFake();
    await fc.assert(
      fc.asyncProperty(courses(12), async course => {
        const sandbox = fake.sandbox();
        await go(sandbox, course);
        const capsule = await sandbox.capsule();
        expect(JSON.stringify(capsule)).not.to.include('secret');
        const again = [...replay(capsule, worldOf(capsule) ?? expect.fail('there is no such world'))];
        expect(again.flatMap(one => firstDifference(one) ?? [])).to.deep.equal([]);
        for (const { id } of await sandbox.journal()) {
          const { under } = await sandbox.explain(id, {});
          expect(under?.differs).to.deep.equal([]);
        }
        if (capsule.entries.length > 0) {
          const recording = recordingOf(capsule);
          expect(await heldIn(recording), scenarioText(recording)).to.deep.equal([]);
        }
        await sandbox.drop();
      }),
      { numRuns: 150 },
    );
    await fake.stop();
  });

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
      expect(await heldIn(recording)).to.deep.equal([]);
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
      expect(await heldIn(recording)).to.deep.equal([]);
    });

    it('changes from behind lays them over the world before the next step', async () => {
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
      expect(await heldIn(recording)).to.deep.equal([]);
    });

    it('what no step can ask leaves that out, says so, and holds for the rest', async () => {
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
        [2, 'It holds ${, which a scenario fills in.'],
      ]);
      expect(scenarioText(recording)).to.contain(
        '# Left out: entry 2, POST /rest/cwxapiextension/latest/groups/add-users. It holds',
      );
      expect(await heldIn(recording)).to.deep.equal([]);
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
      it(`credentials such as ${JSON.stringify(header)} shows some that are as wrong`, async () => {
        await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST', headers: { Authorization: header } });
        const recording = recordingOf(await sandbox.capsule());
        expect(recording.leftOut).to.deep.equal([]);
        expect(steps(recording)[0]?.expect?.status).to.equal(401);
        expect(await heldIn(recording)).to.deep.equal([]);
      });
    }
  });
});
