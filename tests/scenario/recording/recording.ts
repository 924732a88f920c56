// Writes a journal out as a scenario, loads it, plays it and returns what failed; and does the same for random requests.
import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { runToEnd } from '../../../server/domain/iterables.js';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { replayEntry } from '../../../server/engine/look-back/replay-entry.js';
import type { CachedSandbox as SandboxInMemory } from '../../../server/engine/session/cached-sandbox.js';
import { createFake, type Sandbox } from '../../../server/index.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import type { Assembled } from '../../../server/process/server.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import type { ScenarioForm } from '../../../server/scenario/format/scenario-format.js';
import { loadScenario } from '../../../server/scenario/load/load.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Run, runName } from '../../../server/scenario/play/runs.js';
import { recording } from '../../../server/scenario/recording/recorded.js';
import { scenarioText } from '../../../server/scenario/recording/scenario-text.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';
import { Driver } from '../../model/driver.js';
import { scratch } from '../../support/files/scratch.js';
import { playedBy, playedText } from '../../support/scenarios/played.js';
import { playedOut } from '../../support/scenarios/shipped-runs.js';
import { courses } from './random-steps.js';

const folders = defaultFolders(packageRoot());
const everything = { from: 1, to: Number.MAX_SAFE_INTEGER };

/** The text of a recorded scenario, what it says, and why entries were left out. */
interface Recording {
  readonly text: string;
  readonly scenario: ScenarioForm;
  readonly leftOut: ReadonlyArray<readonly [entry: number, why: string]>;
}

export async function recordingOf(sandbox: Sandbox, range = everything): Promise<Recording> {
  return read(await sandbox.record(range));
}

function recordingIn(sandbox: SandboxInMemory): Recording {
  return read(scenarioText(runToEnd(recording(sandbox, everything, '0.0.0')) ?? expect.fail('there is no entry')));
}

function read(text: string): Recording {
  const left = [...text.matchAll(/^# Left out: entry (\d+), \S+ \S+\. (.*)$/gm)];
  return {
    text,
    scenario: parse(text) as ScenarioForm, // as `record` writes it
    leftOut: left.map(([, entry, why = '']) => [Number(entry), why]),
  };
}

/** Writes it, loads it, plays it, and returns what failed. */
export async function heldIn(on: Assembled, { text, scenario }: Recording): Promise<readonly string[]> {
  const files = scratch({ 'recorded.yaml': text });
  const loaded = loadScenario(`${files.path}/recorded.yaml`, folders);
  files.drop();
  if (isProblems(loaded)) return loaded.problems.map(showProblem);
  const target = inProcess(on, 'recorded');
  const played = await playedBy(new Player(loaded, target));
  await target.close();
  expect(played).to.have.lengthOf(scenario.steps?.length ?? 0);
  return played.flatMap(step => (step.outcome === 'passed' ? [] : [step.step.say, ...playedText(step)]));
}

/** Each run, recorded and played again; and each of its requests performed again on the state before it. */
export async function holdOnShipped(on: Assembled, runs: readonly Run[]): Promise<void> {
  for (const run of runs.filter(({ loaded }) => loaded.steps.some(step => step.call ?? step.request))) {
    const sandbox = await playedOut(run, on);
    for (const entry of sandbox.journal.entries()) expectSameAgain(sandbox, entry);
    const recorded = recordingIn(sandbox);
    expect([await heldIn(on, recorded), recorded.leftOut], runName(run)).to.deep.equal([[], []]);
  }
}

/** Random runs, each recorded and played again. */
export async function holdOnAny(on: Assembled, runs: number): Promise<void> {
  const fake = await createFake();
  const driver = new Driver(fake);
  await fc.assert(
    fc.asyncProperty(courses(12), async course => {
      const sandbox = fake.sandbox();
      for (const step of course) await step(driver, sandbox.name);
      const journal = await sandbox.journal();
      for (const { id } of journal) {
        const { under } = await sandbox.explain(id, {});
        expect(under?.differences).to.deep.equal([]);
      }
      if (journal.length > 0) {
        const recorded = await recordingOf(sandbox);
        expect(recorded.text).not.to.include('secret');
        expect(await heldIn(on, recorded), recorded.text).to.deep.equal([]);
      }
      await sandbox.drop();
    }),
    { numRuns: runs },
  );
  await fake.stop();
}

/** Performs the request of an entry on the state before it: everything that the entry has is the same. */
function expectSameAgain({ history, server }: SandboxInMemory, entry: JournalEntry): void {
  const state = history.at(entry.before) ?? expect.fail(`no version ${entry.before}`);
  const { result, changes } = replayEntry(entry, state, server);
  const { response, rules, gaps, facts, operation, refused, injected } = result;
  const { status, body } = response;
  expect({ status, body, rules, gaps, facts, operation, refused, fault: injected?.name }).to.deep.equal({
    status: entry.response.status,
    body: entry.response.body,
    rules: entry.rules,
    gaps: entry.gaps,
    facts: entry.facts,
    operation: entry.operation,
    refused: entry.refused,
    fault: entry.fault,
  });
  expect(changes.length > 0).to.equal(entry.version > entry.before);
}
