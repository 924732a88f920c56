// The form of a verification as JSON, as a JSON Schema: what `cwx-fake verify --json` prints. Knows no verification.
import { gapIds } from '../../operations/gaps/gaps.js';
import type { JsonSchema } from '../../operations/schema.js';

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

/** An object with these fields and no others; those in `optional` may be left out. */
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
const difference = record('One way in which an answer was not what the contract expects.', {
  part: { enum: ['status', 'header', 'body'] },
  place: text('The name of the header, or the path into the body; empty for the status.'),
  says: text('The sentence that tells it.'),
});
const trial = record(
  'What became of the interaction under another reading.',
  { ...choice, holds: truth('Whether it holds.') },
  { difference: ref('difference') },
);
const pair = record(
  'What became of it under two other readings at once.',
  {
    first: record('A reading.', choice),
    second: record('A reading of another gap.', choice),
    holds: truth('Whether it holds.'),
    isNews: truth('Whether neither reading alone would have told.'),
  },
  { difference: ref('difference') },
);
const standing = record(
  'How it stands to the document. rests: it depends on the reading of a gap. contradicts: it asks for or expects what no reading of the document gives.',
  { kind: { enum: ['documented', 'rests', 'contradicts', 'unknown'] }, text: text('The same in words.') },
  {
    on: list(
      record('A gap it rests on.', { ...choice, trials: list(ref('trial'), 'The other readings.') }),
      'Of what rests: the gaps.',
    ),
    unshown: texts('Of what rests: what it expects and the document does not show, and no gap asks about.'),
    rules: texts('Of what contradicts: the rules it goes against.'),
    says: texts('Of what contradicts: why, one sentence each.'),
  },
);
const finding = record(
  'What the contract has that the document has not, or has otherwise.',
  {
    part: { enum: ['method', 'path', 'query', 'header', 'body', 'status', 'reply'] },
    pointer: text('JSON pointer into that part.'),
    expected: text('What the document has there, in words.'),
    found: text('What the contract has there, in words.'),
    says: text('The sentence that tells it.'),
  },
  { rule: text('The rule it goes against.'), gap: ref('gap'), nearest: text('The name that was probably meant.') },
);
const exchange = record('What was asked and answered, without credentials.', {
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
  'An interaction of the contract, and what came of it.',
  {
    description: text('As the contract describes it.'),
    states: list(state, 'The states it asks for, in order.'),
    request: text('Method and path of the example.'),
    outcome: { enum: ['held', 'failed', 'unverified'], description: 'unverified: it could not be tried.' },
    counts: truth('Whether it makes the run fail.'),
    isPending: truth('Whether a failure does not count yet.'),
    standing: ref('standing'),
    differences: list(ref('difference'), 'How the answer differs from what is expected.'),
    findings: list(ref('finding'), 'What is not in the document.'),
    rules: texts('The rules that decided the answer.'),
    gaps: textByName('The gaps that decided the answer, each with its reading.'),
    trials: list(ref('trial'), 'What became of it under every other reading of these gaps.'),
    duration: milliseconds,
  },
  {
    problem: text('Why it could not be tried, and how to mend that.'),
    pairs: list(ref('pair'), 'With --sensitivity: under two other readings at once.'),
    exchange: ref('exchange'),
    line: { type: 'integer', minimum: 1, description: 'Where in the file it stands.' },
    id: text('As a broker names it.'),
  },
);
const contract = record(
  'A pact, and what came of its interactions.',
  {
    consumer: text('The client.'),
    provider: text('The server.'),
    source: text('The file or URL it comes from.'),
    interactions: list(
      ref('interaction'),
      'In the order of the file; then those that are to be mended before they can be verified.',
    ),
    addresses: list(
      record(
        'A reading of where the provider is served under which interactions break.',
        {
          ...choice,
          breaks: number('How many of those that held break.'),
          tried: number('How many were asked under it.'),
        },
        { difference: ref('difference') },
      ),
      'What the file relies on by where its addresses lie. It counts for nothing, with --strict either.',
    ),
  },
  {
    specification: text('The version of the Pact specification, as the file says it.'),
    broker: record('What a broker has said of it.', {
      isPending: truth('Whether failures do not count yet.'),
      notices: texts('What it has to say.'),
    }),
  },
);
const sensitivity = record(
  'With --sensitivity: what becomes of a client under other readings, its interactions taken together.',
  {
    consumer: text('The client.'),
    provider: text('The server.'),
    source: text('The file or URL of the contract.'),
    holdsUnderAll: truth('Whether every interaction holds under every reading that was tried.'),
    says: text('The conclusion in a sentence.'),
    table: list(
      record('A reading of a gap that the client touches.', {
        ...choice,
        isChosen: truth('Whether it is the reading that counts.'),
        tried: number('How many interactions were asked under it.'),
        breaks: list(
          record(
            'An interaction that does not hold under it.',
            { interaction: text('Its description.') },
            { difference: ref('difference') },
          ),
          'Empty: all hold.',
        ),
      }),
      'Every gap with every reading that was tried.',
    ),
    trials: number('How many answers were tried under one other reading.'),
    pairs: number('How many under two.'),
    news: list(
      record('A pair that tells more than each alone.', { interaction: text('Its description.'), pair: ref('pair') }),
      'Empty: none does.',
    ),
    hopeless: texts('The descriptions of what holds under no reading that was tried.'),
  },
);

export const verificationSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://cwx-fake.dev/schemas/verification.schema.json',
  title: 'A verification of cwx-fake',
  ...record(
    'What came of contracts: the output of cwx-fake verify --json.',
    {
      version: text('The version of cwx-fake.'),
      target: text('The server that was verified.'),
      scenario: text('The scenario of interactions that ask for no state.'),
      isStrict: truth('Whether what the document does not promise counts as failed.'),
      startedAt: text('An ISO instant.'),
      duration: milliseconds,
      summary: record('The run in numbers.', {
        interactions: number('All.'),
        held: number('As expected.'),
        failed: number('Not as expected.'),
        unverified: number('Could not be tried.'),
        documented: number('The document promises what they expect.'),
        rests: number('They depend on a reading.'),
        contradicts: number('They go against the document.'),
        pending: number('Did not hold, which does not count yet.'),
        counting: number('They make the run fail.'),
        witnessed: texts('The rules that decided an answer of what held.'),
      }),
      notices: texts('What is worth telling of the run as a whole.'),
      gaps: list(
        record('A gap that something rests on.', {
          ...choice,
          asks: text('The question that the document leaves open.'),
          readings: list(
            record('A reading.', { name: text('Its name.'), means: text('What it means.') }),
            'The first is the default.',
          ),
        }),
        'In the order of the ledger.',
      ),
      contracts: list(contract, 'In the order in which they were named.'),
    },
    { sensitivity: list(sensitivity, 'One for each contract.') },
  ),
  $defs: {
    gap: { enum: gapIds, description: 'The id of a gap.' },
    difference,
    trial,
    pair,
    standing,
    finding,
    exchange,
    interaction,
  },
};
