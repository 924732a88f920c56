// The error for a value that does not match its schema: where, what was found, what would be right, by which rule.
import { expect } from 'chai';
import { found, schemaErrors } from '../../../server/engine/request/validate.js';
import {
  anyOfFields,
  array,
  boolean,
  integer,
  type JsonSchema,
  object,
  partialObject,
  string,
} from '../../../server/operations/schema.js';

const person = object({ name: string('A name.'), tags: array(string('A tag.'), 'Tags.') }, 'people.body', 'A person.');
const either = partialObject({ a: integer('A number.'), b: boolean('Yes or no.') }, 'either.types', 'Either.', [
  anyOfFields(['a', 'b'], 'either.needs-one', 'At least one of a and b.', 'Needed'),
]);
const errorsIn = (schema: JsonSchema, value: unknown) =>
  schemaErrors(schema, value).map(({ pointer, problem }) => `${pointer}: ${problem}`);

describe('schema errors', () => {
  it('are empty for a matching value', () => {
    expect(schemaErrors(person, { name: '', tags: [] })).to.deep.equal([]);
    expect(schemaErrors(either, { a: 1 })).to.deep.equal([]);
    expect(schemaErrors(either, { b: false, a: Number.MAX_SAFE_INTEGER })).to.deep.equal([]);
  });

  it('have place, problem, the value found, rule and keyword', () => {
    expect(schemaErrors(person, { name: 7, tags: ['a', null] })).to.deep.equal([
      { pointer: '/name', problem: 'must be text', found: 'the number 7', keyword: 'type', allowed: [] },
      { pointer: '/tags/1', problem: 'must be text', found: 'null', keyword: 'type', allowed: [] },
    ]);
    expect(schemaErrors(person, 'x')).to.deep.equal([
      {
        pointer: '',
        problem: 'must be an object',
        found: 'the text "x"',
        keyword: 'type',
        allowed: [],
        rule: 'people.body',
      },
    ]);
  });

  it('name an unknown field with the known ones, and a missing field', () => {
    expect(schemaErrors(person, { name: 'a', tag: [] })).to.deep.equal([
      {
        pointer: '',
        problem: 'lacks the field "tags"',
        found: 'an object',
        keyword: 'required',
        property: 'tags',
        allowed: [],
        rule: 'people.body',
      },
      {
        pointer: '',
        problem: 'has an unknown field "tag"',
        found: 'an object',
        keyword: 'additionalProperties',
        property: 'tag',
        allowed: ['name', 'tags'],
        rule: 'people.body',
      },
    ]);
  });

  it('treat alternatives as a whole, not by branch', () => {
    expect(schemaErrors(either, {})).to.deep.equal([
      {
        pointer: '',
        problem: 'must have at least one of a and b',
        found: 'an object',
        keyword: 'anyOf',
        allowed: [],
        rule: 'either.needs-one',
      },
    ]);
  });

  it('treat fields that every object inherits as missing', () => {
    const odd = object(
      { constructor: string('Odd.') } as Record<'constructor', ReturnType<typeof string>>,
      'r',
      'Odd.',
    );
    expect(errorsIn(odd, {})).to.deep.equal([': lacks the field "constructor"']);
    expect(errorsIn(person, JSON.parse('{"name":"a","tags":[],"__proto__":1}'))).to.deep.equal([
      ': has an unknown field "__proto__"',
    ]);
  });

  const cases: [what: string, schema: JsonSchema, value: unknown, problem: string][] = [
    ['a list', { type: 'array' }, {}, ': must be a list'],
    ['a whole number', { type: 'integer' }, 1.5, ': must be a whole number'],
    ['true or false', { type: 'boolean' }, 'true', ': must be true or false'],
    ['one of several types', { type: ['string', 'null'] }, 1, ': must be text or null'],
    ['one of several values', { enum: ['a', 'b'] }, 'c', ': must be one of a, b'],
    ['a pattern that is described', { type: 'string', pattern: '^a$', description: 'An a.' }, 'b', ': must be an a'],
    ['a pattern that is not', { type: 'string', pattern: '^a$' }, 'b', ': must match ^a$'],
    [
      'forms that are described',
      { anyOf: [{ type: 'null' }, { const: 1 }], description: 'Nothing, or one.' },
      2,
      ': must be nothing, or one',
    ],
    ['forms that are not', { anyOf: [{ type: 'null' }, { const: 1 }] }, 2, ': must be one of the forms allowed here'],
    ['a bound', { type: 'integer', maximum: 5 }, 6, ': must be at most 5'],
    [
      'names with slashes and tildes',
      { properties: { 'a/b~c': { type: 'null' } } },
      { 'a/b~c': 1 },
      '/a~1b~0c: must be null',
    ],
  ];
  for (const [what, schema, value, problem] of cases) {
    it(`describe ${what}`, () => {
      expect(errorsIn(schema, value)).to.deep.equal([problem]);
    });
  }

  it('list the allowed values', () => {
    expect(schemaErrors({ enum: ['a', 1] }, 'x')[0]?.allowed).to.deep.equal(['a', '1']);
  });

  it('are only the first for a long text', () => {
    const value = { name: 'a', tags: [1, 2, 3] };
    expect(schemaErrors(person, value)).to.have.lengthOf(3);
    expect(schemaErrors(person, value, { length: 65_536 })).to.have.lengthOf(3);
    expect(schemaErrors(person, value, { length: 65_537 })).to.have.lengthOf(1);
  });

  it('are the same when validated again', () => {
    expect(schemaErrors(either, { a: 'x' })).to.deep.equal(schemaErrors(either, { a: 'x' }));
  });
});

describe('found', () => {
  const cases: [value: unknown, said: string][] = [
    [null, 'null'],
    [[], 'an empty list'],
    [[1, 2], 'a list of 2'],
    [{}, 'an object'],
    ['', 'the text ""'],
    ['a"b\n', 'the text "a\\"b\\n"'],
    ['x'.repeat(60), `the text "${'x'.repeat(60)}"`],
    ['x'.repeat(61), `the text "${'x'.repeat(57)}..."`],
    [-1.5, 'the number -1.5'],
    [true, 'true'],
    [undefined, 'undefined'],
  ];
  for (const [value, said] of cases) {
    it(`describes the value: ${said.slice(0, 30)}`, () => {
      expect(found(value)).to.equal(said);
    });
  }
});
