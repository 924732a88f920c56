// Texts from elsewhere that have been loaded, the latest few: sandboxes of one text share one world, and who plays one goes on in it.
import { createHash } from 'node:crypto';
import { sizeBeyond } from '../../domain/size.js';
import { emptyWorld } from '../../domain/world.js';
import { inPieces } from '../../engine/pieces.js';
import { isProblems, type Problems } from '../yaml/problem.js';
import type { Folders } from './folders.js';
import type { Loaded } from './story.js';

/** How many are remembered. */
const MOST = 8;

export class OpenedTexts {
  readonly #loaded = new Map<string, Loaded>();

  constructor(private readonly folders: Folders) {}

  /** `file`: the name that the text has elsewhere, for messages. */
  open = async (file: string, text: string): Promise<Loaded | Problems> => {
    const key = `${file} ${createHash('sha256').update(text).digest('hex')}`;
    const known = this.#loaded.get(key);
    if (known !== undefined) return known;
    const { loadingText } = await import('./opened-text.js'); // few servers are ever given one
    const loaded = await inPieces(loadingText(file, text, this.folders));
    if (isProblems(loaded)) return loaded;
    const bytes = sizeBeyond(emptyWorld, loaded.origin.world);
    const counted = { ...loaded, origin: { ...loaded.origin, bytes } };
    for (const oldest of [...this.#loaded.keys()].slice(0, -MOST + 1)) this.#loaded.delete(oldest);
    this.#loaded.set(key, counted);
    return counted;
  };
}
