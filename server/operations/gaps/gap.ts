// The shape of a gap: a question that the document leaves open, with the readings one can choose from.
// Says nothing of how a reading is carried out: that is in the operation that asks for it.

export interface Gap {
  /** The question. */
  readonly asks: string;
  /** Where the document leaves it open. */
  readonly source: string;
  /** Each reading with what it means. Not an object: names such as `404` would change places in one. */
  readonly readings: readonly (readonly [name: string, means: string])[];
  /** A form in which further readings may be written, where the list is not all. */
  readonly open?: { readonly form: string; readonly pattern: RegExp };
}
