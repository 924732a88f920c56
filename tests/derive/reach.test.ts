// Where refusals come from, and which statuses they have under which readings. The tables of all responses: tests/engine/request/stages.test.ts.
import { expect } from 'chai';
import { gapsOf, refusalCodes, refusalsOf, statusUnder, stepsGiving } from '../../server/derive/reach.js';
import { operations } from '../../server/operations/catalog/catalog.js';
import { defaultReadings, gapIds, layReadings, type SomeReadings } from '../../server/operations/gaps/gaps.js';
import { everyReading } from '../support/other-servers/odd-questions.js';

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
