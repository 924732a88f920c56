// One thing that an attack has tried, and what is found by all of them. Knows neither servers nor attacks.

export interface Trial {
  /** What was sent, short and readable. */
  readonly sent: string;
  /** What came back, short and readable. */
  readonly seen: string;
  /** In a word or two, for counting: a status, `closed`. */
  readonly outcome: string;
  readonly isOpen: boolean;
}

/** `says`: what was found, where counting outcomes does not tell. */
export type Finding =
  | { readonly trials: readonly Trial[]; readonly says?: string }
  /** It cannot be tried here: why. */
  | { readonly inapplicable: string };

/** What a server refuses knowingly is no bug: a coding or a version that it does not know, a store that is away, no room. */
export function isBug(status: number): boolean {
  return status >= 500 && ![501, 503, 505, 507].includes(status);
}
