// Scenarios that have been loaded once, as long as none of their files changes: sandboxes of one scenario share one world, whatever its size.
// Asks the files, not the clock; a scenario with problems is not kept.
import { statSync } from 'node:fs';
import { type Folders, findNamed } from './folders.js';
import { loadNamed } from './load.js';
import { isProblems, type Problems } from './problem.js';
import type { Loaded } from './story.js';

interface Kept {
  readonly loaded: Loaded;
  /** What each file was when it was read: its time of change and its size. */
  readonly stamps: readonly string[];
}

/** Loads by name, or as `read` does, what has not been loaded since its files changed. */
export class KeptScenarios {
  readonly #kept = new Map<string, Kept>();

  constructor(
    private readonly folders: Folders,
    private readonly read: (name: string, folders: Folders) => Loaded | Problems = loadNamed,
  ) {}

  load(name: string): Loaded | Problems {
    const key = `${name} ${this.#fileOf(name)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.stamps.join() === stampsOf(kept.loaded.files).join()) return kept.loaded;
    const loaded = this.read(name, this.folders);
    if (isProblems(loaded)) this.#kept.delete(key);
    else this.#kept.set(key, { loaded, stamps: stampsOf(loaded.files) });
    return loaded;
  }

  /** The file that a name stands for now: a new one may have come before it. */
  #fileOf(name: string): string {
    const found = [this.folders.scenarios, this.folders.fixtures]
      .map(folders => findNamed(name, folders))
      .find(match => 'file' in match);
    return found !== undefined && 'file' in found ? found.file : '';
  }
}

function stampsOf(files: readonly string[]): string[] {
  return files.map(file => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
  });
}
