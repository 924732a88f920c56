// Who hears what happens in the session of this process: readers of events, and who counts. Nothing waits for it, and nothing depends on it.
import type { Hearing, Sandbox } from '../sandbox/cached-sandbox.js';

/** Why a sandbox is no longer live: somebody let it go, it was idle for too long, or there were too many. */
export type Ending = 'dropped' | 'expired' | 'evicted';

export interface Observer extends Hearing {
  made(sandbox: Sandbox): void;
  left(sandbox: Sandbox, why: Ending): void;
  /** Whether somebody listens to what happens in a sandbox of this name. */
  isHeard(name: string): boolean;
  /** Something went wrong that nobody waits for, and that is done again. */
  troubled(error: unknown): void;
}
