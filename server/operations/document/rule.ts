// The shape of a rule: what the document says, in our own words, and where it says it.

/** A statement of the document. */
export interface RuleText {
  /** In our own words. */
  readonly says: string;
  /** Where in the document it stands. */
  readonly source: string;
  /** It says what a request brings about: an answer alone does not show whether it is kept. */
  readonly effect?: true;
}
export type Rules<R extends string = string> = Readonly<Record<R, RuleText>>;
