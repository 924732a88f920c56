// Observers of the session of this process: event readers and metrics. Nothing waits for them.
import type { CachedSandbox, SandboxObserver } from './cached-sandbox.js';

/** Why a sandbox is gone: it was dropped, expired, or was evicted because there were too many. */
export type EndReason = 'dropped' | 'expired' | 'evicted';

export interface Observer extends SandboxObserver {
  made(sandbox: CachedSandbox): void;
  left(sandbox: CachedSandbox, why: EndReason): void;
  /** Whether a sandbox of this name has readers. */
  isHeard(name: string): boolean;
  /** A background failure; it will be retried. */
  troubled(error: unknown): void;
}
