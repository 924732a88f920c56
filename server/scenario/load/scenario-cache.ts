// Cache of loaded scenarios, so that sandboxes of one scenario share one world. An entry is valid as long as none of its files changes; scenarios
// with errors are not cached.

import { statSync } from 'node:fs';
import { runToEnd } from '../../domain/iterables.js';
import { realTime } from '../../engine/real-time.js';
import { inPieces } from '../../engine/time-slicing.js';
import { type Folders, findNamed } from '../files/folders.js';
import { isProblems, type Problems } from '../yaml/problem.js';
import { loadingNamed } from './load.js';
import type { Loaded } from './load-scenario.js';

interface Kept {
  readonly loaded: Loaded;
  /** Modification time and size of each file when it was read. */
  readonly stamps: readonly string[];
}

/** Maximum lag of a file's modification time behind the clock. */
const CLOCK_MS = 20;
const MAX_TRIES = 4;

type Loading = Generator<unknown, Loaded | Problems>;

/** Loads by name, or by `read`, unless it is cached. */
export class ScenarioCache {
  readonly #kept = new Map<string, Kept>();
  readonly #opening = new Map<string, Promise<Loaded | Problems>>();

  constructor(
    private readonly folders: Folders,
    private readonly read: (name: string, folders: Folders) => Loading = loadingNamed,
  ) {}

  load(name: string): Loaded | Problems {
    return runToEnd(this.#loading(name));
  }

  /** Interruptible, because a large recipe takes seconds. Parallel calls for the same name share one load. */
  open(name: string): Promise<Loaded | Problems> {
    const known = this.#opening.get(name);
    if (known !== undefined) return known;
    const opening = inPieces(this.#loading(name)).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  /** Whether it was loaded before; its file may have changed. */
  has(name: string): boolean {
    return this.#kept.has(`${name} ${this.#fileOf(name)}`);
  }

  *#loading(name: string): Loading {
    const key = `${name} ${this.#fileOf(name)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.stamps.join() === stampsOf(kept.loaded.files).join()) return kept.loaded;
    const { loaded, stamps } = yield* this.#reading(name);
    if (stamps === undefined || isProblems(loaded)) this.#kept.delete(key);
    else this.#kept.set(key, { loaded, stamps });
    return loaded;
  }

  /** Reads again a file that is being written, because its time may not change with the rest. No stamps: do not cache it. */
  *#reading(
    name: string,
  ): Generator<unknown, { readonly loaded: Loaded | Problems; readonly stamps?: readonly string[] }> {
    let before: readonly string[] | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const began = realTime.now();
      const loaded = yield* this.read(name, this.folders);
      if (isProblems(loaded)) return { loaded };
      const stamps = stampsOf(loaded.files);
      if (latestOf(loaded.files) < began - CLOCK_MS || stamps.join() === before?.join()) return { loaded, stamps };
      before = stamps;
    }
    return { loaded: yield* this.read(name, this.folders) };
  }

  /** The current file of a name: a new one may precede the old one. */
  #fileOf(name: string): string {
    const found = [this.folders.scenarios, this.folders.fixtures]
      .map(folders => findNamed(name, folders))
      .find(match => 'file' in match);
    return found !== undefined && 'file' in found ? found.file : '';
  }
}

/** Modification time in milliseconds. */
function latestOf(files: readonly string[]): number {
  return Math.max(...files.map(file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function stampsOf(files: readonly string[]): string[] {
  return files.map(file => {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats === undefined ? 'gone' : `${stats.mtimeMs} ${stats.size}`;
  });
}
