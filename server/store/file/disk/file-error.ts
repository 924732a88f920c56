// Converts file errors to failures of the store, and says why a line of one cannot be read.
import { StoreError } from '../../../engine/store.js';

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The code of an operating system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** `what`: what failed, such as `the log of sandbox a could not be written`. */
export function failureOf(what: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(isNoRoom(error) ? 'full' : 'away', `${what}: ${reason}`, { cause: error });
}

function isNoRoom(error: unknown): boolean {
  return NO_ROOM.has(codeOf(error) ?? '');
}

/** A message that follows `file:line: `. */
export class Unreadable extends Error {
  constructor(
    message: string,
    readonly failure: 'format' | 'lost' = 'lost',
  ) {
    super(message);
  }
}
