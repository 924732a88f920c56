// Schemas and values that neither requests nor files of the other tests have.
import { expect } from 'chai';
import { schemaErrors } from '../../../server/engine/request/validate.js';
import type { JsonSchema } from '../../../server/operations/schema.js';

const errorsIn = (schema: JsonSchema, value: unknown) =>
  schemaErrors(schema, value).map(({ pointer, problem }) => `${pointer}: ${problem}`);

describe('schema errors', () => {
  it('treat fields that every object inherits as missing', () => {
    const odd = { type: 'object', required: ['constructor'], properties: { constructor: { type: 'string' } } };
    expect(errorsIn(odd, {})).to.deep.equal([': is missing the field "constructor"']);
    const closed = { type: 'object', properties: {}, additionalProperties: false };
    expect(errorsIn(closed, JSON.parse('{"__proto__":1}'))).to.deep.equal([': has an unknown field "__proto__"']);
  });

  const cases: [schema: JsonSchema, value: unknown, problem: string][] = [
    [{ type: ['string', 'null'] }, 1, ': must be a string or null'],
    [{ type: 'string', pattern: '^a$' }, 'b', ': must match ^a$'],
    [{ anyOf: [{ const: 1 }], description: 'One.' }, 2, ': must be one'],
    [{ anyOf: [{ const: 1 }] }, 2, ': must be one of the forms allowed here'],
    [{ properties: { 'a/b~c': { type: 'null' } } }, { 'a/b~c': 1 }, '/a~1b~0c: must be null'],
  ];
  it('describe a value that does not fit', () => {
    for (const [schema, value, problem] of cases) expect(errorsIn(schema, value)).to.deep.equal([problem]);
  });

  it('are only the first for a long text', () => {
    const numbers = { type: 'array', items: { type: 'string' } };
    expect(schemaErrors(numbers, [1, 2, 3], { length: 65_536 })).to.have.lengthOf(3);
    expect(schemaErrors(numbers, [1, 2, 3], { length: 65_537 })).to.have.lengthOf(1);
  });
});
