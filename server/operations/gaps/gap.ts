// The shape of a gap: a question that the document leaves open, with its readings. Operations implement the readings.

export interface Gap {
  /** The question. */
  readonly asks: string;
  /** Place in the document. */
  readonly source: string;
  /**
   * The title of the refusal with the gap's name. A reading whose name is a status refuses with that status; no other reading refuses. Absent: the gap's
   * refusals, if any, are in `refusals.ts`.
   */
  readonly refusal?: string;
  /**
   * Each reading with its meaning, and the mistake of a client that it forgives, if so: a sentence. Not an object: numeric names such as `404` would
   * change their order.
   */
  readonly readings: readonly (readonly [name: string, means: string, forgives?: string])[];
  /** Format of literal readings, if the list is not complete. */
  readonly open?: { readonly form: string; readonly pattern: RegExp };
}
