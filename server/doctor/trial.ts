// One trial of an attack, and the finding of all trials.

export interface Trial {
  /** The request, short and readable. */
  readonly sent: string;
  /** The answer, short and readable. */
  readonly seen: string;
  /** The outcome for counting: a status, `closed`. */
  readonly outcome: string;
  readonly isOpen: boolean;
}

/** `says`: the finding, if counting outcomes is not enough. */
export type Finding =
  | { readonly trials: readonly Trial[]; readonly says?: string }
  /** Why it cannot be tried here. */
  | { readonly inapplicable: string };

/** Deliberate 5xx refusals are no bugs: unknown codings or versions, an unavailable store, no space. */
export function isBug(status: number): boolean {
  return status >= 500 && ![501, 503, 505, 507].includes(status);
}
