// Why a version, snapshot or entry cannot be used.

export interface HistoryError {
  /** `let-go`: it was discarded. */
  readonly code: 'taken' | 'full' | 'unknown' | 'let-go';
  /** What, where, and what is allowed. */
  readonly message: string;
}

export function isHistoryError(value: object): value is HistoryError {
  return 'code' in value;
}
