// Sends every operation many unusual requests under every reading, and compares each response with the derived tables.
import { expect } from 'chai';
import {
  gapsOf,
  refusalCodes,
  refusalsOf,
  repliesUnder,
  rulesOf,
  statusUnder,
  stepsGiving,
} from '../../server/derive/reach.js';
import { errorSchema, replySchema } from '../../server/derive/schemas/response-schema.js';
import { schemaErrors } from '../../server/engine/request/validate.js';
import { type OperationId, operations } from '../../server/operations/catalog/catalog.js';
import { defaultReadings, gapIds, layReadings, type SomeReadings } from '../../server/operations/gaps/gaps.js';
import type { Operation } from '../../server/operations/operation.js';
import { everyReading, oddQuestions } from '../support/other-servers/odd-questions.js';
import { type Asked, ask } from '../support/worlds/ask.js';

describe('the reach of an operation', () => {
  for (const operation of operations) {
    it(`includes every observed response of ${operation.id}`, () => {
      const gaps = gapsOf(operation); // tests/engine/request/stages.test.ts shows that it asks no others
      const readings = everyReading.filter(some => gaps.some(gap => gap in some));
      const surprises = readings.flatMap((some, turn) => {
        const holds = tablesFor(operation, some);
        const questions = oddQuestions(operation).filter((_, i) => (i + turn) % 2 === 0); // half of them under each reading
        return questions.flatMap(question => {
          const asked = ask(operation.id as OperationId, { ...question, readings: some }); // an operation of the catalog
          return holds(asked) ? [] : [`${JSON.stringify(some)}: ${asked.refused} ${JSON.stringify(asked.response)}`];
        });
      });
      expect(surprises).to.deep.equal([]);
    });
  }
});

describe('the origin of a refusal', () => {
  it('is a stage, an access or a decision, for each refusal of the table', () => {
    for (const code of refusalCodes) expect(stepsGiving(code), code).to.not.deep.equal([]);
  });

  it('is reached under some reading, for each refusal that an operation can end in', () => {
    for (const operation of operations)
      for (const { code } of refusalsOf(operation)) {
        const statuses = everyReading.map(some => statusUnder(code, layReadings(defaultReadings, some)));
        expect(
          statuses.some(status => status !== undefined),
          `${operation.id} ${code}`,
        ).to.equal(true);
      }
  });

  it('is ruled out if the reading answers otherwise', () => {
    for (const [code, some, status] of [
      ['unknown-user', {}, 404],
      ['unknown-user', { 'unknown-user': '400' }, 400],
      ['unknown-user', { 'unknown-user': 'skip' }],
      ['no-change', {}],
      ['no-change', { 'no-change': '409' }, 409],
      ['wiki-anonymous', {}],
      ['wiki-anonymous', { 'wiki-auth': 'authenticated' }, 401],
      ['wiki-not-admin', { 'wiki-auth': 'authenticated' }],
      ['wiki-not-admin', { 'wiki-auth': 'admin' }, 403],
      ['not-unique', { 'is-unique-answer': 'status' }, 409],
      ['context-not-served', { 'context-path': '/wiki' }, 404],
      ['ppf-anonymous', { 'ppf-anonymous': '401' }, 401],
      ['replace-title-clash', { 'replace-title-clash': 'allow' }],
    ] satisfies ReadonlyArray<readonly [Parameters<typeof statusUnder>[0], SomeReadings, number?]>)
      expect(statusUnder(code, layReadings(defaultReadings, some)), JSON.stringify([code, some])).to.equal(status);
  });
});

describe('the gaps of all operations together', () => {
  it('are the whole ledger', () => {
    const asked = new Set(operations.flatMap(gapsOf));
    expect(gapIds.filter(id => !asked.has(id))).to.deep.equal([]);
  });
});

/** Whether the derived tables foresee a response under the readings. */
function tablesFor(operation: Operation, some: SomeReadings): (asked: Asked) => boolean {
  const readings = layReadings(defaultReadings, some);
  const rules = new Set(Object.keys(rulesOf(operation)));
  const gaps = new Set<string>(gapsOf(operation));
  const refusals = new Map(refusalsOf(operation).map(({ code }) => [code, statusUnder(code, readings)]));
  const statuses = repliesUnder(operation, readings).map(({ status }) => status);
  const schemas = { reply: replySchema(operation, readings), error: errorSchema(operation.family, readings) };
  return ({ operation: reached, rules: applied, gaps: decided, refused, status, reply }) => {
    if (reached === undefined) return true; // the address or the method led to no operation
    const isKnown = refused === undefined ? statuses.includes(status) : refusals.get(refused) === status;
    const schema = refused === undefined ? schemas.reply : schemas.error;
    const fits = schema === undefined ? reply === undefined : schemaErrors(schema, reply).length === 0;
    return (
      isKnown && fits && applied.every(rule => rules.has(rule)) && Object.keys(decided).every(gap => gaps.has(gap))
    );
  };
}
