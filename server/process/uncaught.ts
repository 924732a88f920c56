// Errors that nothing has caught are bugs: they are logged, and the server goes on.
import type { Log } from '../engine/log.js';

/** Returns a function that leaves such errors to Node again, which ends the process. */
export function logUncaught(log: Log): () => void {
  const report = (error: unknown) => log.error('a bug in cwx-fake', { err: error });
  process.on('uncaughtException', report); // Node raises unhandled rejections as such
  return () => void process.off('uncaughtException', report);
}
