// Why something cannot be done with the past of a sandbox. Each face of the fake reports it in its own way.

export interface HistoryError {
  /** `let-go`: it was there, and is kept no longer. */
  readonly code: 'taken' | 'full' | 'unknown' | 'let-go';
  /** What, where, and what would be right. */
  readonly message: string;
}

export function isHistoryError(value: object): value is HistoryError {
  return 'code' in value;
}
