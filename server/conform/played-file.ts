// What was played of one file of the suite on a server that is not ours, before anything is concluded from it.
// Knows no rules and no terminal.
import { operationOf } from '../operations/catalog.js';
import type { Family } from '../operations/operation.js';
import type { Played } from '../scenario/play/player.js';
import type { Step } from '../scenario/step-format.js';
import type { Loaded } from '../scenario/story.js';

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

/** Which of the two interfaces a step asks; `undefined` where it asks nothing. */
export function familyOf({ call, request }: Step): Family | undefined {
  if (call !== undefined) return operationOf(call)?.family;
  if (request === undefined) return undefined;
  return /cwx-ppf|\/(push|pull)\b/i.test(request.path) ? 'ppf' : 'wiki'; // what is asked for nowhere is asked of the wiki
}
