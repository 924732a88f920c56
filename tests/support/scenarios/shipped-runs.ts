// Every shipped scenario as it is played, each probe once for each reading of its gap; and a sandbox after one was played in it.

import { silentLog } from '../../../server/engine/log.js';
import type { CachedSandbox } from '../../../server/engine/session/cached-sandbox.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { type Assembled, assemble } from '../../../server/process/server.js';
import { defaultFolders, namesBeside, packageRoot } from '../../../server/scenario/files/folders.js';
import { listScenarios } from '../../../server/scenario/load/load.js';
import { loadScenarios } from '../../../server/scenario/load/load-named.js';
import { Player } from '../../../server/scenario/play/player.js';
import { type Run, readingsOf, runsOf } from '../../../server/scenario/play/runs.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';

/** `isWhole`: with `large`, where what is pushed to a hundred thousand people is heavier than what is kept of a history. */
export function shippedRuns(isWhole = false): readonly Run[] {
  const folders = defaultFolders(packageRoot());
  const names = ['rules/any', 'gaps/any'].flatMap(like => namesBeside(like, folders.scenarios));
  const listed = listScenarios(folders).map(({ name }) => name);
  const meant = loadScenarios([...listed.filter(name => isWhole || name !== 'large'), ...names], folders);
  if (isProblems(meant)) throw new Error(JSON.stringify(meant.problems));
  return runsOf(meant, true);
}

export async function assembled(): Promise<Assembled> {
  const made = await assemble(settingsFrom('small-team', {}), silentLog);
  if (isProblems(made)) throw new Error(JSON.stringify(made.problems));
  return made;
}

/** The sandbox in which a run has just been played from its beginning to its end. */
export async function playedOut(run: Run, on: Assembled, name = 'run'): Promise<CachedSandbox> {
  const player = new Player(run.loaded, inProcess(on, name), { readings: readingsOf(run) });
  for await (const _ of player.all());
  const sandbox = on.session.sandboxes.find(name);
  if (sandbox === undefined) throw new Error(`there is no sandbox ${name}`);
  return sandbox;
}
