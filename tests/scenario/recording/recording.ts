// Writes a journal out as a scenario, loads it, plays it and returns what failed; and does the same for random requests.
import { expect } from 'chai';
import fc from 'fast-check';
import { createFake } from '../../../server/index.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/load/folders.js';
import { loadScenario } from '../../../server/scenario/load/load.js';
import { Player } from '../../../server/scenario/play/player.js';
import type { Capsule } from '../../../server/scenario/recording/capsule-format.js';
import { firstDifference } from '../../../server/scenario/recording/compare.js';
import { type Recorded, recorded } from '../../../server/scenario/recording/recorded.js';
import { replay, worldOf } from '../../../server/scenario/recording/replay.js';
import { scenarioText } from '../../../server/scenario/recording/scenario-text.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';
import type { Assembled } from '../../../server/server.js';
import { scratch } from '../../support/files/scratch.js';
import { playedBy, playedText } from '../../support/scenarios/played.js';
import { courses, go } from '../../support/worlds/courses.js';

const folders = defaultFolders(packageRoot());
const everything = { from: 1, to: Number.MAX_SAFE_INTEGER };

export function recordingOf(capsule: Capsule, range = everything): Recorded {
  const world = worldOf(capsule) ?? expect.fail('there is no such world');
  return recorded(capsule, world, range) ?? expect.fail('there is no such entry');
}

/** Writes it, loads it, plays it, and returns what failed. */
export async function heldIn(on: Assembled, recording: Recorded): Promise<readonly string[]> {
  const files = scratch({ 'recorded.yaml': scenarioText(recording) });
  const loaded = loadScenario(`${files.path}/recorded.yaml`, folders);
  files.drop();
  if (isProblems(loaded)) return loaded.problems.map(showProblem);
  const target = inProcess(on, 'recorded');
  const played = await playedBy(new Player(loaded, target));
  await target.close();
  expect(played).to.have.lengthOf(recording.scenario.steps?.length ?? 0);
  return played.flatMap(step => (step.outcome === 'passed' ? [] : [step.step.say, ...playedText(step)]));
}

/** Random runs, each recorded and played again. */
export async function holdOnAny(on: Assembled, runs: number): Promise<void> {
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
        expect(await heldIn(on, recording), scenarioText(recording)).to.deep.equal([]);
      }
      await sandbox.drop();
    }),
    { numRuns: runs },
  );
  await fake.stop();
}
