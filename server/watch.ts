// `--watch`: when a file of the scenario changes it is checked first; a good one takes over, a bad one is reported and the old stays.
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Logger } from 'pino';
import { isProblems, loadScenario, showProblem } from './scenario/load.js';
import type { Running } from './start.js';

/** Editors write a file in several steps; what comes within this time is one change. */
const SETTLE_MS = 80;

/** Watches the files that a scenario is made of; returns what ends that. */
export function watchScenario(running: Running, scenario: string, log: Logger): () => void {
  let watchers: FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const rewatch = (files: readonly string[]) => {
    for (const watcher of watchers) watcher.close();
    watchers = foldersOf(files).map(([folder, names]) =>
      watch(folder, (_, name) => {
        if (name !== null && !names.has(name)) return;
        clearTimeout(timer);
        timer = setTimeout(() => void reload(), SETTLE_MS);
      }),
    );
  };
  const reload = async () => {
    const loaded = loadScenario(scenario, running.folders);
    if (isProblems(loaded)) {
      log.error(
        `the changed scenario does not load; what was running stays:\n${loaded.problems.map(showProblem).join('\n')}`,
      );
      return;
    }
    rewatch(loaded.files);
    await running.session.replaceOrigin(loaded.origin);
    log.info(`loaded ${loaded.origin.scenario} anew; the sandbox default starts from it, and so do new ones`);
  };
  rewatch(running.loaded.files);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Folders are watched rather than files: a file that is replaced is another file. */
function foldersOf(files: readonly string[]): Array<readonly [folder: string, names: ReadonlySet<string>]> {
  const folders = [...new Set(files.map(file => dirname(file)))];
  return folders.map(folder => [
    folder,
    new Set(files.filter(file => dirname(file) === folder).map(file => basename(file))),
  ]);
}
