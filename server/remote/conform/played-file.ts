// The played steps of one file of the suite on a foreign server.

import type { Loaded } from '../../scenario/load/story.js';
import type { Seen } from '../../scenario/play/judging.js';
import type { Played } from '../../scenario/play/player.js';

export interface PlayedFile {
  /** With the names of the server. */
  readonly loaded: Loaded;
  /** The results so far; steps that cannot be requested there are skipped. */
  readonly played: readonly Played[];
  /** Steps that cannot be requested there under any readings. */
  readonly unplayable: ReadonlySet<number>;
  /** Steps that were requested twice because the first answer differed. */
  readonly unsteady: ReadonlySet<number>;
  /** Why it ended early. */
  readonly ended?: string;
  /** What was seen before the first step, if that was looked at. */
  readonly beginning?: Seen;
  /** Milliseconds. */
  readonly duration: number;
}
