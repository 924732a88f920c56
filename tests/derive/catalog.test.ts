// Everything the catalog refers to exists: rules, gaps and readings that refusals, schemas and replies name.
import { expect } from 'chai';
import { type RefusalCode, refusalSpec, refusals } from '../../server/domain/refusals.js';
import { operations, rules } from '../../server/operations/catalog/catalog.js';
import { isGapId, readingNames } from '../../server/operations/gaps/gaps.js';
import type { JsonSchema } from '../../server/operations/schema.js';

describe('the catalog', () => {
  it('has every rule and gap that a refusal is based on', () => {
    for (const code of Object.keys(refusals) as RefusalCode[]) {
      const { rules: grounds = [], gap, unless = [], status } = refusalSpec(code);
      for (const rule of grounds) expect(rules, `${code} ${rule}`).to.have.property(rule);
      if (gap === undefined) {
        expect(unless, code).to.deep.equal([]);
        expect(status, code).to.be.a('number');
      } else {
        expect(isGapId(gap), `${code} ${gap}`).to.equal(true);
        if (isGapId(gap)) expect(readingNames(gap), code).to.include.members([...unless]);
      }
    }
  });

  it('declares each rule that a schema of an operation names', () => {
    for (const { id, body, replies, rules: own } of operations) {
      for (const schema of [body?.schema, ...replies.map(reply => reply.body)])
        for (const rule of rulesNamedIn(schema)) expect(own, `${id} ${rule}`).to.have.property(rule);
      if (body?.alias !== undefined) expect(own, id).to.have.property(body.alias.rule);
      if (body !== undefined) expect(rulesNamedIn(body.schema), id).to.not.deep.equal([]);
    }
  });

  it('has the same text for a rule in every operation', () => {
    for (const { id, rules: own } of operations)
      for (const [rule, text] of Object.entries(own)) expect(text, `${id} ${rule}`).to.deep.equal(rules[rule]);
  });

  it('has an example of every operation', () => {
    for (const { id, examples } of operations) expect(examples.length, id).to.be.greaterThan(0);
  });
});

function rulesNamedIn(json: JsonSchema | undefined): string[] {
  const text = JSON.stringify(json ?? {});
  return [...text.matchAll(/"x-rule":"([^"]+)"/g)].map(([, rule = '']) => rule);
}
