// What was played of one file of the suite on a server that is not ours, before anything is concluded from it.
// Knows no rules and no terminal.

import type { Loaded } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';

export interface PlayedFile {
  /** In the names of the server. */
  readonly loaded: Loaded;
  /** As far as it was played; what could not be asked there is skipped. */
  readonly played: readonly Played[];
  /** The steps that cannot be asked there, whatever it follows. */
  readonly unplayable: ReadonlySet<number>;
  /** Why it was not played to its end. */
  readonly ended?: string;
  /** Milliseconds. */
  readonly duration: number;
}
