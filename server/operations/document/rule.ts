// The shape of a rule: a statement of the document in our own words, with its place.

/** A statement of the document. */
export interface RuleText {
  /** In our own words. */
  readonly says: string;
  /** Place in the document. */
  readonly source: string;
  /** It is about the effect of a request, which the response alone does not show. */
  readonly effect?: true;
}
export type Rules<R extends string = string> = Readonly<Record<R, RuleText>>;
