// `--watch`: when a file of the scenario changes it is checked first; a good one takes over, a bad one is reported and the old stays.
import { dirname } from 'node:path';
import type { Log } from '../engine/log.js';
import { loadScenario } from '../scenario/load/load.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import type { Running } from './start.js';
import { WatchedFolder } from './watched-folder.js';

/** Editors write a file in several steps; what comes within this time is one change. */
const SETTLE_MS = 80;
/** No system tells that a folder has come back. */
const LOOK_MS = 500;

/** Watches the files that a scenario is made of; returns what ends that. */
export function watchScenario(running: Running, scenario: string, log: Log): () => void {
  const { fixtures, scenarios } = running.context.folders;
  const watched = new Map<string, WatchedFolder>();
  const known = new Set<string>(); // a file that was once part of it is again when it comes back
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;
  const notice = (file: string | undefined) => {
    // What a broken scenario lacks may be a file that is not there yet.
    if (file !== undefined && !known.has(file) && !(isBroken && /\.ya?ml$/.test(file))) return;
    clearTimeout(timer);
    timer = setTimeout(
      () => void reload().catch(error => log.error('a bug while loading anew; what was running stays', { err: error })),
      SETTLE_MS,
    );
  };
  const learn = (files: readonly string[]) => {
    for (const file of files) known.add(file);
    const folders = [...files.map(file => dirname(file)), ...fixtures, ...scenarios];
    for (const folder of folders) if (!watched.has(folder)) watched.set(folder, new WatchedFolder(folder, notice, log));
  };
  const reload = async () => {
    const loaded = loadScenario(scenario, running.context.folders);
    isBroken = isProblems(loaded);
    if (isProblems(loaded)) {
      log.error(
        `the changed scenario does not load; what was running stays:\n${loaded.problems.map(showProblem).join('\n')}`,
      );
      return;
    }
    learn(loaded.files);
    await running.session.replaceOrigin(loaded.origin);
    log.info(`loaded ${loaded.origin.scenario} anew; the sandbox default starts from it, and so do new ones`);
  };
  learn(running.loaded.files);
  const looking = setInterval(() => {
    for (const folder of watched.values()) folder.look();
  }, LOOK_MS);
  return () => {
    clearTimeout(timer);
    clearInterval(looking);
    for (const folder of watched.values()) folder.close();
  };
}
