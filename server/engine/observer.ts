// Who hears what happens in the session of this process: readers of events, and who counts. Nothing waits for it, and nothing depends on it.
import type { JournalEntry } from './journal.js';
import type { Sandbox } from './sandbox.js';

/** Why a sandbox is no longer live: somebody let it go, it was idle for too long, or there were too many. */
export type Leaving = 'dropped' | 'expired' | 'evicted';

export interface Observer {
  made(sandbox: Sandbox): void;
  /** A request has been answered and written down. */
  answered(sandbox: Sandbox, entry: JournalEntry): void;
  /** It is back at its scenario; its journal is emptied next. */
  resetting(sandbox: Sandbox): void;
  left(sandbox: Sandbox, why: Leaving): void;
}
