// Why something cannot be done with the past of a sandbox. Knows neither HTTP nor the errors of the library, which each tell it their way.

export interface Hindrance {
  /** `let-go`: it was there, and is kept no longer. */
  readonly hindered: 'taken' | 'full' | 'unknown' | 'let-go';
  /** What, where, and what would be right. */
  readonly message: string;
}

export function isHindrance(value: object): value is Hindrance {
  return 'hindered' in value;
}
