// What happened becomes a test: a journal written out as a scenario that loads, and holds when it is played.
import { expect } from 'chai';
import type { Assembled } from '../../../server/assemble.js';
import type { Capsule } from '../../../server/scenario/capsule/capsule-format.js';
import { worldOf } from '../../../server/scenario/capsule/replay.js';
import { seal } from '../../../server/scenario/capsule/seal.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/folders.js';
import { checkFile, loadScenario } from '../../../server/scenario/load.js';
import { Player } from '../../../server/scenario/play/player.js';
import { runName } from '../../../server/scenario/play/runs.js';
import { isProblems, showProblem } from '../../../server/scenario/problem.js';
import { type Recorded, recorded } from '../../../server/scenario/record/recorded.js';
import { scenarioText } from '../../../server/scenario/record/scenario-text.js';
import { inProcess } from '../../../server/targets/in-process.js';
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
});
