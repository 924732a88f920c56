// What went wrong with a file, as a failure of the store. Knows nothing of what the file is for.
import { StoreError } from '../../../engine/store.js';

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The code of an error of the operating system, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** `what`: what could not be done, such as `the log of sandbox a could not be written`. */
export function failureOf(what: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(isNoRoom(error) ? 'full' : 'away', `${what}: ${reason}`, { cause: error });
}

export function isNoRoom(error: unknown): boolean {
  return NO_ROOM.has(codeOf(error) ?? '');
}
