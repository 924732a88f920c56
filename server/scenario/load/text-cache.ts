// Cache of the latest loaded texts, so that sandboxes of one text share one world, and playing continues in it.
import { createHash } from 'node:crypto';
import { bytesIn } from '../../domain/world/world-size.js';
import { inPieces } from '../../engine/time-slicing.js';
import type { Folders } from '../files/folders.js';
import { isProblems, type Problems } from '../yaml/problem.js';
import { loadingText } from './load.js';
import type { Loaded } from './load-scenario.js';

/** Maximum size of the cache, besides the latest text. */
const MAX_BYTES = 32 * 1024 * 1024;

export class TextCache {
  readonly #loaded = new Map<string, Loaded>();

  constructor(private readonly folders: Folders) {}

  /** `file`: name of the text, for messages. */
  open = async (file: string, text: string): Promise<Loaded | Problems> => {
    const key = `${file} ${createHash('sha256').update(text).digest('hex')}`;
    const known = this.#loaded.get(key);
    if (known !== undefined) return known;
    const loaded = await inPieces(loadingText(file, text, this.folders));
    if (isProblems(loaded)) return loaded;
    this.#loaded.set(key, loaded);
    this.#dropOldest();
    return loaded;
  };

  #dropOldest(): void {
    let bytes = 0;
    for (const [key, { origin }] of [...this.#loaded].reverse()) {
      if (bytes > MAX_BYTES) this.#loaded.delete(key);
      bytes += bytesIn(origin.world);
    }
  }
}
