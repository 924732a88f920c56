// Compares the derived request schemas with the engine: the engine refuses no valid body for its form, and every invalid one.
import { expect } from 'chai';
import fc from 'fast-check';
import { bodySchema, isBodyDue, querySchema } from '../../../server/derive/schemas/request-schema.js';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import { type OperationId, operationOf, operations } from '../../../server/operations/catalog/catalog.js';
import { defaultReadings, layReadings, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { Operation } from '../../../server/operations/operation.js';
import type { JsonSchema } from '../../../server/operations/schema.js';
import { ask } from '../../support/worlds/ask.js';

/** The engine's verdict on a body of another form. */
const aboutForm = [
  ...['body-shape', 'missing-field', 'missing-list', 'unknown-field', 'list-limit'],
  ...['ppf-no-recipient', 'ppf-no-item'],
];

/** The gaps about the form of a body. */
const ofForm = [
  'missing-field',
  'missing-list',
  'field-type',
  'null-field',
  'unknown-field',
  'all-group-field',
  'ppf-empty-arrays',
] as const;

const alone: readonly SomeReadings[] = [
  ...ofForm.flatMap(gap => readingNames(gap).map(one => ({ [gap]: one }))),
  { 'list-limit': '1000' },
];

/** Some readings, most of them of several gaps at once. */
const together = fc.sample(
  fc.record(Object.fromEntries(ofForm.map(gap => [gap, fc.constantFrom(...readingNames(gap))])), { requiredKeys: [] }),
  { numRuns: 10, seed: 7 },
);

const lists = [undefined, null, [], ['alice'], 'alice', [1]];
const bodies: readonly unknown[] = [
  ...[null, 'text', 1, [], {}, [{}], ['a'], [{ oldText: 'a' }], [{ oldText: null, newText: 'b' }]],
  ...[{}, { more: 1 }, { newText: 1 }].map(more => [{ oldText: 'a', newText: 'b', ...more }]),
  { spaceKey: 'ds', label: 'a', url: 'b' },
  { spaceKey: 'ds', label: 'a', url: 'b', more: null },
  { spaceKey: 'ds', label: 1, url: 'b' },
  { group: 'customers' },
  { group: null, users: [] },
  { group: 'customers', users: Array.from({ length: 1001 }, () => 'alice') },
  ...lists.flatMap(users => lists.map(groups => without({ users, groups }))),
  ...lists.flatMap(users => lists.map(group => without({ users, group }))),
  ...lists.flatMap(group => [[], null].map(groups => without({ users: [], groups, group }))),
  ...lists.map(users => without({ group: 'customers', users })),
  ...[undefined, [], [10500], ['10500'], ['ten'], [1.5], 10500, '10500', 'ten', null].flatMap(filters => [
    without({ filters, users: ['alice'] }),
    without({ filters, users: [] }),
    without({ filters, groups: ['customers'], dashboards: [] }),
    without({ filters, users: [], groups: ['customers'], dashboards: [11000] }),
    without({ filters, dashboards: [11000], users: ['alice'], more: true }),
  ]),
];

const known = new Map<string, JsonSchema>();

/** The first of all equal schemas, since each object is compiled. */
function compiledOnce(schema: JsonSchema): JsonSchema {
  const text = JSON.stringify(schema);
  const first = known.get(text) ?? schema;
  known.set(text, first);
  return first;
}

describe('the schema of a body', () => {
  const seen = new Set<unknown>(); // some operations take the same body
  for (const operation of operations) {
    const { id, body } = operation;
    if (body === undefined || seen.has(body)) continue;
    seen.add(body);
    it(`accepts what ${id} accepts, and nothing else, under each reading`, () => {
      for (const some of [...alone, ...together]) {
        const schema = compiledOnce(bodySchema(body, layReadings(defaultReadings, some)));
        for (const json of bodies) {
          const { refused = '' } = ask(id as OperationId, { ...valid(id), json, readings: some }); // an operation of the catalog
          const fits = schemaErrors(schema, json).length === 0;
          expect(fits, `${JSON.stringify(json)} under ${JSON.stringify(some)}: ${refused}`).to.equal(
            !aboutForm.includes(refused),
          );
        }
      }
    });

    it(`says whether ${id} requires one`, () => {
      for (const some of [...alone, ...together]) {
        const { refused = '' } = ask(id as OperationId, { ...valid(id), readings: some }); // an operation of the catalog
        const isDue = refused === 'body-absent' || refused === 'lists-absent' || aboutForm.includes(refused);
        expect(isBodyDue(body, layReadings(defaultReadings, some)), JSON.stringify(some)).to.equal(isDue);
      }
    });
  }
});

describe('the schema of a query', () => {
  it('requires all parameters unless the reading makes them optional', () => {
    const query = declared('spaces.is-unique');
    const strict = querySchema(query, defaultReadings);
    const lenient = querySchema(query, layReadings(defaultReadings, { 'missing-parameter': 'empty' }));
    expect(schemaErrors(strict, { spaceKey: 'ds', spaceName: 'x', other: '1' })).to.deep.equal([]);
    expect(schemaErrors(strict, { spaceKey: 'ds' })).to.not.deep.equal([]);
    expect(schemaErrors(lenient, { spaceKey: 'ds' })).to.deep.equal([]);
    const closed = querySchema(query, layReadings(defaultReadings, { 'unknown-parameter': '400' }));
    expect(schemaErrors(closed, { spaceKey: 'ds', spaceName: 'x', other: '1' })).to.have.length(1);
  });

  it('has the form of a new space key under the reading that refuses others, as the engine does', () => {
    const { query = {} } = valid('spaces.copy');
    for (const reading of ['alphanumeric', 'any'] as const)
      for (const targetSpaceKey of ['APOLLO', 'a', 'A B', 'Ä', 'a-b', 'x'.repeat(255), 'x'.repeat(256)]) {
        const some = { 'space-key-format': reading };
        const { required: _, ...schema } = querySchema(declared('spaces.copy'), layReadings(defaultReadings, some));
        const { refused } = ask('spaces.copy', { query: { ...query, targetSpaceKey }, readings: some });
        const fits = schemaErrors(schema, { targetSpaceKey }).length === 0;
        expect(fits, `${targetSpaceKey} under ${reading}`).to.equal(refused !== 'space-key-format');
      }
  });
});

function declared(id: string): Operation {
  const operation = operationOf(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return operation;
}

function valid(id: string) {
  const [example] = operationOf(id)?.examples ?? [];
  return { params: { pageId: '65601' }, ...(example?.query !== undefined && { query: example.query }) };
}

/** The object without undefined fields, which JSON cannot represent. */
function without(fields: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
