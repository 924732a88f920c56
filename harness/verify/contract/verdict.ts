// The result of each interaction: its outcome, what decided the answer, and its classification.
import * as Type from '@sinclair/typebox';
import { type Finding, gapSchema } from '../../../server/derive/document/violation.js';
import { exact, oneOf, type Shape, table } from '../../../server/domain/shape.js';
import type { Contract, Interaction } from './contract.js';

const text = (description: string) => Type.String({ description });
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

const passes = Type.Boolean({ description: 'Whether it passes.' });
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
    isNews: Type.Boolean({
      description: 'Whether the pair shows more than each reading alone: alone, neither changes the outcome.',
    }),
    difference,
  },
  { description: 'The result under two other readings at once.' },
);
export type PairTrial = Shape<typeof pairSchema>;

const relianceSchema = exact(
  { ...choice, trials: Type.Array(trialSchema, { description: 'The other readings.' }) },
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
        on: Type.Array(relianceSchema, { description: 'The gaps whose readings decide the outcome.' }),
        unshown: Type.Optional(
          Type.Array(Type.String(), {
            description: 'What it expects that the document does not show and no gap covers, one sentence each.',
          }),
        ),
        ...more,
      }),
      exact({
        kind: oneOf(['contradicts']),
        rules: Type.Array(Type.String(), {
          description: 'The rules that it violates. Empty: the document does not describe it.',
        }),
        says: Type.Array(Type.String(), { description: 'Why, one sentence each.' }),
        ...more,
      }),
      exact({ kind: oneOf(['unknown']), ...more }),
    ],
    {
      description:
        'How it relates to the document. documented: the document promises it. rests: it depends on the reading of a gap, or on what the document does not show. contradicts: it requests or expects what no reading of the document gives. unknown: no request could be sent.',
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
        body: Type.Optional(text('As text.')),
      },
      { description: 'As it was sent.' },
    ),
    answer: exact(
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

export interface Verdict {
  readonly contract: Contract;
  readonly interaction: Interaction;
  /** `unverified`: it could not be verified; `problem` says why, and how to fix it. */
  readonly outcome: 'passed' | 'failed' | 'unverified';
  readonly problem?: string;
  /** Whether the contract or its broker marks it as pending: a failure does not count yet. */
  readonly isPending: boolean;
  /** Mistakes in the contract that do not prevent verification, one sentence each. */
  readonly warnings: readonly string[];
  readonly differences: readonly Difference[];
  /** What decided the answer. */
  readonly rules: readonly string[];
  readonly gaps: Readonly<Record<string, string>>;
  readonly classification: Classification;
  /** Where the request or the expectation violates the document. */
  readonly findings: readonly Finding[];
  /** Every other reading of every gap it touched. */
  readonly trials: readonly Trial[];
  /** Every other reading of where the provider is served, if the interaction leaves that open. */
  readonly addresses: readonly Trial[];
  /** Absent without `--sensitivity`. */
  readonly pairs?: readonly PairTrial[];
  readonly exchange?: Exchange;
  /** Milliseconds. */
  readonly duration: number;
}

/** The result of a run. */
export interface Verification {
  readonly verdicts: readonly Verdict[];
  /** The server, for people: `a fake of its own`, or a URL. */
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
