// The result of each interaction: its outcome, what decided the response, and its classification.
import * as Type from '@sinclair/typebox';
import { type Finding, gapSchema } from '../../../server/derive/document/violation.js';
import { exact, maybe, oneOf, type Shape, table } from '../../../server/domain/json/shape.js';
import type { Contract, Interaction } from './contract.js';

export const text = (description: string) => Type.String({ description });
export const truth = (description: string) => Type.Boolean({ description });
export const number = (description: string) => Type.Integer({ minimum: 0, description });
export const list = <S extends Type.TSchema>(items: S, description: string) => Type.Array(items, { description });
export const texts = (description: string) => list(Type.String(), description);
export const milliseconds = Type.Number({ minimum: 0, description: 'Milliseconds.' });
const byName = () => table(Type.String(), 'By name.');

/** A reading of a gap. */
export const choice = { gap: gapSchema, reading: text('One of its readings.') };

export const differenceSchema = exact(
  {
    part: oneOf(['status', 'header', 'body']),
    place: text('The name of the header, or the path into the body, such as `$.messages[0]`; empty for the status.'),
    says: text('The difference as a sentence.'),
  },
  { description: 'One difference between the response and the expectation.' },
);
export type Difference = Shape<typeof differenceSchema>;

const passes = truth('Whether it passes.');
const difference = Type.Optional(differenceSchema);

export const trialSchema = exact(
  { ...choice, passes, difference },
  { description: 'The result of the interaction under another reading, with the first difference if it fails.' },
);
export type Trial = Shape<typeof trialSchema>;

export const pairSchema = exact(
  {
    first: exact(choice, { description: 'A reading.' }),
    second: exact(choice, { description: 'A reading of another gap.' }),
    passes,
    isPairOnly: truth(
      'Whether the pair shows more than each reading alone, that is, neither alone changes the outcome.',
    ),
    difference,
  },
  { description: 'The result under two other readings at once.' },
);
export type PairTrial = Shape<typeof pairSchema>;

export const addressSchema = exact(
  {
    ...choice,
    breaks: number('How many passed interactions would fail under it.'),
    tried: number('How many were tried under it.'),
    difference,
  },
  { description: "A reading about the provider's base path under which interactions fail." },
);
export type AddressBreak = Shape<typeof addressSchema>;

const relianceSchema = exact(
  { ...choice, trials: list(trialSchema, 'The other readings.') },
  { description: 'A gap that decides whether the interaction passes, with its configured reading.' },
);
export type Reliance = Shape<typeof relianceSchema>;

/** In `unshown`: what was requested is not part of the document. */
export const NOT_PART = 'Resources of Confluence and Jira are not part of the document.';

/** How an interaction relates to the document; `more`: further members of each kind. */
export const classificationWith = <P extends Type.TProperties>(more: P) =>
  Type.Union(
    [
      exact({ kind: oneOf(['documented']), ...more }),
      exact({
        kind: oneOf(['rests']),
        on: list(relianceSchema, 'The gaps whose readings decide the outcome.'),
        unshown: Type.Optional(
          texts('What the document does not show and no gap covers, and a server that ends differently, for each.'),
        ),
        ...more,
      }),
      exact({
        kind: oneOf(['contradicts']),
        rules: texts('The rules that it violates. Empty: the document does not describe it.'),
        says: texts('Why, one sentence each.'),
        ...more,
      }),
      exact({ kind: oneOf(['unknown']), ...more }),
    ],
    {
      description:
        'How it relates to the document. documented: every server that keeps the document passes. rests: one passes and another fails, by the reading of a gap or by what the document does not show. contradicts: none passes. unknown: no request could be sent.',
    },
  );
const classificationSchema = classificationWith({});
export type Classification = Shape<typeof classificationSchema>;

export const exchangeSchema = exact(
  {
    request: exact(
      {
        method: text('As in HTTP.'),
        path: text('With its query.'),
        headers: byName(),
        body: maybe(text('As text.')),
      },
      { description: 'As it was sent.' },
    ),
    response: exact(
      {
        status: Type.Integer({ minimum: 0, description: 'As in HTTP.' }),
        headers: byName(),
        text: text('The body as text.'),
      },
      { description: 'As it was received.' },
    ),
  },
  { description: 'Request and response, without credentials.' },
);
export type Exchange = Shape<typeof exchangeSchema>;

/** What the result of an interaction and its report share. */
export const result = {
  outcome: oneOf(['passed', 'failed', 'unverified'], { description: 'unverified: it could not be verified.' }),
  problem: maybe(text('Why it could not be verified, and how to fix that.')),
  isPending: truth('Whether a failure does not count yet.'),
  warnings: texts('Mistakes in the contract that do not prevent verification.'),
  differences: list(differenceSchema, 'How the response differs from what is expected.'),
  rules: texts('The rules that decided the response.'),
  gaps: table(Type.String(), 'The gaps that decided the response, each with its reading.'),
  trials: list(trialSchema, 'The results under every other reading of these gaps.'),
  pairs: maybe(list(pairSchema, 'With --sensitivity: under two other readings at once.')),
  exchange: maybe(exchangeSchema),
  duration: milliseconds,
};
const resultSchema = exact(result);

export interface Verdict extends Shape<typeof resultSchema> {
  readonly contract: Contract;
  readonly interaction: Interaction;
  readonly classification: Classification;
  /** Where the request or the expectation violates the document. */
  readonly findings: readonly Finding[];
  /** Every other reading of where the provider is served, if the interaction leaves that open. */
  readonly addresses: readonly Trial[];
}

/** The result of a run. */
export interface Verification {
  readonly verdicts: readonly Verdict[];
  /** The server, for people: `a fake in this process`, or a URL. */
  readonly target: string;
  /** The scenario for states that are empty. */
  readonly scenario: string;
  /** Notices about the whole run, one sentence each. */
  readonly notices: readonly string[];
  readonly startedAt: Date;
  /** Milliseconds. */
  readonly duration: number;
}

/** Whether a verdict makes a run fail. With `isStrict`, interactions that the document does not promise fail too. */
export function counts({ outcome, classification, isPending }: Verdict, isStrict: boolean): boolean {
  if (isPending) return false;
  if (outcome !== 'passed' || classification.kind === 'contradicts') return true;
  return isStrict && classification.kind !== 'documented';
}
