// The format of a verification: the output of `cwx-fake verify --json`, as a schema.
import * as Type from '@sinclair/typebox';
import { findingSchema, gapSchema } from '../../../server/derive/document/violation.js';
import { exact, maybe, type Shape } from '../../../server/domain/json/shape.js';
import type { JsonSchema } from '../../../server/operations/schema.js';
import {
  addressSchema,
  choice,
  classificationWith,
  differenceSchema,
  list,
  milliseconds,
  number,
  pairSchema,
  result,
  text,
  texts,
  trialSchema,
  truth,
} from '../contract/verdict.js';

const interactionSchema = exact(
  {
    description: text('The description in the contract.'),
    states: list(
      exact(
        { name: text('Its name.'), params: Type.Object({}, { description: 'Its parameters.' }) },
        { description: 'A provider state.' },
      ),
      'Its provider states, in order.',
    ),
    request: text('Method and path of the example.'),
    line: maybe(Type.Integer({ minimum: 1, description: 'Its line in the file.' })),
    id: maybe(text('Its id at the broker.')),
    ...result,
    counts: truth('Whether it makes the run fail.'),
    classification: classificationWith({ text: text('The classification in words.') }),
    findings: list(
      exact(
        { ...findingSchema.properties, says: text('The violation as a sentence.') },
        { description: findingSchema.description ?? '' },
      ),
      'Violations of the document.',
    ),
  },
  { description: 'An interaction of the contract and its result.' },
);
export type InteractionReport = Shape<typeof interactionSchema>;

const pact = {
  consumer: text('The client.'),
  provider: text('The server.'),
  source: text('The file or URL of the contract.'),
};

const contractSchema = exact(
  {
    ...pact,
    specification: maybe(text('The version of the Pact specification that the file names.')),
    broker: maybe(
      exact(
        { isPending: truth('Whether failures do not count yet.'), notices: texts('Its messages.') },
        { description: 'What the broker says about it.' },
      ),
    ),
    interactions: list(
      interactionSchema,
      'In the order of the file. Interactions that must be corrected before they can be verified come last.',
    ),
    addresses: list(
      addressSchema,
      "Readings about the provider's base path that the contract relies on. They do not count as failures, not even with --strict.",
    ),
  },
  { description: 'A pact and the results of its interactions.' },
);
export type ContractReport = Shape<typeof contractSchema>;

const sensitivitySchema = exact(
  {
    ...pact,
    name: text('The client, with its provider and file if it has several contracts.'),
    passesUnderAll: truth('Whether every interaction passes under every reading that was tried.'),
    says: text('The conclusion in a sentence.'),
    table: list(
      exact(
        {
          ...choice,
          isChosen: truth('Whether it is the configured reading.'),
          tried: number('How many interactions were tried under it.'),
          breaks: list(
            exact(
              {
                interaction: text('Its description, with its states if another has the same.'),
                difference: maybe(differenceSchema),
              },
              { description: 'An interaction that fails under it.' },
            ),
            'The failing interactions. Empty if all pass.',
          ),
        },
        { description: 'A reading of a gap that the client touches.' },
      ),
      'Every gap with every reading that was tried.',
    ),
    addresses: list(addressSchema, 'As in the contract.'),
    trials: number('How many responses were tried under one other reading.'),
    pairs: number('How many responses were tried under two other readings.'),
    pairOnlyFindings: list(
      exact(
        { interaction: text('Its description.'), pair: pairSchema },
        { description: 'A pair that shows more than each reading alone.' },
      ),
      'Empty: none.',
    ),
    neverPasses: texts('The interactions that pass under no reading that was tried.'),
  },
  {
    description: 'With --sensitivity: how a client depends on readings, all its interactions taken together.',
  },
);
export type SensitivityReport = Shape<typeof sensitivitySchema>;

const totalsSchema = exact(
  {
    interactions: number('All interactions.'),
    passed: number('Interactions with the expected response.'),
    failed: number('Interactions with another response.'),
    unverified: number('Interactions that could not be verified.'),
    documented: number('Interactions that expect only what the document promises.'),
    rests: number('Interactions that depend on a reading.'),
    contradicts: number('Interactions that contradict the document.'),
    pending: number('Interactions that failed or are unverified, but are pending and so do not count yet.'),
    counting: number('Interactions that make the run fail.'),
    exercised: texts('The rules that decided the responses of passed interactions, sorted.'),
  },
  { description: 'The run in numbers.' },
);
export type Totals = Shape<typeof totalsSchema>;

const reportSchema = exact(
  {
    version: text('The version of cwx-fake.'),
    target: text('The server that was verified.'),
    scenario: text('The scenario for interactions without a state.'),
    isStrict: truth('Whether interactions that the document does not promise count as failed.'),
    startedAt: text('An ISO instant.'),
    duration: milliseconds,
    summary: totalsSchema,
    notices: texts('Notices about the whole run.'),
    gaps: list(
      exact(
        {
          ...choice,
          asks: text('The question that the document leaves open.'),
          readings: list(
            exact({ name: text('Its name.'), means: text('What it means.') }, { description: 'A reading.' }),
            'The first is the default.',
          ),
        },
        { description: 'A gap that an interaction rests on.' },
      ),
      'In the order of the ledger.',
    ),
    contracts: list(contractSchema, 'In the order of the command line.'),
    sensitivity: maybe(list(sensitivitySchema, 'One for each contract.')),
  },
  { description: 'The result of verifying contracts: the output of cwx-fake verify --json.' },
);
export type VerificationReport = Shape<typeof reportSchema>;

/** Parts that occur in several places, by the names of their definitions. */
const shared = {
  gap: gapSchema,
  difference: differenceSchema,
  trial: trialSchema,
  pair: pairSchema,
  address: addressSchema,
};

export const verificationSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://cwx-fake.dev/schemas/verification.schema.json',
  title: 'A verification of cwx-fake',
  ...(withReferences(reportSchema) as JsonSchema),
  $defs: Object.fromEntries(Object.entries(shared).map(([name, schema]) => [name, withReferences(schema, name)])),
};

/** The schema with references to the shared parts, except at the top of the definition `own`. */
function withReferences(schema: unknown, own?: string): unknown {
  if (Array.isArray(schema)) return schema.map(one => withReferences(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const text = JSON.stringify(schema);
  const name = Object.entries(shared).find(([, part]) => JSON.stringify(part) === text)?.[0];
  if (name !== undefined && name !== own) return { $ref: `#/$defs/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withReferences(value)]));
}
