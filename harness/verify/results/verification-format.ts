// The JSON Schema of a verification: the output of `cwx-fake verify --json`.
import { gapIds } from '../../../server/operations/gaps/gaps.js';
import type { JsonSchema } from '../../../server/operations/schema.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const truth = (description: string): JsonSchema => ({ type: 'boolean', description });
const number = (description: string): JsonSchema => ({ type: 'integer', minimum: 0, description });
const milliseconds: JsonSchema = { type: 'number', minimum: 0, description: 'Milliseconds.' };
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const texts = (description: string): JsonSchema => list({ type: 'string' }, description);
const textByName = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** An object with these fields and no others; those in `optional` may be absent. */
function record(
  description: string,
  required: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    description,
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

const choice = { gap: ref('gap'), reading: text('One of its readings.') };
const difference = record('One difference between the answer and the expectation.', {
  part: { enum: ['status', 'header', 'body'] },
  place: text('The name of the header, or the path into the body; empty for the status.'),
  says: text('The difference as a sentence.'),
});
const trial = record(
  'The result of the interaction under another reading.',
  { ...choice, passes: truth('Whether it passes.') },
  { difference: ref('difference') },
);
const pair = record(
  'The result under two other readings at once.',
  {
    first: record('A reading.', choice),
    second: record('A reading of another gap.', choice),
    passes: truth('Whether it passes.'),
    isNews: truth('Whether the pair shows more than each reading alone.'),
  },
  { difference: ref('difference') },
);
const classification = record(
  'How it relates to the document. documented: the document promises it. rests: it depends on the reading of a gap. contradicts: it requests or expects what no reading of the document gives.',
  { kind: { enum: ['documented', 'rests', 'contradicts', 'unknown'] }, text: text('The same in words.') },
  {
    on: list(
      record('A gap it rests on.', { ...choice, trials: list(ref('trial'), 'The other readings.') }),
      'If it rests: the gaps.',
    ),
    unshown: texts('If it rests: what it expects that the document does not show and no gap covers.'),
    rules: texts('If it contradicts: the rules that it violates.'),
    says: texts('If it contradicts: why, one sentence each.'),
  },
);
const finding = record(
  'A violation of the document.',
  {
    part: { enum: ['method', 'path', 'query', 'header', 'body', 'status', 'reply'] },
    pointer: text('JSON pointer into that part.'),
    expected: text('What the document says there.'),
    found: text('What the contract has there.'),
    says: text('The violation as a sentence.'),
  },
  { rule: text('The rule that it violates.'), gap: ref('gap'), nearest: text('The nearest valid name.') },
);
const exchange = record('Request and answer, without credentials.', {
  request: record(
    'As it was sent.',
    { method: text('As in HTTP.'), path: text('With its query.'), headers: textByName('By name.') },
    { body: text('As text.') },
  ),
  answer: record('As it came.', {
    status: number('As in HTTP.'),
    headers: textByName('By name.'),
    text: text('The body as text.'),
  }),
});
const state = record('A provider state.', {
  name: text('Its name.'),
  params: { type: 'object', description: 'Its parameters.' },
});
const interaction = record(
  'An interaction of the contract and its result.',
  {
    description: text('As the contract describes it.'),
    states: list(state, 'Its provider states, in order.'),
    request: text('Method and path of the example.'),
    outcome: { enum: ['passed', 'failed', 'unverified'], description: 'unverified: it could not be verified.' },
    counts: truth('Whether it makes the run fail.'),
    warnings: texts('Mistakes in the contract that do not prevent verification.'),
    isPending: truth('Whether a failure does not count yet.'),
    classification: ref('classification'),
    differences: list(ref('difference'), 'How the answer differs from what is expected.'),
    findings: list(ref('finding'), 'Violations of the document.'),
    rules: texts('The rules that decided the answer.'),
    gaps: textByName('The gaps that decided the answer, each with its reading.'),
    trials: list(ref('trial'), 'The results under every other reading of these gaps.'),
    duration: milliseconds,
  },
  {
    problem: text('Why it could not be verified, and how to fix that.'),
    pairs: list(ref('pair'), 'With --sensitivity: under two other readings at once.'),
    exchange: ref('exchange'),
    line: { type: 'integer', minimum: 1, description: 'Its line in the file.' },
    id: text('Its id at the broker.'),
  },
);
const contract = record(
  'A pact and the results of its interactions.',
  {
    consumer: text('The client.'),
    provider: text('The server.'),
    source: text('The file or URL it comes from.'),
    interactions: list(
      ref('interaction'),
      'In the order of the file; then those that must be corrected before they can be verified.',
    ),
    addresses: list(
      record(
        'A reading of where the provider is served under which interactions fail.',
        {
          ...choice,
          breaks: number('How many passed interactions fail there.'),
          tried: number('How many were tried under it.'),
        },
        { difference: ref('difference') },
      ),
      'Readings of where the provider is served that the file relies on. They do not count, not even with --strict.',
    ),
  },
  {
    specification: text('The version of the Pact specification, as the file says it.'),
    broker: record('What the broker says about it.', {
      isPending: truth('Whether failures do not count yet.'),
      notices: texts('Its messages.'),
    }),
  },
);
const sensitivity = record(
  'With --sensitivity: how a client depends on readings, all its interactions taken together.',
  {
    consumer: text('The client.'),
    provider: text('The server.'),
    source: text('The file or URL of the contract.'),
    passesUnderAll: truth('Whether every interaction passes under every reading that was tried.'),
    says: text('The conclusion in a sentence.'),
    table: list(
      record('A reading of a gap that the client touches.', {
        ...choice,
        isChosen: truth('Whether it is the configured reading.'),
        tried: number('How many interactions were tried under it.'),
        breaks: list(
          record(
            'An interaction that fails under it.',
            { interaction: text('Its description.') },
            { difference: ref('difference') },
          ),
          'Empty: all pass.',
        ),
      }),
      'Every gap with every reading that was tried.',
    ),
    trials: number('How many answers were tried under one other reading.'),
    pairs: number('How many under two.'),
    news: list(
      record('A pair that shows more than each reading alone.', {
        interaction: text('Its description.'),
        pair: ref('pair'),
      }),
      'Empty: none.',
    ),
    hopeless: texts('The descriptions of interactions that pass under no reading that was tried.'),
  },
);

export const verificationSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://cwx-fake.dev/schemas/verification.schema.json',
  title: 'A verification of cwx-fake',
  ...record(
    'The result of verifying contracts: the output of cwx-fake verify --json.',
    {
      version: text('The version of cwx-fake.'),
      target: text('The server that was verified.'),
      scenario: text('The scenario for interactions without a state.'),
      isStrict: truth('Whether interactions that the document does not promise count as failed.'),
      startedAt: text('An ISO instant.'),
      duration: milliseconds,
      summary: record('The run in numbers.', {
        interactions: number('All.'),
        passed: number('As expected.'),
        failed: number('Not as expected.'),
        unverified: number('Could not be verified.'),
        documented: number('The document promises what they expect.'),
        rests: number('They depend on a reading.'),
        contradicts: number('They contradict the document.'),
        pending: number('Failed, but pending: they do not count yet.'),
        counting: number('They make the run fail.'),
        exercised: texts('The rules that decided the answers of passed interactions.'),
      }),
      notices: texts('Notices about the whole run.'),
      gaps: list(
        record('A gap that an interaction rests on.', {
          ...choice,
          asks: text('The question that the document leaves open.'),
          readings: list(
            record('A reading.', { name: text('Its name.'), means: text('What it means.') }),
            'The first is the default.',
          ),
        }),
        'In the order of the ledger.',
      ),
      contracts: list(contract, 'In the order of the command line.'),
    },
    { sensitivity: list(sensitivity, 'One for each contract.') },
  ),
  $defs: {
    gap: { enum: gapIds, description: 'The id of a gap.' },
    difference,
    trial,
    pair,
    classification,
    finding,
    exchange,
    interaction,
  },
};
