// `--watch`: when a file of the scenario changes, it is checked; a valid scenario replaces the old one, errors are reported. Files are polled, because
// network folders and mounts of containers report no changes, and a swapped link or a folder that is made again ends a watch.
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Log } from '../engine/log.js';
import { yamlFilesIn } from '../scenario/files/folders.js';
import { loadScenario } from '../scenario/load/load.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import { MAX_BYTES_RUNNING } from '../scenario/yaml/text.js';
import type { Running } from './start.js';

/** A change is loaded once the files have stayed the same for this time: editors write in several steps. */
const POLL_MS = 250;

/** What identifies the content of each file, by path. */
type Seen = ReadonlyMap<string, string>;

/** Watches the files of a scenario; returns a function that stops it. */
export function watchScenario(running: Running, scenario: string, log: Log): () => void {
  const { fixtures, scenarios } = running.context.folders;
  const known = new Set<string>(); // a removed file belongs to the scenario again when it comes back
  let isBroken = false;

  const learn = (files: readonly string[]) => {
    for (const file of files)
      for (const folder of [dirname(file), ...fixtures, ...scenarios]) known.add(join(folder, basename(file))); // one in an earlier folder wins
  };
  const look = (): Seen => {
    const folders = new Set([...known].map(file => dirname(file)));
    const missing = isBroken ? [...folders].flatMap(yamlFilesIn) : []; // a broken scenario may need a file that does not exist yet
    return new Map([...known, ...missing].map(path => [path, identityOf(path)]));
  };
  const reload = async () => {
    const found = loadScenario(scenario, { ...running.context.folders, largest: MAX_BYTES_RUNNING });
    isBroken = isProblems(found);
    if (isProblems(found)) {
      const problems = found.problems.map(showProblem).join('\n');
      log.error(`the changed scenario cannot be loaded, so the old one stays:\n${problems}`);
      return;
    }
    learn(found.files);
    await running.session.replaceOrigin(found.origin);
    log.info(`reloaded ${found.origin.scenario}: the sandbox default was reset to it, and new sandboxes start from it`);
  };

  learn(running.loaded.files);
  let loaded = look();
  let last = loaded;
  const poll = async () => {
    const now = look();
    const isStable = isSame(now, last);
    last = now;
    if (!isStable || isSame(now, loaded)) return;
    await reload();
    last = new Map([...look()].map(([path, identity]) => [path, now.get(path) ?? identity]));
    loaded = last;
  };
  let timer: NodeJS.Timeout | undefined;
  const goOn = () => {
    timer = setTimeout(() => {
      poll()
        .catch(error => log.error('a bug in cwx-fake while reloading; the old scenario stays', { err: error }))
        .finally(() => timer !== undefined && goOn());
    }, POLL_MS);
  };
  goOn();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

/** A file that cannot be read is loaded all the same, and loading it gives the reason. */
function identityOf(path: string): string {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function isSame(one: Seen, other: Seen): boolean {
  return one.size === other.size && [...one].every(([path, identity]) => other.get(path) === identity);
}
