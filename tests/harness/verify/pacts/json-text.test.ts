// JSON with the places of its parts: it accepts what JSON.parse accepts, and reports where the text is invalid.

import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../../../harness/verify/pacts/json-text.js';

const errorIn = (text: string) => {
  const parsed = parseJson(text);
  return 'error' in parsed ? [parsed.error.line, parsed.error.column, parsed.error.message] : undefined;
};
const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a JSON text', () => {
  it('gives the same value as JSON.parse, and the place of each shallow part', () => {
    const text = '{ "a": [1,\n  {"b/c": "ü\\n", "~": null}],\r\n "d": -1.5e3 }';
    const parsed = parseJson(text);
    if ('error' in parsed) expect.fail(parsed.error.message);
    expect(parsed.value).to.deep.equal(JSON.parse(text));
    expect(parsed.placeOf('')).to.deep.equal({ line: 1, column: 1 });
    expect(parsed.placeOf('/a/0')).to.deep.equal({ line: 1, column: 9 });
    expect(parsed.placeOf('/a/1/b~1c')).to.deep.equal({ line: 2, column: 11 });
    expect(parsed.placeOf('/a/1/~0')).to.deep.equal({ line: 2, column: 23 });
    expect(parsed.placeOf('/d')).to.deep.equal({ line: 3, column: 7 });
  });

  it('gives the nearest enclosing place for a missing part', () => {
    const parsed = parseJson('{\n"a": {\n"b": 1}}');
    if ('error' in parsed) expect.fail(parsed.error.message);
    expect(parsed.placeOf('/a/none/at/all')).to.deep.equal({ line: 2, column: 6 });
    expect(parsed.placeOf('/none')).to.deep.equal({ line: 1, column: 1 });
  });

  it('accepts a byte order mark, and takes the last of two equal names, like JSON.parse', () => {
    const parsed = parseJson('\uFEFF{"a": 1,\n"a": 2}');
    if ('error' in parsed) expect.fail(parsed.error.message);
    expect(parsed.value).to.deep.equal({ a: 2 });
    expect(parsed.placeOf('/a').line).to.equal(2);
  });

  const invalid: ReadonlyArray<readonly [text: string, line: number, column: number, message: string]> = [
    ['{', 1, 2, 'the file ends where "}" is expected'],
    ['{"a": 1,}', 1, 9, '"}" is where a name in double quotes is expected'],
    ['{"a" 1}', 1, 6, '"1" is where ":" is expected'],
    ['{"a": 1 "b"', 1, 9, '"b" is where "," or a closing bracket is expected'],
    ['[\n1,\n]', 3, 1, '"]" is where a value or a name in double quotes is expected'],
    ['[1 2]', 1, 4, '"2" is where "," or a closing bracket is expected'],
    ["{'a': 1}", 1, 2, '"\'a\'" is where a value or a name in double quotes is expected'],
    ['{} x', 1, 4, '"x" is where a value or a name in double quotes is expected'],
    ['01', 1, 2, '"1" is where nothing more is expected'],
    ['["a', 1, 2, '"a is where a text on one line that ends with a double quote is expected'],
    ['["\\q"]', 1, 2, '"\\q" is where a text with escapes such as \\n, \\" or \\u00e9 only is expected'],
    ['// pact\n{}', 1, 1, '"// pact" is where a value or a name in double quotes is expected'],
    ['<html>', 1, 1, '"<html>" is where a value or a name in double quotes is expected'],
  ];
  for (const [text, line, column, message] of invalid)
    it(`reports the first place at which ${JSON.stringify(text)} is invalid`, () => {
      expect(errorIn(text)).to.deep.equal([line, column, message]);
    });

  it('refuses text that is nested deeper than anyone writes, and accepts the rest', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(errorIn(nested(500))).to.equal(undefined);
    expect(errorIn(nested(100_000))).to.deep.equal([1, 501, 'this is nested more than 500 deep']);
  });

  it('accepts what JSON.parse accepts and nothing else', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', '\\', '\u0001', '0', '-', '.', 'e'),
        (json, at, put) => {
          const cut = at % (json.length + 1);
          for (const text of [
            json,
            json.slice(0, cut) + put + json.slice(cut),
            json.slice(0, cut) + put + json.slice(cut + 1),
          ])
            expect(errorIn(text) === undefined, text).to.equal(isJson(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});
