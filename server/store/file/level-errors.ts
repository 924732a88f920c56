// Errors of LevelDB as errors of the store.
import { StoreError } from '../../engine/store.js';

const NO_ROOM = /no space left|not enough space|quota exceeded|file too large|ENOSPC|EDQUOT|EFBIG/i;
const DENIED = /permission denied|read-only|too many open/i;

/** The error of LevelDB, which abstract-level wraps. */
function causeOf(error: unknown): NodeJS.ErrnoException {
  const { cause = error } = error as Error;
  return cause as Error;
}

export function openingError(folder: string, cause: unknown): StoreError {
  const { code, message } = causeOf(cause);
  if (cause instanceof StoreError || NO_ROOM.test(message)) return writingError(folder, cause);
  const inUse = `The folder ${folder} is in use by another process: stop that process, or choose another folder`;
  if (code === 'LEVEL_LOCKED') return new StoreError('refused', inUse, { cause });
  const denied = `Cannot use the folder ${folder}: ${message}`;
  if (DENIED.test(message)) return new StoreError('refused', denied, { cause });
  const fix = 'Restore the folder from a backup, or delete it to start without sandboxes';
  return new StoreError('lost', `LevelDB cannot read the sandboxes in ${folder}: ${message}. ${fix}`, { cause });
}

export function writingError(folder: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const { message } = causeOf(cause);
  return NO_ROOM.test(message)
    ? new StoreError('disk', `The disk of ${folder} is full, so nothing was changed: ${message}`, { cause })
    : new StoreError('away', `The folder ${folder} cannot be written: ${message}`, { cause });
}
